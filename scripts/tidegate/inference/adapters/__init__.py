"""Adapters of providers: the one place where a vendor's SDK, address and model names belong."""
