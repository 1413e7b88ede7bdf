"""`python -m memctl` is `memctl`."""

from memctl.cli import main

main()
