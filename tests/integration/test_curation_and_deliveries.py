"""What deliveries do never touches curation: quarantine is a pipeline's, overlays are people's."""

from __future__ import annotations

from pathlib import Path

from curating import MAYA, OMAR, everything, proposed
from landing_project import LandingProject, make_project
from tidegate.contracts.load import load_project
from tidegate.deliveries import approvals, quarantine
from tidegate.deliveries.reprocess import reprocess
from tidegate.deliveries.vocabulary import RunStatus
from tidegate.ledger import curation
from tidegate.warehouse import Warehouse

FILES = {
    "held.csv": ("id,item,qty\n1,tea,1\n2,jam,x\n,nothing,3\n4,a,b,c\n", RunStatus.ACCEPTED, 3),
    "header.csv": ("id,id,qty\n5,6,7\n8,9,1\n", RunStatus.REJECTED, 2),
    "drift.csv": ("id,item,qty,colour\n9,tea,2,red\n", RunStatus.PARKED, 0),
}
"""What each file ends as, and how many records of it are held."""


def test_a_quarantined_delivery_leaves_curation_untouched(
    tmp_path: Path, warehouse: Warehouse
) -> None:
    """Nor does one that is rejected or parked, whatever people then do about its records."""
    project = make_project(tmp_path, warehouse)
    with warehouse.connect() as conn:
        approved = proposed(conn)
        curation.approve(conn, approved, OMAR)
        proposed(conn, subject="group:2", by=MAYA)
        before = everything(conn)
        for name, (content, status, held) in FILES.items():
            outcome = project.land(f"orders/{name}", content)
            assert outcome.status is status, name
            assert held_of(project, name) == held, name
            assert everything(conn) == before, name
        answered(project)
        assert everything(conn) == before
        events = conn.execute(
            "select count(*) from governance.audit_events where event like 'curation.%'"
        ).fetchone()
    assert events == (3,)


def held_of(project: LandingProject, name: str) -> int:
    ((count,),) = project.query(
        "select count(*) from governance.quarantine q join governance.runs r using (run_id)"
        f" where r.source_name like '%{name}'"
    )
    return int(count)


def answered(project: LandingProject) -> None:
    """Held records are read again and given up; the schema change is rejected."""
    contracts = load_project(project.folder)
    reprocess(project.warehouse, contracts, "orders", by="olga")
    ((number,),) = project.query(
        "select min(quarantine_id) from governance.quarantine where state = 'held'"
    )
    ((run,),) = project.query("select run_id from governance.runs where status = 'parked'")
    with project.warehouse.connect() as conn:
        quarantine.discard(conn, [number], by="olga", reason="test rows")
        approvals.reject(conn, contracts, run, approvals.Answer("olga", "not agreed"))
