"""Which story is it: fingerprint, candidates, decision, state."""
