"""Which server a project means: as dbt would find it, in the words of dbt's own files."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from psycopg.conninfo import conninfo_to_dict

from tidegate.errors import EnvironmentFailure
from tidegate.publishing.profile import write_profile
from tidegate.settings import read_settings
from tidegate.warehouse import open_warehouse

TARGET = "{outputs: {dev: {type: postgres, host: there, user: ann, password: x, dbname: d}}}"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with the profile `shop`, and a user's home beside it."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "dbt_project.yml").write_text("name: shop\nprofile: 'shop'\n")
    (tmp_path / "home" / ".dbt").mkdir(parents=True)
    return folder


def of_the_user(project: Path, text: str) -> Path:
    """Profiles in the user's home; returns their folder."""
    file = project.parent / "home" / ".dbt" / "profiles.yml"
    file.write_text(text)
    return file.parent


def found(project: Path, **environ: str) -> Path | None:
    home = str(project.parent / "home")
    return read_settings({"HOME": home, **environ}, project).profiles_dir


def test_profiles_are_looked_for_where_dbt_looks(project: Path) -> None:
    """The variable, else the project, else the home; other people's profiles there are nothing."""
    assert found(project) is None
    of_the_user(project, "other:\n  target: shop\nshopping: {}\n")
    assert found(project) is None
    users = of_the_user(project, f"other: {{}}\nshop: {TARGET}\n")
    assert found(project) == users
    (project / "profiles.yml").write_text(f"shop: {TARGET}\n")
    assert found(project) == project
    assert found(project, DBT_PROFILES_DIR=str(users)) == users
    # What `tidegate up` tells people to export means the embedded server.
    assert found(project, DBT_PROFILES_DIR=str(project / ".tidegate" / "profiles")) is None


def opened(project: Path, **environ: str) -> dict[str, object]:
    """What the project's profile says of the server."""
    settings = read_settings({"HOME": str(project.parent / "home"), **environ}, project)
    return dict(conninfo_to_dict(open_warehouse(settings).conninfo))


def test_a_profile_is_rendered_as_dbt_renders_it(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Variables of the environment and dbt's filters, which mean nothing in a connection string."""
    monkeypatch.setenv("SHOP_PORT", "6543")
    port = "port: \"{{ env_var('SHOP_PORT') | as_number }}\""
    of_the_user(project, f"shop: {TARGET}\n".replace("host: there", f"host: there, {port}"))
    assert opened(project) == {
        "host": "there", "port": "6543", "user": "ann", "password": "x", "dbname": "d",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("profiles", "said"),
    [
        ("shop: {a: [\n", "{path}:2 cannot be read as YAML."),
        ("shop: {}\n", "{path} has no target 'dev' in the profile 'shop'."),
        (f"shop: {TARGET}\n".replace("postgres", "duckdb"),
         "The target 'dev' in {path} is not of type postgres."),
        (f"shop: {TARGET}\n".replace("ann", "\"{{ var('who') }}\""),
         "{path} uses more than `env_var` in the target."),
        (f"shop: {TARGET}\n".replace("ann", "\"{{ env_var('NOT_SET') }}\""),
         "{path} needs the environment variable NOT_SET."),
    ],
)  # fmt: skip
def test_a_profile_that_means_no_server_is_told(project: Path, profiles: str, said: str) -> None:
    """The file is named; its text, which may hold a password, is not repeated."""
    path = of_the_user(project, profiles) / "profiles.yml"
    with pytest.raises(EnvironmentFailure) as refused:
        opened(project)
    assert refused.value.message == said.format(path=path)
    assert refused.value.remedy


def test_a_project_file_that_is_no_yaml_is_told(project: Path) -> None:
    """It names the profile, so nothing can be opened without it."""
    (project / "dbt_project.yml").write_text("name: shop\nprofile: shop\nmodels: [\n")
    of_the_user(project, f"shop: {TARGET}\n")
    with pytest.raises(EnvironmentFailure) as refused:
        opened(project)
    assert refused.value.message == f"{project / 'dbt_project.yml'}:4 cannot be read as YAML."


@pytest.mark.parametrize(
    ("target", "schema", "written"),
    [("prod", "dbt_ann", ("prod", "dbt_ann")), ("ci", "dbt_ci", ("dev", "dbt_ci"))],
)
def test_dbt_is_told_target_and_schema_by_their_own_names(
    project: Path, target: str, schema: str, written: tuple[str, str]
) -> None:
    """What belongs to no family stands where dbt builds it; `ci` is no target of a publication."""
    named = TARGET.replace("dev:", f"{target}:").replace("dbname", f"schema: {schema}, dbname")
    of_the_user(project, f"shop: {named}\n")
    environ = {"HOME": str(project.parent / "home"), "DBT_TARGET": target}
    settings = read_settings(environ, project)
    folder = write_profile(settings, open_warehouse(settings))
    profile = yaml.safe_load((folder / "profiles.yml").read_text())["shop"]
    assert (profile["target"], profile["outputs"][written[0]]["schema"]) == written
    assert sorted(profile["outputs"]) == sorted({written[0], "ci"})


def test_a_server_of_another_choice_has_names_of_ours(project: Path) -> None:
    """A connection string knows of no schema."""
    of_the_user(project, f"shop: {TARGET}\n")
    url = {"HOME": str(project.parent / "home"), "DATABASE_URL": "host=h user=u dbname=d"}
    settings = read_settings(url, project)
    folder = write_profile(settings, open_warehouse(settings))
    profile = yaml.safe_load((folder / "profiles.yml").read_text())["shop"]
    assert (profile["target"], profile["outputs"]["dev"]["schema"]) == ("dev", "staging")
