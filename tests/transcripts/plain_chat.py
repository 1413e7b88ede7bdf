"""Plain text in which each turn begins with a name: made for tests."""

ROLES = """\
user: Is port 80 free?

It was yesterday.
assistant: None
tool: {"port": 80}
assistant: It is:
Note: at 12:30
Price: 10
http://x
Daiki: said so
User: thanks
"""


PERSONS = """\
DATE: 1:56 pm on 8 May, 2023
Caroline: Hey Mel!
Melanie: Hey! I said:
Reason: none
Caroline: ok

DATE: 1:14 pm on 25 May, 2023
Melanie: Hi again
"""
