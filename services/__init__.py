"""Writethru reads newswires, knows which articles are one story, and says what changed."""

__version__ = "0.1.0"
