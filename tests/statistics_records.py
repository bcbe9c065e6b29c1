"""Synthetic statistics: a restated release, a suppressed count, unknown and old years."""

from __future__ import annotations

from pathlib import Path

WONDER = """\
release,county,county_code,cause,year,deaths,population,crude_rate
UCD 1999-2018,"Abbeville County, SC",45001,Lung cancer,2014,25,24965,100.1
UCD 1999-2018,Nowhere County,99999,Lung cancer,2014,Suppressed,24965,Suppressed
UCD 1999-2018,Nowhere County,99999,Lung cancer,2015,,,
"""

PROFILES = """\
area,fips,cancer_site,sex,first_year,last_year,age_adjusted_rate,lower_ci,upper_ci,average_annual_count
Long Ago,88888,All cancer sites,all,1995,1999,400,399,401,1000
"""


def write_statistics(folder: Path) -> None:
    """Write a later release under `folder`, and a rate of a period that ended long ago.

    The release restates one year of a county of the samples.
    """
    target = folder / "epidemiology"
    target.mkdir(parents=True)
    (target / "state_cancer_profiles.1999.csv").write_text(PROFILES, encoding="utf-8")
    (target / "wonder_mortality.2018.csv").write_text(WONDER, encoding="utf-8")
