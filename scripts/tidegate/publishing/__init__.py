"""Publishing: a family built aside, judged frozen, and made visible in one step."""
