"""The contract of `--format json`: every document is of its schema, and every kind has one."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from outputs import documents
from running import memctl

from memctl import schemas

CLI = Path(__file__).parents[1] / "memctl" / "cli"
KIND = re.compile(r'\b(?:output\.document|output\.answer|_document)\(\s*"([a-z-]+)"')


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory, samples: Path) -> list[tuple[str, dict[str, Any]]]:
    return list(documents(tmp_path_factory.mktemp("json"), samples))


def test_every_document_is_of_its_schema(printed: list[tuple[str, dict[str, Any]]]) -> None:
    assert len(printed) > 40
    for command, document in printed:
        try:
            jsonschema.validate(document, schemas.schema(document["kind"]))
        except jsonschema.ValidationError as error:
            pytest.fail(f"{command}: {list(error.absolute_path)}: {error.message[:300]}")


def test_every_kind_has_a_schema_and_every_schema_is_one(printed: list[tuple[str, dict[str, Any]]]) -> None:
    named = {kind for path in CLI.glob("*.py") for kind in KIND.findall(path.read_text("utf-8"))}
    seen = {document["kind"] for _, document in printed}

    assert named - set(schemas.kinds()) == set()
    assert seen <= set(schemas.kinds())
    for kind in schemas.kinds():
        jsonschema.Draft202012Validator.check_schema(schemas.schema(kind))
        assert schemas.schema(kind)["properties"]["kind"] == {"const": kind}


def test_what_is_not_of_the_contract_is_seen(printed: list[tuple[str, dict[str, Any]]]) -> None:
    """Guard the guard: a schema that takes anything promises nothing."""
    for kind in ("status", "canvas", "problems", "recall", "diff"):
        document = next(one for _, one in printed if one["kind"] == kind and one["data"])
        for damage in ({**document, "data": "text"}, {**document, "schema_version": 2}, {"kind": kind}):
            with pytest.raises(jsonschema.ValidationError):
                jsonschema.validate(damage, schemas.schema(kind))


def test_no_field_is_always_null() -> None:
    """A field that the samples leave empty has a type all the same."""

    def types(value: Any) -> Iterator[Any]:
        if isinstance(value, dict):
            yield value.get("type")
        for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            yield from types(inner)

    assert all(
        kind not in ("null", ["null"]) for name in schemas.kinds() for kind in types(schemas.schema(name))
    )


def test_help_prints_a_schema() -> None:
    assert json.loads(memctl("help", "--schema", "status").out) == schemas.schema("status")
    assert "choose from" in memctl("help", "--schema", "nothing", code=1).err


def test_the_page_names_every_kind() -> None:
    page = (CLI.parents[1] / "man" / "memctl-json.5").read_text("utf-8").replace("\\-", "-")
    for kind in schemas.kinds():
        assert f".SS {kind}\n" in page
