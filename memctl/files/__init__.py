"""The only room that writes: atomic files, the lock, safe paths, JSON lines.

Names are loaded when they are first asked for, as those of `memctl.model`: a command that only reads loads
nothing that writes.
"""

from typing import TYPE_CHECKING

from memctl.loading import loads_from

if TYPE_CHECKING:
    from memctl.files.batches import Batch as Batch
    from memctl.files.fences import fence as fence, is_link as is_link, refuse_link as refuse_link
    from memctl.files.lines import (
        decode as decode,
        encode as encode,
        first_line as first_line,
        lines_of as lines_of,
        piece_of as piece_of,
    )
    from memctl.files.locks import (
        OF_THE_LOCK as OF_THE_LOCK,
        at_rest as at_rest,
        forsake as forsake,
        locked as locked,
    )
    from memctl.files.paths import (
        FILE_MODE as FILE_MODE,
        FOLDER_MODE as FOLDER_MODE,
        FOREIGN as FOREIGN,
        PRIVATE as PRIVATE,
        drop_empty as drop_empty,
        inside as inside,
        make_folder as make_folder,
        make_private as make_private,
        open_file as open_file,
        read_bytes as read_bytes,
        read_standard_input as read_standard_input,
        remove as remove,
        remove_folder as remove_folder,
        standard_input as standard_input,
        store_error as store_error,
    )
    from memctl.files.writing import (
        append as append,
        clear_temporary as clear_temporary,
        create as create,
        install as install,
        last_line as last_line,
        make_durable as make_durable,
        move as move,
        reopen as reopen,
        share as share,
        sync_folder as sync_folder,
        temporary as temporary,
        write_atomic as write_atomic,
        write_beside as write_beside,
    )

_HOMES = {
    "PRIVATE": "paths",
    "FILE_MODE": "paths",
    "FOLDER_MODE": "paths",
    "FOREIGN": "paths",
    "inside": "paths",
    "fence": "fences",
    "is_link": "fences",
    "refuse_link": "fences",
    "read_bytes": "paths",
    "open_file": "paths",
    "standard_input": "paths",
    "read_standard_input": "paths",
    "make_folder": "paths",
    "make_private": "paths",
    "remove": "paths",
    "remove_folder": "paths",
    "drop_empty": "paths",
    "store_error": "paths",
    "temporary": "writing",
    "create": "writing",
    "reopen": "writing",
    "move": "writing",
    "share": "writing",
    "write_atomic": "writing",
    "append": "writing",
    "last_line": "writing",
    "write_beside": "writing",
    "install": "writing",
    "make_durable": "writing",
    "sync_folder": "writing",
    "clear_temporary": "writing",
    "Batch": "batches",
    "OF_THE_LOCK": "locks",
    "at_rest": "locks",
    "forsake": "locks",
    "locked": "locks",
    "encode": "lines",
    "decode": "lines",
    "lines_of": "lines",
    "first_line": "lines",
    "piece_of": "lines",
}

__getattr__ = loads_from(__name__, _HOMES)
