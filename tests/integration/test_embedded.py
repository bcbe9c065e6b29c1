"""The embedded server: one for each project, started on demand, by root or by anybody else."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest

from command_line import SCRIPTS, Answer
from tidegate.warehouse import embedded

START = """
import sys
from pathlib import Path
import psycopg
from tidegate.warehouse import embedded
home = Path(sys.argv[1])
with psycopg.connect(embedded.start(home), autocommit=True) as conn:
    conn.execute("create table if not exists public.visits (pid integer)")
    conn.execute("insert into public.visits values (pg_backend_pid())")
    print(conn.execute("select count(*) from public.visits").fetchone()[0])
"""


@pytest.fixture
def homes() -> Iterator[tuple[Path, Path]]:
    """Two folders for state, short enough for a socket's path; their servers are stopped."""
    folder = Path(tempfile.mkdtemp(prefix="tg-", dir="/tmp"))
    folder.chmod(0o777)
    found = (folder / "one", folder / "two")
    yield found
    for home in found:
        embedded.stop(home)
    shutil.rmtree(folder, ignore_errors=True)


AS_NOBODY = (
    "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
    # So that the interpreter may lie under root's home; the server gets no right that it checks.
    "--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search",
)  # fmt: skip


def visit(home: Path, *prefix: str) -> str:
    """Start the server in a process of its own and count the visits; what it printed."""
    environ = {**os.environ, "PYTHONPATH": str(SCRIPTS), "PYTHONDONTWRITEBYTECODE": "1"}
    if prefix:
        environ = {key: value for key, value in environ.items() if not key.startswith("XDG_")}
        environ["HOME"] = str(home.parent)
    done = subprocess.run(
        [*prefix, sys.executable, "-W", "ignore", "-c", START, str(home)],
        env=environ,
        cwd=home.parent,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    return done.stdout.strip() or done.stderr


def down(home: Path) -> Answer:
    """`tidegate down` for one home."""
    project = home.parent / "project"
    project.mkdir(exist_ok=True)
    (project / "dbt_project.yml").write_text("name: x\nprofile: x\n", encoding="utf-8")
    environ = {
        **os.environ,
        "PYTHONPATH": str(SCRIPTS),
        "TIDEGATE_PROJECT_DIR": str(project),
        "TIDEGATE_HOME": str(home),
    }
    done = subprocess.run(
        [sys.executable, "-m", "tidegate", "down"],
        env=environ,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return Answer(done.returncode, done.stdout, done.stderr)


def postmaster(home: Path) -> int:
    """The process id that the server wrote down."""
    return int((home / "postgres" / "postmaster.pid").read_text().splitlines()[0])


def runs(pid: int) -> bool:
    """Whether a process works; one that nobody has waited for does not."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_projects_run_side_by_side_and_down_stops_only_its_own(homes: tuple[Path, Path]) -> None:
    """Each has its own data and socket; starting twice is one server."""
    one, two = homes
    assert (visit(one), visit(two), visit(one)) == ("1", "1", "2")
    first, second = postmaster(one), postmaster(two)
    assert first != second
    assert embedded.start(one) == embedded.start(one)
    assert postmaster(one) == first
    assert down(one) == Answer(0, "Embedded server stopped.\n", "")
    assert not runs(first)
    assert visit(two) == "2"
    assert postmaster(two) == second
    assert down(one) == Answer(0, "No embedded server was running.\n", "")
    assert visit(one) == "3"


def test_a_killed_server_is_started_again_with_its_data(homes: tuple[Path, Path]) -> None:
    """kill -9 of the postmaster leaves a stale pid file; neither `down` nor a start minds."""
    home, _ = homes
    assert visit(home) == "1"
    killed = psutil.Process(postmaster(home))
    os.kill(killed.pid, signal.SIGKILL)
    killed.wait(timeout=60)
    assert postmaster(home) == killed.pid
    assert down(home) == Answer(0, "No embedded server was running.\n", "")
    assert visit(home) == "2"
    assert postmaster(home) != killed.pid
    with psycopg.connect(embedded.start(home)) as conn:
        assert conn.execute("select count(*) from public.visits").fetchone() == (2,)


def test_a_server_that_is_still_recovering_is_waited_for(
    homes: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its pid file says `starting` while it replays its log; the wheel alone would give up."""
    home, _ = homes
    assert visit(home) == "1"
    written = home / "postgres" / "postmaster.pid"
    ready = written.read_text()
    said = iter([ready.replace("ready", "starting"), ready])
    servers = embedded.wheel().postgres_server.PostgresServer
    ensure = servers.ensure_postgres_running

    def asked(server: Any) -> None:
        written.write_text(next(said))
        ensure(server)

    monkeypatch.setattr(servers, "ensure_postgres_running", asked)
    with psycopg.connect(embedded.start(home)) as conn:
        assert conn.execute("select count(*) from public.visits").fetchone() == (1,)
    assert list(said) == []


def test_a_user_who_is_not_root_has_a_server_too(homes: tuple[Path, Path]) -> None:
    """As somebody without a home or rights, beside a server of root's."""
    nobody = AS_NOBODY if os.geteuid() == 0 else ()
    one, two = homes
    assert visit(one, *nobody) == "1"
    assert visit(two) == "1"
    assert visit(one, *nobody) == "2"
    server = psutil.Process(postmaster(one))
    assert server.uids().effective == (65534 if nobody else os.geteuid())
    server.send_signal(signal.SIGINT)
    server.wait(timeout=60)
