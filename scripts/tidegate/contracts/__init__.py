"""Contracts: what datasets and models promise, read from dbt property files."""
