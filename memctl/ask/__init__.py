"""Questions to a memory directory: find entries (grep), follow an id (drill), show its state (status).

Nothing here writes.
"""
