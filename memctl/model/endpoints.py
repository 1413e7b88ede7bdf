"""Where a model answers that memctl may ask."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """A model's endpoint for `--engine llm`; without base_url and model there is none.

    key_env: the environment variable with the key. timeout: seconds for one answer. retries: further tries of
    a request that failed. per_minute: requests at most; 0 for any number. jobs: requests at once. answer_tokens:
    most of one answer. batch: calls asked about at once; a small model does better with few.
    """

    base_url: str = ""
    model: str = ""
    key_env: str = "OPENAI_API_KEY"
    timeout: int = 120
    retries: int = 2
    per_minute: int = 0
    jobs: int = 2
    answer_tokens: int = 4000
    batch: int = 12
