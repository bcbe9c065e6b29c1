"""One module a command; see `tidegate.cli`."""
