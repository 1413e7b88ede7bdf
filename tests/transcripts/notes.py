"""A file of notes for agents; made for tests."""

NOTES = """---
title: house rules
---
# Project

Robin keeps the shelf of the town library.

## Rules

- Run `pytest -q` before every commit.
* Never touch the generated files
  under build/.
1. 提交信息用中文写。
- [ ] Ask before deleting anything.

```sh
rm -rf /
```

<!-- - hidden from people -->
@docs/style.md

| a | b |
|---|---|
"""
