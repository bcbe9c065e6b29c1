"""Gates: named checks of a model or layer, rendered from the macros that dbt runs."""
