"""The layers above the conversation: atoms (L1), scenes (L2) and the persona (L3), by rules (DESIGN 5).

Pure functions of messages and atoms: nothing here reads the clock or writes a file.
"""

RULES = 7  # version of the rules of extraction: a change makes every session be read again
