"""The publisher: whatever an agency sends becomes records of `wire.articles`; what cannot goes to `wire.rejected`."""
