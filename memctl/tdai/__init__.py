"""At home with TencentDB Agent Memory's own directories: taking one in, and writing one (DESIGN 2)."""
