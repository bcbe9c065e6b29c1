"""Tidegate: a PostgreSQL warehouse that serves only data that has passed its contract."""

__version__ = "0.1.0"
