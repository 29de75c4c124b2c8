"""Invented newsdays of any size, with what is true of each item: for load, for properties, and as a gold of its own."""
