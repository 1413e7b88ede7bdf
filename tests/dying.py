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

# Between two renames a kill can come as well: this one dies before it touches a file of the directory for the n-th
# time, to read, write, move or remove it. Without a kill it says at its end how many touches were left over.
# The first two arguments are the directory and the number.
_DIE_AT_TOUCH = """
import atexit, os, sys
home, left = os.path.join(sys.argv.pop(1), ""), int(sys.argv.pop(1))
def touched(event, arguments):
    global left
    if event in ("open", "os.mkdir", "os.remove", "os.rename") and str(arguments[0]).startswith(home):
        left -= 1
        if left < 0:
            os.kill(os.getpid(), 9)
sys.addaudithook(touched)
atexit.register(lambda: print("left", left, file=sys.stderr))
"""
DIE_AT_TOUCH = f"{_DIE_AT_TOUCH}from memctl.cli import main\nmain()\n"
WORK_TILL_TOUCH = f"{_DIE_AT_TOUCH}from memctl.engine.hooks import work\nwork(home)\n"
