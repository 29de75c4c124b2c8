"""The emitter: `story.revisions` in, `story.events` out. What changed, and whether a desk would want to be interrupted."""
