"""Questions to a memory directory: find entries (grep), follow an id (drill), see where it stands (status).

Nothing here writes.
"""
