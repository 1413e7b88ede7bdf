"""The working memory chain: task files, the states of a task, and how two clones' words are joined."""
