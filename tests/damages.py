"""Damages: each does one kind of harm to a memory directory and says which finding `check` must give, and where."""

import json
import re
import shutil
from pathlib import Path


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().split(b"\n")[:-1]


def write(path: Path, rows: list[bytes]) -> None:
    path.write_bytes(b"".join(row + b"\n" for row in rows))


def first(home: Path, pattern: str) -> Path:
    return min(home.glob(pattern))


def row_of_ref(home: Path) -> tuple[Path, int, str]:
    """Give the file, line and ref of the first entry that has a ref."""
    for path in sorted(home.glob("offload-*.jsonl")):
        for number, line in enumerate(lines(path), 1):
            if ref := json.loads(line)["result_ref"]:
                return path, number, ref
    raise AssertionError("no entry has a ref")


Planted = tuple[str, Path, int]  # code, file, line


def flipped_byte_in_a_ref(home: Path) -> Planted:
    path = home / row_of_ref(home)[2]
    data = bytearray(path.read_bytes())
    data[-3] ^= 1
    path.write_bytes(data)
    return "CHK302", path, bytes(data).partition(b"\n---\n\n")[0].count(b"\n") + 4


def cut_ref(home: Path) -> Planted:
    path = home / row_of_ref(home)[2]
    data = path.read_bytes()
    path.write_bytes(data[:-3])
    return "CHK303", path, data.partition(b"\n---\n\n")[0].count(b"\n") + 4


def dropped_ref(home: Path) -> Planted:
    path, number, ref = row_of_ref(home)
    (home / ref).unlink()
    return "CHK301", path, number


def changed_result_in_an_entry(home: Path) -> Planted:
    for path in sorted(home.glob("offload-*.jsonl")):
        rows = lines(path)
        for at, line in enumerate(rows):
            fields = json.loads(line)
            if fields.get("result"):
                rows[at] = json.dumps({**fields, "result": fields["result"] + "!"}).encode()
                write(path, rows)
                return "CHK307", path, at + 1
    raise AssertionError("no entry keeps its result")


def cut_line_of_an_entry(home: Path) -> Planted:
    path = first(home, "offload-*.jsonl")
    rows = lines(path)
    rows[1] = rows[1][:-20]
    write(path, rows)
    return "CHK201", path, 2


def cut_line_of_a_message(home: Path) -> Planted:
    path = first(home, "conversations/*.jsonl")
    rows = lines(path)
    rows[-1] = rows[-1][: len(rows[-1]) // 2]
    path.write_bytes(b"\n".join(rows))
    return "CHK201", path, len(rows)


def cut_line_of_an_atom(home: Path) -> Planted:
    path = first(home, "records/*.jsonl")
    rows = lines(path)
    write(path, [*rows, b"no JSON"])
    return "CHK201", path, len(rows) + 1


def duplicate_call(home: Path) -> Planted:
    path = first(home, "offload-*.jsonl")
    rows = lines(path)
    write(path, [*rows, rows[0]])
    return "CHK202", path, len(rows) + 1


def duplicate_message(home: Path) -> Planted:
    path = first(home, "conversations/*.jsonl")
    rows = lines(path)
    write(path, [*rows, rows[2]])
    return "CHK202", path, len(rows) + 1


def duplicate_atom(home: Path) -> Planted:
    path = first(home, "records/*.jsonl")
    rows = lines(path)
    write(path, [*rows, rows[0]])
    return "CHK202", path, len(rows) + 1


def duplicate_node(home: Path) -> Planted:
    path = first(home, "mmds/*.mmd")
    rows = lines(path)
    write(path, [*rows[:4], rows[2], *rows[4:]])
    return "CHK404", path, 5


def duplicate_task(home: Path) -> Planted:
    path = first(home, "tasks/*.yaml")
    copy = path.with_name("zz-copy.yaml")
    shutil.copy(path, copy)
    return "CHK202", copy, next(at for at, line in enumerate(lines(copy), 1) if line.startswith(b"task_id"))


def node_without_entry(home: Path) -> Planted:
    path = first(home, "mmds/*.mmd")
    rows = lines(path)
    extra = b'001-N99["guess<br/>status: done<br/>summary: nobody did this"]'
    write(path, [*rows[:3], extra, *rows[3:]])
    return "CHK403", path, 4


def entry_to_a_missing_node(home: Path) -> Planted:
    path = first(home, "offload-*.jsonl")
    rows = lines(path)
    fields = json.loads(rows[1])
    fields["node_id"] = fields["node_id"].partition("-")[0] + "-N77"
    rows[1] = json.dumps(fields).encode()
    write(path, rows)
    return "CHK501", path, 2


def dropped_canvas(home: Path) -> Planted:
    path, number, _ = row_of_ref(home)
    (home / "mmds" / json.loads(lines(path)[number - 1])["mmd"]).unlink()
    return "CHK502", path, number


def dropped_entry(home: Path) -> Planted:
    path = first(home, "offload-*.jsonl")
    rows = lines(path)
    call = json.loads(rows.pop(0))["tool_call_id"]
    write(path, rows)
    talk = home / "conversations" / path.name.removeprefix("offload-")
    return "CHK504", talk, next(at for at, line in enumerate(lines(talk), 1) if call.encode() in line)


def dropped_conversation(home: Path) -> Planted:
    path = first(home, "offload-*.jsonl")
    (home / "conversations" / path.name.removeprefix("offload-")).unlink()
    return "CHK505", path, 1


def edge_to_nowhere(home: Path) -> Planted:
    path = first(home, "mmds/*.mmd")
    rows = lines(path)
    write(path, [*rows, b"001-N1 --> 001-N88"])
    return "CHK405", path, len(rows) + 1


def orphan_evidence_of_an_atom(home: Path) -> Planted:
    path = first(home, "records/*.jsonl")
    rows = lines(path)
    fields = json.loads(rows[0])
    fields["source_message_ids"] = ["nobody-said-this"]
    rows[0] = json.dumps(fields).encode()
    write(path, rows)
    return "CHK601", path, 1


def orphan_evidence_of_a_statement(home: Path) -> Planted:
    path = home / "persona.md"
    rows = lines(path)
    at = next(number for number, row in enumerate(rows) if b"<!-- m_" in row)
    rows[at] = re.sub(rb"m_[0-9a-f]{12}", b"m_000000000000", rows[at])
    write(path, rows)
    return "CHK602", path, at + 1


def orphan_evidence_of_a_scene(home: Path) -> Planted:
    path = first(home, "scene_blocks/*.md")
    rows = lines(path)
    at = next(number for number, row in enumerate(rows) if b"<!-- canvas:" in row or b"<!-- m_" in row)
    rows[at] = re.sub(rb"canvas:[^ ]+|m_[0-9a-f]{12}", b"canvas:099-nowhere", rows[at])
    write(path, rows)
    return "CHK602", path, at + 1


def canvas_that_mermaid_rejects(home: Path) -> Planted:
    path = first(home, "mmds/*.mmd")
    rows = lines(path)
    rows[2] = b"001-N1[read (this] or that]"
    write(path, rows)
    return "CHK401", path, 3


def clashing_numbers(home: Path) -> Planted:
    path = sorted((home / "mmds").iterdir())[1]
    clash = path.with_name("001-" + path.name.partition("-")[2])
    path.rename(clash)
    return "CHK407", max(home.glob("mmds/001-*"), key=lambda one: one.name), 1


def future_format(home: Path) -> Planted:
    path = home / "memctl.yaml"
    rows = lines(path)
    at = next(number for number, row in enumerate(rows) if row.startswith(b"format:"))
    rows[at] = b"format: 99"
    write(path, rows)
    return "CHK101", path, at + 1


def settings_that_are_no_yaml(home: Path) -> Planted:
    path = home / "memctl.yaml"
    rows = lines(path)
    write(path, [*rows, b"more: less: no"])
    return "CHK101", path, len(rows) + 1


def unsafe_ref(home: Path) -> Planted:
    path, number, ref = row_of_ref(home)
    rows = lines(path)
    rows[number - 1] = rows[number - 1].replace(ref.encode(), b"../../etc/passwd")
    write(path, rows)
    return "CHK103", path, number


def unsafe_canvas(home: Path) -> Planted:
    path = first(home, "offload-*.jsonl")
    rows = lines(path)
    fields = json.loads(rows[0])
    rows[0] = json.dumps({**fields, "mmd": "../" + fields["mmd"]}).encode()
    write(path, rows)
    return "CHK103", path, 1


def unsafe_canvas_of_a_task(home: Path) -> Planted:
    path = first(home, "tasks/*.yaml")
    rows = lines(path)
    at = next(number for number, row in enumerate(rows) if row.startswith(b"canvases"))
    rows[at] = b'canvases: ["/etc/passwd"]'
    write(path, rows)
    return "CHK103", path, at + 1


def task_of_a_missing_canvas(home: Path) -> Planted:
    path = first(home, "tasks/*.yaml")
    rows = lines(path)
    at = next(number for number, row in enumerate(rows) if row.startswith(b"canvases"))
    rows[at] = b'canvases: ["099-nowhere.mmd"]'
    write(path, rows)
    return "CHK702", path, at + 1


def link(home: Path) -> Planted:
    path = home / "scene_blocks" / "linked.md"
    path.symlink_to("/etc/passwd")
    return "CHK102", path, 1


def linked_ref(home: Path) -> Planted:
    path = home / row_of_ref(home)[2]
    path.unlink()
    path.symlink_to("/etc/passwd")
    return "CHK102", path, 1


def linked_folder(home: Path) -> Planted:
    (home / "mmds").rename(home.parent / "elsewhere")
    (home / "mmds").symlink_to(home.parent / "elsewhere")
    return "CHK102", home / "mmds", 1


DAMAGES = [
    *(flipped_byte_in_a_ref, cut_ref, dropped_ref, changed_result_in_an_entry),
    *(cut_line_of_an_entry, cut_line_of_a_message, cut_line_of_an_atom),
    *(duplicate_call, duplicate_message, duplicate_atom, duplicate_node, duplicate_task),
    *(node_without_entry, entry_to_a_missing_node, dropped_canvas, dropped_entry, dropped_conversation),
    *(edge_to_nowhere, canvas_that_mermaid_rejects, clashing_numbers),
    *(orphan_evidence_of_an_atom, orphan_evidence_of_a_statement, orphan_evidence_of_a_scene),
    *(unsafe_ref, unsafe_canvas, unsafe_canvas_of_a_task, task_of_a_missing_canvas),
    *(link, linked_ref, linked_folder, future_format, settings_that_are_no_yaml),
]
