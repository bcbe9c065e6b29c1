"""Alembic's entry point: the connection, its transaction and its lock come from `upgrade`."""

from alembic import context

connection = context.config.attributes["connection"]
connection.exec_driver_sql("create schema if not exists governance")
context.configure(
    connection=connection,
    version_table="ledger_version",
    version_table_schema="governance",
    transactional_ddl=True,
)
context.run_migrations()
# What later versions made gets its rights as what 0005 found did.
connection.exec_driver_sql("select governance.apply_grants()")
