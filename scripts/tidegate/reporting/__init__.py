"""Reporting: one result object, rendered as text, JSON, Markdown or JUnit."""
