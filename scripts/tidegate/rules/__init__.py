"""Rules: the deterministic quality policy, judged in one scan.

`load_policy` reads and checks a policy; `evaluate` judges it on a relation (`evaluate_model`: the
policy of a model's contract) and returns a `Validation`, whose `document()` is the evidence.
"""
