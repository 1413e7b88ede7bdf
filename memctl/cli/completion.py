"""`memctl completion`."""

from typing import Annotated

import typer

from memctl.cli import output
from memctl.cli.app import typer_app
from memctl.errors import UsageError

app = typer_app()

EXAMPLES = (
    ('eval "$(memctl completion bash)"', "In ~/.bashrc."),
    ('eval "$(memctl completion zsh)"', "In ~/.zshrc, after compinit."),
    ("memctl completion fish > ~/.config/fish/completions/memctl.fish", "Once, for fish."),
)

# The shells never evaluate an offer: what a file of the directory says is only ever a value.
_BASH = r"""
_memctl() {
    local line
    local -a found=()
    while IFS= read -r line; do found+=("$line"); done \
        < <(memctl --complete "$COMP_CWORD" "${COMP_WORDS[@]}" 2>/dev/null)
    COMPREPLY=()
    for line in "${found[@]}"; do
        if [[ $line == ":files" ]]; then
            compopt -o default 2>/dev/null
        else
            COMPREPLY+=("${line%%$'\t'*}")
        fi
    done
}
complete -F _memctl memctl
"""
_ZSH = r"""
#compdef memctl
_memctl() {
    local line value
    local -a found values
    found=("${(@f)$(memctl --complete $((CURRENT - 1)) "${words[@]}" 2>/dev/null)}")
    for line in "${found[@]}"; do
        if [[ $line == ":files" ]]; then
            _files
        elif [[ -n $line ]]; then
            value=${line%%$'\t'*}
            if [[ $line == *$'\t'* ]]; then
                values+=("${value//:/\\:}:${line#*$'\t'}")
            else
                values+=("${value//:/\\:}")
            fi
        fi
    done
    (( ${#values} )) && _describe memctl values
}
if [[ ${zsh_eval_context[-1]} == loadautofunc ]]; then _memctl "$@"; else compdef _memctl memctl; fi
"""
_FISH = r"""
function __memctl_offers
    set -l words (commandline -opc) (commandline -ct)
    memctl --complete (math (count $words) - 1) $words 2>/dev/null
end
function __memctl_files
    __memctl_offers | string match -q ':files'
end
complete -c memctl -n 'not __memctl_files' -f -a '(__memctl_offers)'
complete -c memctl -n __memctl_files -F
"""
_SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


@app.command()
def completion(
    shell: Annotated[str, typer.Argument(metavar="SHELL", help="bash, zsh or fish.")],
) -> None:
    """Print a script that lets a shell complete commands, options and ids.

    It completes canvas numbers, nodes, sessions, tasks, atoms and files of the memory directory given by -C,
    $MEMCTL_DIR or the current folder.
    """
    script = _SCRIPTS.get(shell)
    if script is None:
        raise UsageError(f"no completion for {shell!r}; choose from {', '.join(_SCRIPTS)}")
    output.write(script.strip())
