"""What a change means to a newsroom: what was said before, labels, push."""
