"""The grouper: `wire.articles` in, rows and `story.revisions` out. Which story each article belongs to, decided in order."""
