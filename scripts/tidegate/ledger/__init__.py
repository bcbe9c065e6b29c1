"""The ledger: the `governance` and `provenance` schemas, upgraded by migrations.

`upgrade` brings a database to the newest version; each part of the ledger has a module of its own.
"""

from tidegate.ledger.upgrade import upgrade

__all__ = ["upgrade"]
