"""Context: the message list an agent should be given now, under the pressure of a window (DESIGN 7)."""
