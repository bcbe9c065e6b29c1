"""What of dbt's words is repeated: names and the remedy, never what may be a value."""

from __future__ import annotations

import pytest

from tidegate.publishing.node_results import of_files, safe

NO_CONTRACT = (
    "The gate schema_contract is attached to stg_a, which has no contract. Add config.meta.tidegate"
    " to the model, or remove the gate."
)
NO_KEY = "The gate till on stg_a does not know which columns name a row: give `row_key`."
IN_GENERAL = "Compilation Error in model q_a (models/q_a.sql)"
COLUMNS = (
    f"{IN_GENERAL}\n  This model has an enforced contract that failed.\n"
    "  Please ensure the name, data_type, and number of columns in your contract match.\n\n"
    "  | column_name | definition_type | contract_type | mismatch_reason       |\n"
    "  | ----------- | --------------- | ------------- | --------------------- |\n"
)
MORE = "".join(f"  | c{i} | | TEXT | missing in definition |\n" for i in range(12))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (f"{IN_GENERAL}\n  {NO_CONTRACT}\n  > in macro x", NO_CONTRACT),
        (f"{IN_GENERAL}\n  {NO_KEY}", NO_KEY),
        (f"{IN_GENERAL}\n  'dict object' has no attribute 'test_no_such'. This can happen when",
         "there is no test no_such"),
        (f"{IN_GENERAL}\n  'nothing' is undefined", "'nothing' is undefined"),
        (f"{IN_GENERAL}\n  customer 4711 is too rich", IN_GENERAL),
        ('Database Error\n  column "totl" does not exist\n  LINE 1: 4711',
         'column "totl" does not exist'),
        ('Database Error\n  invalid input syntax for type integer: "4711"',
         "the server refused it (its text may hold values and is not repeated)"),
        ('connection to server on socket "/tmp/x" failed: FATAL:  sorry, too many clients already',
         "sorry, too many clients already"),
        ("server closed the connection unexpectedly\n\tThis probably means the server terminated",
         "server closed the connection unexpectedly"),
        ("FATAL:  terminating connection due to administrator command",
         "terminating connection due to administrator command"),
        (COLUMNS + "  | n | TEXT | INTEGER | data type mismatch |\n"
         "  | total |  | FLOAT | missing in definition |\n  | x | TEXT | | missing in contract |\n",
         "its columns are not those of its contract: n is TEXT, not INTEGER; total (missing in"
         " definition); x (missing in contract)"),
        (COLUMNS + MORE,
         "its columns are not those of its contract: "
         + "".join(f"c{i} (missing in definition); " for i in range(10)) + "and 2 more"),
    ],
)  # fmt: skip
def test_names_are_told_and_values_are_not(said: str, told: str) -> None:
    """A message of somebody's own macro is not repeated: nobody knows what it holds."""
    assert safe(said) == told


def test_what_dbt_says_of_files_is_one_line_that_ends() -> None:
    """It has read nothing else."""
    assert of_files("Compilation Error\n  Model 'a'\n  is not there") == (
        "Compilation Error Model 'a' is not there"
    )
    assert len(of_files("x " * 1000)) == 600
