"""Passes: runs over the memory directory that change it (ingest, extract, compact, clear)."""
