"""Aider's chat history: many chats in one Markdown file; made for tests."""

TWO_CHATS = """\

# aider chat started at 2026-01-02 10:00:00

> /home/me/bin/aider --model m¶
> Aider v0.80.0¶
> Main model: m with diff edit format¶
> Weak model: w¶
> Git working dir: /w¶

#### rename foo to bar¶
#### ¶
#### # and its tests¶

I renamed it.

#### `A heading`

> a quote
> of mine

```
#### not said
> not mine
```

> Tokens: 1k sent, 20 received.¶
> Applied edit to a.py¶
> Applied edit to b.py¶
> Commit 1a2b3c4 refactor: rename foo¶
> You can use /undo to revert and discard commit 1a2b3c4.¶

#### /test pytest -q¶
> ==== session starts ====
collected 2 items

a.py ..
>    assert 1
==== 2 passed ====¶
> Add the output to the chat? n¶

#### /ask why two?¶

####  why two?¶

Because.

# aider chat started at 2026-01-02 11:00:00

> Aider v0.80.0¶

#### /exit¶

""".replace("¶", "  ")
