"""Synthetic statistics: a restated release, a suppressed count, a year that nobody knows."""

from __future__ import annotations

from pathlib import Path

WONDER = """\
release,county,county_code,cause,year,deaths,population,crude_rate
UCD 1999-2018,"Abbeville County, SC",45001,Lung cancer,2014,25,24965,100.1
UCD 1999-2018,Nowhere County,99999,Lung cancer,2014,Suppressed,24965,Suppressed
UCD 1999-2018,Nowhere County,99999,Lung cancer,2015,,,
"""


def write_statistics(folder: Path) -> None:
    """Write a later release under `folder`; it restates one year of a county of the samples."""
    target = folder / "epidemiology"
    target.mkdir(parents=True)
    (target / "wonder_mortality.2018.csv").write_text(WONDER, encoding="utf-8")
