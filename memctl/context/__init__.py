"""Context: the message list to give an agent now, under the pressure of a window (DESIGN 7)."""
