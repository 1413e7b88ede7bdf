"""A memctl that dies before a step of its own choosing, for the tests that kill it everywhere."""

# Every step that a kill can separate is a rename or, in passes that remove, an unlink: both are counted where the
# system is asked for them, so that it does not matter which module asks. The first argument is the number of steps.
DIE_AT = """
import os, pathlib, sys
left = int(sys.argv.pop(1))
def counted(real):
    def step(*arguments, **named):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), 9)
        return real(*arguments, **named)
    return step
pathlib.Path.replace = counted(pathlib.Path.replace)
pathlib.Path.unlink = counted(pathlib.Path.unlink)
from memctl.cli import main
main()
"""
