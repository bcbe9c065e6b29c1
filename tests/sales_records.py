"""Synthetic sales: a restated quarter, a year of quarters, prose, an asset that is sold."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

_QUARTERS = {
    "1": ("2020-01-01", "2020-03-31"),
    "2": ("2020-04-01", "2020-06-30"),
    "3": ("2020-07-01", "2020-09-30"),
    "4": ("2020-10-01", "2020-12-31"),
}


def _row(fact_id: str, text: str, **more: str) -> dict[str, str]:
    quarter = more.get("fiscal_quarter", "3")
    start, end = _QUARTERS.get(quarter, ("2020-01-01", "2020-09-30"))
    return {
        "fact_id": fact_id,
        "organisation": "UCB BIOSCIENCES GmbH",
        "line_item_label": "demo",
        "drug_name": "",
        "measure": "net_product_sales",
        "period_kind": "quarter",
        "fiscal_year": "2020",
        "fiscal_quarter": quarter,
        "period_start": start,
        "period_end": end,
        "geography_label": "United States",
        "geography_scheme": "iso3166_1_alpha2",
        "geography_code": "US",
        "reported_text": text,
        "reported_currency": "USD",
        "reported_scale": "millions",
        "evidence_kind": "reported_actual",
        "restates_fact_id": "",
        "restatement_reason": "",
        "source_authority_tier": "company_filing",
        "source_url": "",
        **more,
    }


def rows() -> list[Mapping[str, str]]:
    """Figures of `demo`, `prose`, `rest` and an asset that was sold in a quarter; none is real."""
    asset = {"line_item_label": "asset", "drug_name": "Synthetic asset", "fiscal_year": "2019"}
    part = {**asset, "period_kind": "custom", "fiscal_quarter": ""}
    seller, buyer = {"organisation": "Synthetic Founder"}, {"organisation": "Synthetic Acquirer"}
    nine_months = {"period_kind": "nine_month_ytd", "fiscal_quarter": ""}
    return [
        _row("demo_q1", "100", fiscal_quarter="1"),
        _row("demo_q2", "120", fiscal_quarter="2"),
        _row("demo_q3", "130"),
        _row(
            "demo_q3_restated",
            "127",
            restates_fact_id="demo_q3",
            restatement_reason="segment_change",
        ),
        _row("demo_q4", "1'140.5", fiscal_quarter="4"),
        _row("prose_said", "$0.2 billion", line_item_label="prose", reported_scale="billions",
             evidence_kind="reported_prose"),
        _row("prose_filed", "203", line_item_label="prose", restatement_reason="a mood"),
        _row("rest_9m", "300", line_item_label="rest", **nine_months),
        _row("rest_q4", "50", line_item_label="rest", fiscal_quarter="4"),
        _row("asset_q3", "90", **asset, **seller, period_start="2019-07-01",
             period_end="2019-09-30"),
        # Sold on 20 November: the quarter of the sale is two figures.
        _row("asset_q4_before", "40", **part, **seller, period_start="2019-10-01",
             period_end="2019-11-19"),
        _row("asset_q4_after", "35", **part, **buyer, period_start="2019-11-20",
             period_end="2019-12-31"),
    ]  # fmt: skip


def write_sales(folder: Path) -> None:
    """Write the figures as `sales/synthetic.csv` under `folder`."""
    target = folder / "sales"
    target.mkdir(parents=True)
    made = rows()
    with (target / "synthetic.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(made[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(made)
