"""What memctl knows about text itself: tokens, widths, secrets, noise and names; nothing about files.

Each is a module to import by its name (`from memctl.text.names import safe_name`), so that a command
pays only for what it uses.
"""
