"""References from outside: a new generation of an owner must not drop keys that others refer to.

The families that refer to it are published already and are not built again now, so their own gates
would find the dangling keys only after readers had them (design §6.8).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tidegate.gates.model import GateSpec, Kind, Model, Severity

GATE_ID = "referential_integrity"


def inbound_specs(
    models: Mapping[str, Model], group: Iterable[str], published: Iterable[str]
) -> tuple[GateSpec, ...]:
    """One check for each published model of another family that refers to a model of the group.

    `models` are all contracted models by name, `published` the names that readers have now. The
    consumer is read as it is served, the owner from the generation that is being judged. The
    result belongs to the owner's family: it is the one that is held back.
    """
    families = set(group)
    visible = set(published)
    found = []
    for consumer in sorted(models.values(), key=lambda model: model.name):
        if consumer.keys.family in families or consumer.name not in visible:
            continue
        for family in sorted(families):
            references = [
                reference.model_dump(mode="json")
                for reference in consumer.keys.references
                if reference.to in models and models[reference.to].keys.family == family
            ]
            if references:
                found.append(_spec(consumer, family, references, models))
    return tuple(found)


def _spec(
    consumer: Model, family: str, references: list[dict[str, object]], models: Mapping[str, Model]
) -> GateSpec:
    return GateSpec(
        gate_id=GATE_ID,
        unique_id=f"tidegate.inbound.{family}.{consumer.name}",
        kind=Kind.GATE,
        severity=Severity.BLOCKING,
        family=family,
        model=consumer,
        models=models,
        arguments={"references": references},
        owner=consumer.keys.owner,
        contract_ref=consumer.path,
    )
