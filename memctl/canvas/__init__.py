"""The canvas of a task: a Mermaid flowchart that memctl writes, reads, checks, grows, folds and shows."""
