"""What git could not give back, kept outside the repo."""

from __future__ import annotations

import contextlib
import os

from relais.contract.codes import Code
from relais.contract.evidence import Manifest
from relais.contract.findings import halt
from relais.typed import Any, Callable, Iterable, NamedTuple, Optional
from relais.world.files import read_bytes, remove, write_atomic, write_synced
from relais.world.host import digest_of, state_home


class Kept(NamedTuple):
    """Where the vault has a file's content, and what the file looked like when it was read."""

    entry: bytes
    offset: int
    length: int
    digest: bytes


class Vault:
    """What git cannot give back, kept outside the repo: a confused `git clean -fdx` must not reach it.

    One append-only file holds the contents, one table says where. Both survive the tick, so that only what
    changed is read again; the journal of the tick beside them lets another process put everything back.
    """

    def __init__(self, root: str) -> None:
        self.folder = os.path.join(state_home(), "relais", digest_of(os.fsencode(root)).hex()[:16])
        self.table: dict[str, Kept] = {}
        self.changed = False
        self.size = 0

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def open(self) -> None:
        os.makedirs(self.folder, 0o700, exist_ok=True)
        os.chmod(self.folder, 0o700)
        if os.lstat(self.folder).st_uid != os.geteuid() or os.path.islink(self.folder):
            raise halt(
                Code.BLOCKED_MISSING_CONFIG,
                f"{self.folder} belongs to somebody else",
                remedies=("export XDG_STATE_HOME=…",),
            )
        rows = load_marshal(self.path("kept"))
        self.size = os.path.getsize(self.path("data")) if os.path.exists(self.path("data")) else 0
        if isinstance(rows, dict):
            self.table = {key: Kept(*row) for key, row in rows.items() if row[1] + row[2] <= self.size}

    def compact(self) -> None:
        """Begin anew where most of what is held is out of date. Never while a journal may still need it."""
        live = sum(kept.length for kept in self.table.values())
        if self.size > 2 * live + (64 << 20):
            remove(self.path("data"))
            self.table, self.size = {}, 0

    def keep(self, files: Iterable[tuple[str, str, bytes]]) -> None:
        """Take the content of each (key, path, entry) that is not yet held in just this form."""
        wanted = [
            (key, path, entry) for key, path, entry in files if key not in self.table or self.table[key].entry != entry
        ]
        if not wanted:
            return
        with open(self.path("data"), "ab") as data:
            for key, path, entry in wanted:
                with contextlib.suppress(OSError):
                    content = read_bytes(path)
                    data.write(content)
                    self.table[key] = Kept(entry, self.size, len(content), digest_of(content))
                    self.size += len(content)
        self.changed = True

    def forget_others(self, keys: set[str]) -> None:
        gone = self.table.keys() - keys
        for key in gone:
            del self.table[key]
        self.changed = self.changed or bool(gone)

    def save(self) -> None:
        """Make sure of everything kept so far; the journal, written next in the same folder, makes sure of the names."""
        if self.changed:
            with open(self.path("data"), "ab") as data:
                os.fsync(data.fileno())
            dump_marshal(self.path("kept"), {key: tuple(kept) for key, kept in self.table.items()}, write=write_synced)
            self.changed = False

    def content(self, key: str, entry: Optional[bytes] = None) -> Optional[bytes]:
        """The content kept under `key`, if it is unharmed (and, with `entry`, still the one of that look)."""
        kept = self.table.get(key)
        if kept is None or (entry is not None and kept.entry != entry):
            return None
        with contextlib.suppress(OSError), open(self.path("data"), "rb") as data:
            data.seek(kept.offset)
            content = data.read(kept.length)
            if digest_of(content) == kept.digest:
                return content
        return None


def load_marshal(path: str) -> Any:
    """A document of the vault's; None where there is none or it is damaged."""
    import marshal

    try:
        content = read_bytes(path)
        return marshal.loads(content[20:]) if digest_of(content[20:]) == content[:20] else None  # noqa: S302 our own file
    except (OSError, ValueError, EOFError, TypeError):
        return None


def dump_marshal(path: str, document: Any, write: Callable[[str, bytes], None] = write_atomic) -> None:
    import marshal

    content = marshal.dumps(document)
    write(path, digest_of(content) + content)


class Journal(NamedTuple):
    """What another process needs to put everything back, and to finish the report."""

    run_id: str
    started: float
    repo: tuple[str, ...]
    config: str
    status: tuple[Any, ...]
    listing: bytes
    settings: dict[str, str]
    pinned: dict[str, str]
    tree: Manifest
    git: Manifest
    task: str
    spent: tuple[float, ...]


def load_journal(vault: Vault) -> Optional[Journal]:
    """The journal of a tick that did not end; None where there is none that can be used."""
    rows = load_marshal(vault.path("journal"))
    return Journal(**rows) if isinstance(rows, dict) and rows.keys() == set(Journal._fields) else None
