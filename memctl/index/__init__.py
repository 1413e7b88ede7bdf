"""The search index: documents of all layers, found by words (Whoosh) and by meaning (faiss).

Everything here is derived from the plain files and lives in the user's cache directory, never in the
memory directory: Whoosh stores pickles, and an index that came in with a `git clone` would run code.
"""
