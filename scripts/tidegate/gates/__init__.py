"""Gates: which a model has (from dbt's manifest), how they are evaluated, what they answer.

`specs_of` reads dbt's manifest; `evaluate` judges one spec on a connection; `evaluate_all` judges
many on one exported snapshot, in parallel.
"""
