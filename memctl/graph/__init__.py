"""The graph: triples that were said, tasks seen as nodes among them, and walks from what a query names."""
