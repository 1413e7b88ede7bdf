"""Passes: runs over the memory directory that change it (ingest, later extract, compact, clear)."""
