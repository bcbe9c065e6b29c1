"""dbt, in this process: one manifest, parsed once, and no log that could hold field values.

dbt prints and logs the server's error text, which holds values; so its own logging is off and
what may be said of a failure is decided here.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tidegate.errors import BuildFailed
from tidegate.names import listed
from tidegate.publishing import package
from tidegate.publishing.node_results import LOCK_TIMEOUT, NodeResult, node_result, of_files, safe
from tidegate.publishing.profile import write_profile
from tidegate.publishing.waiting import LockHolders, blocked, session_options
from tidegate.settings import Settings
from tidegate.warehouse.connect import Warehouse

_SELECTED = "tidegate:selected"


class DbtProject:
    """One dbt project against one warehouse; the manifest is parsed at first need and kept."""

    def __init__(
        self,
        settings: Settings,
        warehouse: Warehouse,
        families: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        """`families` gives the family of every contracted model, which the manifest must know."""
        self._settings = settings
        self._warehouse = warehouse
        self._families = families
        self._profiles = write_profile(settings, warehouse)
        package.provide(settings.project_dir)
        self._manifest: Any = None

    @property
    def manifest(self) -> Any:
        """dbt's in-memory manifest."""
        if self._manifest is None:
            manifest = self._parse()
            if not self._knows_contracts(manifest):
                # dbt's partial parse does not join an older contract file to a model added later.
                manifest = self._parse("--no-partial-parse")
            package.require(str(manifest.metadata.project_name), manifest.macros)
            self._manifest = manifest
        return self._manifest

    def _parse(self, *more: str) -> Any:
        result = self._invoke(["parse", *more])
        if not result.success:
            raise BuildFailed(
                f"dbt cannot read the project: {of_files(str(result.exception))}",
                remedy="Run `dbt parse` to see it in full.",
            )
        return result.result

    def _knows_contracts(self, manifest: Any) -> bool:
        from tidegate.publishing.nodes import family_of

        found = {
            node.name: family_of(node)
            for node in manifest.nodes.values()
            if node.resource_type == "model"
        }
        return all(found.get(name, family) == family for name, family in self._families().items())

    def run(
        self,
        command: str,
        selected: Sequence[str],
        *more: str,
        built: Callable[[str, str], None] | None = None,
    ) -> tuple[NodeResult, ...]:
        """Run a dbt command on the nodes of these unique ids; an empty selection is an error.

        `built` is told the schema and name of each relation that dbt has ended with, at once and
        from dbt's own threads.
        """
        if not selected:
            raise BuildFailed(f"dbt {command} would select no node.")
        manifest = self.manifest
        holders = LockHolders(self._warehouse, manifest)
        listener = _listener(holders.look_up, built)
        with selecting(manifest, selected) as chosen:
            result = self._invoke(
                [command, *chosen, "--cache-selected-only", *more], manifest, listener
            )
        if result.result is None:
            if LOCK_TIMEOUT in str(result.exception):
                raise blocked(self._warehouse)
            raise BuildFailed(
                f"dbt {command} failed: {safe(str(result.exception))}",
                remedy=f"Run `dbt {command}` to see it in full.",
            )
        found = (node_result(entry) for entry in result.result.results)
        return tuple(replace(one, held_by=holders.found.get(one.unique_id, ())) for one in found)

    def compile_tests(self, selected: Sequence[str]) -> dict[str, str]:
        """The SQL of the dbt tests of these unique ids, by unique id."""
        if not selected:
            return {}
        with selecting(self.manifest, selected) as chosen:
            # Most tests ask for no relation while they are compiled; for those that do, dbt lists
            # the schema then.
            result = self._invoke(["compile", *chosen, "--no-populate-cache"], self.manifest)
        if not result.success:
            raise BuildFailed(
                f"dbt cannot compile the tests: {_failed(result)}",
                remedy="Run `dbt compile` to see it in full.",
            )
        return {entry.node.unique_id: entry.node.compiled_code for entry in result.result.results}

    def _invoke(
        self,
        arguments: list[str],
        manifest: Any = None,
        listener: Callable[[Any], None] | None = None,
    ) -> Any:
        from dbt.cli.main import dbtRunner

        state = self._settings.home / "dbt"
        # Global flags before the command, the command's own behind it. The manifest is kept in
        # memory; writing it as JSON after each command is two fifths of a small refresh.
        quiet = ["--quiet", "--log-level", "none", "--log-level-file", "none", "--no-print"]
        quiet.append("--no-write-json")
        place = [
            "--project-dir",
            str(self._settings.project_dir),
            "--profiles-dir",
            str(self._profiles),
            "--target-path",
            str(state / "target"),
            "--log-path",
            str(state / "logs"),
        ]
        with _dbt_environment():
            runner = dbtRunner(manifest=manifest, callbacks=[listener] if listener else None)
            result = runner.invoke([*quiet, arguments[0], *arguments[1:], *place])
        if isinstance(result.exception, KeyboardInterrupt):
            # dbt makes a failed command of it; whoever pressed Ctrl-C means the whole of it.
            raise result.exception
        return result


def _failed(result: Any) -> str:
    """Which nodes a command failed with and what was said of them, or what ended it at once."""
    if result.result is None:
        return safe(str(result.exception))
    nodes = (node_result(entry) for entry in result.result.results)
    return listed([f"{node.name}: {node.said}" for node in nodes if node.said], "; ")


def _listener(
    blocked: Callable[[str], None], built: Callable[[str, str], None] | None
) -> Callable[[Any], None]:
    """What hears of dbt's events: nodes that a lock kept waiting, and relations that are there."""

    def hear(event: Any) -> None:
        if event.info.name == "NodeFinished":
            about = event.data.node_info
            if LOCK_TIMEOUT in event.data.run_result.message:
                blocked(about.unique_id)
            elif built:
                built(about.node_relation.schema, about.node_relation.alias)

    return hear


@contextlib.contextmanager
def selecting(manifest: Any, unique_ids: Iterable[str]) -> Iterator[list[str]]:
    """Arguments that select just these nodes of dbt's own manifest, which is marked meanwhile.

    dbt compares every name that it is given with every node: hundreds of names take it longer than
    the tests that they name. A tag is one comparison a node, and it cannot also be the name of a
    folder.
    """
    nodes = [manifest.nodes.get(key) or manifest.sources[key] for key in unique_ids]
    kept = [(node, node.tags) for node in nodes]
    for node, tags in kept:
        # A list of its own: dbt promises nobody that no other node has the same one.
        node.tags = [*tags, _SELECTED]
    try:
        yield ["--select", f"tag:{_SELECTED}"]
    finally:
        for node, tags in kept:
            node.tags = tags


@contextlib.contextmanager
def _dbt_environment() -> Iterator[None]:
    """Telemetry and version check off, whatever the project says, without changing its vars.

    Its sessions wait for locks in bounded time: what a profile has no key for is told to libpq.
    """
    given = {"DBT_SEND_ANONYMOUS_USAGE_STATS": "false", **session_options()}
    before = {key: os.environ.get(key) for key in given}
    os.environ.update(given)
    try:
        yield
    finally:
        for key, value in before.items():
            if value is None:
                os.environ.pop(key, None)
            else:
                os.environ[key] = value
