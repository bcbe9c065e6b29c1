"""Contracts: what datasets and models promise, read from dbt property files.

`load.load_project` reads a project, `load.examine_project` with all its problems; `model` says what
they hold. Nothing is imported here: most commands need a word of `model` and not the parser.
"""
