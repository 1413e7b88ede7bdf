"""Directories of TencentDB Agent Memory: importing and writing them (DESIGN 2)."""
