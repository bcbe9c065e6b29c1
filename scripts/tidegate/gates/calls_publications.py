"""The eight families of publication failures.

They judge rows like every semantic gate; each knows the id of its entry in the taxonomy
(contracts seed, "Publication Quality Failure Taxonomy").
"""

from __future__ import annotations

from tidegate.gates.gate import Gate

PUBLICATION: tuple[Gate, ...] = ()
"""In the order of the taxonomy."""
