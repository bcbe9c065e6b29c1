"""What a server's refusal means to a user, by its SQLSTATE; its text may hold values and stays."""

from __future__ import annotations

import psycopg

from tidegate.errors import EnvironmentFailure, PrivilegeMissing, ServerUnreachable, TidegateError
from tidegate.warehouse.connect import server_message

AGAIN = "Run it again once that is put right: every command can be repeated."


def foreseen(error: psycopg.Error) -> TidegateError | None:
    """The error of ours for a condition of the surroundings; None for what may be a bug."""
    state = error.sqlstate
    if state == "42501":
        return PrivilegeMissing(
            "The connected role may not do what this command needs.",
            remedy="Run `tidegate doctor`: it prints the grants that are missing.",
        )
    if state == "25006":
        return EnvironmentFailure(
            "The server takes no writes: it is a standby, or this login is read-only.",
            remedy="Use the primary server. Run `tidegate doctor` to look at it.",
        )
    if state == "55P03":
        return EnvironmentFailure(
            "A lock that somebody else holds was waited for in vain.",
            remedy="Run it again once they have ended; pg_locks and pg_stat_activity name them.",
        )
    if state == "57014":
        return EnvironmentFailure(
            "The server cut a statement short: a timeout of this login, or somebody cancelled it.",
            remedy="Run `tidegate doctor`: it names the timeouts.",
        )
    if state is not None and state[:2] == "53":
        return EnvironmentFailure(
            f"The server has run out of something: {server_message(error)}.", remedy=AGAIN
        )
    lost = state is None and isinstance(error, psycopg.OperationalError)
    if lost or (state is not None and (state[:2] == "08" or state[:3] == "57P")):
        return ServerUnreachable("The connection to the server was lost.", remedy=AGAIN)
    return None
