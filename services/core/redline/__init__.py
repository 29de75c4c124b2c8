"""Which paragraph became which: noise, pairing, moves, spans."""
