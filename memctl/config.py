"""The settings of a memory directory, `memctl.yaml`, and whose memory it is.

A directory with an untouched settings file never loads a YAML library: start-up is a feature.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memctl import finding
from memctl.errors import DamagedError
from memctl.files import read_bytes
from memctl.model import Json

if TYPE_CHECKING:  # few directories name a model
    from memctl.model import EngineSettings

FILE_NAME = finding.SETTINGS
FORMAT = 1  # of the memory directory; a higher one was written by a newer memctl
PASSES = ("extract", "compact")  # that may follow an ingest by themselves

TEMPLATE = """\
# Settings of this memory directory (memctl-directory(5)). Your comments and order are kept.
format: 1

ingest:
  redact: on          # "off" stores secrets unredacted
  inline_bytes: 512   # shorter results stay in their entry, others become files under refs/
  then: []            # passes to run after every ingest: [extract] or [extract, compact]

canvas:
  max_chars: 4000     # older nodes are folded when a canvas would be longer

recall:
  embedder: use-v3    # offline; "none" searches by words only; http://.../v1#model is sent the texts

tokens:
  counter: estimate   # or o200k_base: exact, needs the extra "tokens"

context:              # fractions of the window
  mild: 0.5           # above this, tool results are replaced by their summaries
  aggressive: 0.85    # above this, the oldest messages leave the context; their canvases stay
  emergency: 0.95     # above this, more messages leave, down to 0.6

# engine:             # for --engine llm; nothing is sent anywhere unless this is set
#   base_url: http://127.0.0.1:8080/v1   # an OpenAI-compatible chat completions API
#   model: qwen3
#   key_env: OPENAI_API_KEY              # the environment variable that holds the key
"""

COUNTERS = ("estimate", "o200k_base")


class Scope(NamedTuple):
    """Whose memory it is; the empty scope is the default one."""

    team: str = ""
    agent: str = ""
    user: str = ""


@dataclass(frozen=True, slots=True)
class Config:
    """Checked settings; defaults are those of `TEMPLATE`."""

    redact: bool = True
    inline_bytes: int = 512
    then: tuple[str, ...] = ()
    max_chars: int = 4000
    embedder: str = "use-v3"
    vector_weight: float = 0.4
    min_cosine: float = 0.35
    idle_days: int = 14
    retention_days: int = 0
    counter: str = "estimate"
    mild: float = 0.5
    aggressive: float = 0.85
    emergency: float = 0.95
    engine: "EngineSettings | None" = None
    scope: Scope = field(default_factory=Scope)


def load(path: Path) -> Config:
    """Read and check a settings file.

    Raises DamagedError with path and line for what is not YAML, has a wrong type, or belongs to a
    newer format. Unknown keys are left alone: they may be a person's or a later version's.
    """
    if not path.exists():
        return Config()
    data = read_bytes(path)
    if data == TEMPLATE.encode():
        return Config()
    settings = _parse(path, data)
    version = settings.get("format", FORMAT)
    if not isinstance(version, int) or isinstance(version, bool):
        raise DamagedError(f"{path}: format must be a number, not {_short(version)}")
    if version > FORMAT:
        raise DamagedError(
            f"{path}: written by a newer memctl (format {version}, but this one supports {FORMAT}); update memctl"
        )
    ingest, canvas, recall, compact, tokens, context, engine, scope = (
        _section(path, settings, name)
        for name in ("ingest", "canvas", "recall", "compact", "tokens", "context", "engine", "scope")
    )
    return Config(
        redact=_switch(path, ingest, "ingest.redact", default=True),
        inline_bytes=_number(path, ingest, "ingest.inline_bytes", 512, low=0),
        then=_passes(path, ingest, "ingest.then"),
        max_chars=_number(path, canvas, "canvas.max_chars", 4000, low=1000),
        embedder=_word(path, recall, "recall.embedder") or "use-v3",
        vector_weight=_share(path, recall, "recall.vector_weight", 0.4),
        min_cosine=_share(path, recall, "recall.min_cosine", 0.35),
        idle_days=_number(path, compact, "compact.idle_days", 14, low=1),
        retention_days=_number(path, compact, "compact.retention_days", 0, low=0),
        counter=_choice(path, tokens, "tokens.counter", COUNTERS),
        mild=_share(path, context, "context.mild", 0.5),
        aggressive=_share(path, context, "context.aggressive", 0.85),
        emergency=_share(path, context, "context.emergency", 0.95),
        engine=_engine(path, engine) if engine else None,
        scope=Scope(*(_word(path, scope, f"scope.{name}") for name in ("team", "agent", "user"))),
    )


def _engine(path: Path, section: Mapping[str, Json]) -> "EngineSettings":
    from memctl.model import EngineSettings

    address = _word(path, section, "engine.base_url")
    if address and not address.startswith(("http://", "https://")):
        raise DamagedError(f"{path}: engine.base_url must be an http(s) address, not {_short(address)}")
    return EngineSettings(
        base_url=address,
        model=_word(path, section, "engine.model"),
        key_env=_word(path, section, "engine.key_env") or "OPENAI_API_KEY",
        timeout=_number(path, section, "engine.timeout", 120, low=1),
        retries=_number(path, section, "engine.retries", 2, low=0),
        per_minute=_number(path, section, "engine.per_minute", 0, low=0),
        jobs=_number(path, section, "engine.jobs", 2, low=1),
        answer_tokens=_number(path, section, "engine.answer_tokens", 4000, low=16),
        batch=_number(path, section, "engine.batch", 12, low=1),
    )


def _parse(path: Path, data: bytes) -> Mapping[str, Json]:
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    from memctl.text.plain_yaml import load as load_yaml

    try:
        value = load_yaml(data.decode("utf-8"))
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise DamagedError(f"{path}:{line}: not valid YAML: {error.problem}; correct the line") from error
    except (YAMLError, ValueError, RecursionError, LookupError, TypeError, ArithmeticError) as error:
        raise DamagedError(f"{path}: not valid YAML: {str(error)[:200]}") from error
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise DamagedError(f"{path}:1: settings must be lines of the form `name: value`")
    return value


def _short(value: Json) -> str:
    """Show a value in a message; nested anchors may stand for gigabytes."""
    return type(value).__name__ if isinstance(value, dict | list | set | tuple) else repr(value)[:80]


def _section(path: Path, settings: Mapping[str, Json], name: str) -> Mapping[str, Json]:
    value = settings.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise DamagedError(
            f"{path}: {name} must contain lines of the form `name: value`, not {_short(value)}"
        )
    return value


def _switch(path: Path, section: Mapping[str, Json], name: str, *, default: bool) -> bool:
    value = section.get(name.rpartition(".")[2], default)
    words = {"on": True, "off": False, "yes": True, "no": False}  # plain words in YAML 1.2
    if isinstance(value, str) and value.lower() in words:
        return words[value.lower()]
    if not isinstance(value, bool):
        raise DamagedError(f"{path}: {name} must be on or off, not {_short(value)}")
    return value


def _number(path: Path, section: Mapping[str, Json], name: str, default: int, *, low: int) -> int:
    value = section.get(name.rpartition(".")[2], default)
    if not isinstance(value, int) or isinstance(value, bool) or value < low:
        raise DamagedError(f"{path}: {name} must be a number of at least {low}, not {_short(value)}")
    return value


def _passes(path: Path, section: Mapping[str, Json], name: str) -> tuple[str, ...]:
    """Read a list of passes, or the name of one; they run in their own order, each once."""
    value = section.get(name.rpartition(".")[2])
    given = [] if value is None else value if isinstance(value, list) else [value]
    for one in given:
        if one not in PASSES:
            raise DamagedError(f"{path}: {name} takes a list of {' and '.join(PASSES)}, not {_short(one)}")
    return tuple(one for one in PASSES if one in given)


def _share(path: Path, section: Mapping[str, Json], name: str, default: float) -> float:
    value = section.get(name.rpartition(".")[2], default)
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
        raise DamagedError(f"{path}: {name} must be a number from 0 to 1, not {value!r}")
    return float(value)


def _choice(path: Path, section: Mapping[str, Json], name: str, known: tuple[str, ...]) -> str:
    value = _word(path, section, name) or known[0]
    if value not in known:
        raise DamagedError(f"{path}: {name} must be one of {', '.join(known)}, not {value!r}")
    return value


def _word(path: Path, section: Mapping[str, Json], name: str) -> str:
    value = section.get(name.rpartition(".")[2], "")
    if value is None:
        return ""
    if not isinstance(value, str | int):
        raise DamagedError(f"{path}: {name} must be a name, not {_short(value)}")
    return str(value)
