"""Run pytest against a PostgreSQL 15 of this machine: `python -m tests.postgres15 -- ARGUMENTS`.

The server is started in a folder of its own on a Unix socket and stopped afterwards. PostgreSQL
refuses to run as root, so root runs it as `postgres` (or `nobody`).
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDERS = ("/usr/lib/postgresql/15/bin", "/usr/pgsql-15/bin", "/opt/homebrew/opt/postgresql@15/bin")


def binaries() -> Path:
    """Where PostgreSQL 15 is installed; say how to install it where it is not."""
    named = os.environ.get("TIDEGATE_POSTGRES15_BIN")
    for folder in (named, *FOLDERS):
        if folder and (Path(folder) / "initdb").is_file():
            return Path(folder)
    sys.exit(
        "PostgreSQL 15 is not installed here: install it (Debian: apt-get install postgresql-15),"
        " or name its bin folder in TIDEGATE_POSTGRES15_BIN."
    )


def owner() -> str | None:
    """The user that runs the server, None for the present one."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def main(arguments: list[str]) -> int:
    """Start the server, run the tests on it, stop it; the exit code is pytest's."""
    folder = binaries()
    user = owner()
    home = Path(tempfile.mkdtemp(prefix="tidegate-15-"))
    home.chmod(0o777)
    data = home / "data"
    settings = f"-k {home} -h '' -c fsync=off -c full_page_writes=off -c max_connections=200"

    def run(*command: str) -> None:
        subprocess.run(command, check=True, user=user, cwd=home, stdout=subprocess.DEVNULL)

    run(str(folder / "initdb"), "-D", str(data), "-U", "postgres", "-A", "trust", "-E", "UTF8",
        "--locale", "C.UTF-8")  # fmt: skip
    run(str(folder / "pg_ctl"), "-D", str(data), "-l", str(home / "log"), "-o", settings, "-w",
        "start")  # fmt: skip
    try:
        return subprocess.run(
            [sys.executable, "-m", "pytest", *arguments],
            env={
                **os.environ,
                "TIDEGATE_TEST_SERVER": f"host={home} user=postgres dbname=postgres",
            },
            check=False,
        ).returncode
    finally:
        run(str(folder / "pg_ctl"), "-D", str(data), "-m", "immediate", "-w", "stop")
        shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main([argument for argument in sys.argv[1:] if argument != "--"]))
