"""A first contract from a delivered file: what it looks like, for a person to correct.

Landing guesses nothing; a draft may, because nobody has to believe it: everything that it found is
written into the contract, and what it could not tell is said.
"""
