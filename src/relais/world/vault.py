"""What git could not give back, kept outside the repo."""

from __future__ import annotations

import contextlib
import os

from relais.contract.evidence import Manifest
from relais.typed import Any, Callable, Iterable, Iterator, NamedTuple, Optional
from relais.world.files import read_bytes, remove, write_atomic, write_derived, write_synced
from relais.world.host import digest_of
from relais.world.looks import look_at

SEAL_BYTES = 32
NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


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
    During a tick the table in memory decides, never the one on disk; what a later process reads is sealed with
    a key that a jail does not show.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.key = b""
        self.table: dict[str, Kept] = {}
        self.changed = False
        self.size = 0
        self.data_look: Optional[bytes] = None
        self.signs: Optional[int] = None
        self.activity, self.reach = b"quiet", b"jailed"

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    @property
    def has_journal(self) -> bool:
        return os.path.lexists(self.path("journal"))

    def open(self) -> None:
        """Take up what an earlier tick left; the contents only if they are just as that tick left them."""
        self.key = self.key_on_disk() or self.new_key()
        self.size = os.path.getsize(self.path("data")) if os.path.exists(self.path("data")) else 0
        found = self.read("kept")
        rows, look = found if isinstance(found, tuple) and len(found) == 2 else ({}, None)
        if self.has_journal or look == look_at(self.path("data")):
            self.data_look = look
            self.table = {key: Kept(*row) for key, row in rows.items() if row[1] + row[2] <= self.size}

    def key_on_disk(self) -> bytes:
        with contextlib.suppress(OSError):
            return read_bytes(self.path("key"), 2 * SEAL_BYTES)
        return b""

    def new_key(self) -> bytes:
        key = os.urandom(SEAL_BYTES)
        remove(self.path("key"))
        with open(os.open(self.path("key"), NEW_FILE, 0o600), "wb") as file:
            file.write(key)
            file.flush()
            os.fsync(file.fileno())
        return key

    def read(self, name: str) -> Any:
        """A document of ours; None where there is none, or it is not as we sealed it."""
        with contextlib.suppress(OSError):
            return unsealed(read_bytes(self.path(name)), self.key or self.key_on_disk())
        return None

    def write(self, name: str, document: Any, write: Callable[[str, bytes], None] = write_atomic) -> None:
        write(self.path(name), sealed(document, self.key))

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
        self.data_look = look_at(self.path("data"))
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
            self.data_look = look_at(self.path("data"))
            self.save_table(write_synced)

    def save_table(self, write: Callable[[str, bytes], None]) -> None:
        rows = {key: tuple(kept) for key, kept in self.table.items()}
        self.write("kept", (rows, self.data_look), write)
        self.changed = False

    def leave(self) -> None:
        """At the end of a tick: what its builder may have written over our table is gone, or all that was kept is.

        The kernel's own time of a change cannot be forged: where nobody but us has written, what we hold is sound.
        """
        if self.data_look is None:
            return
        if look_at(self.path("data")) == self.data_look:
            self.save_table(write_derived)
        else:
            remove(self.path("kept"))

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

    def begin_signs(self) -> None:
        """Before a builder begins: from here on the time of this file is our last sign of life."""
        self.end_signs()
        remove(self.path("alive"))
        self.signs = os.open(self.path("alive"), NEW_FILE, 0o600)
        self.activity, self.reach = b"quiet", b"jailed"
        self.show_life()

    def show_life(self) -> None:
        """While a builder is watched, and around whatever we do to the person's files ourselves.

        Whoever finds the last of these signs after a crash knows that what is older is not the person's. Written in place,
        through one handle: nothing is waited for, no name changes.
        """
        if self.signs is not None:
            with contextlib.suppress(OSError):
                os.pwrite(self.signs, b"%-5s %-6s\n" % (self.activity, self.reach), 0)

    @contextlib.contextmanager
    def watching(self, *, is_jailed: bool) -> Iterator[None]:
        """While a command is at work that is not ours; a free one could have reached for git's folder, and for this one."""
        self.activity, self.reach = b"busy", b"jailed" if is_jailed else b"free"
        self.show_life()
        try:
            yield
        finally:
            self.activity = b"quiet"
            self.show_life()

    def end_signs(self) -> None:
        if self.signs is not None:
            os.close(self.signs)
            self.signs = None


def sealed(document: Any, key: bytes) -> bytes:
    import marshal

    content = marshal.dumps(document)
    return seal(content, key) + content


def unsealed(content: bytes, key: bytes) -> Any:
    """What was sealed with this key; None where it was not, or is damaged."""
    import marshal

    body = content[SEAL_BYTES:]
    if not key or seal(body, key) != content[:SEAL_BYTES]:
        return None
    try:
        return marshal.loads(body)  # noqa: S302 our own words, as the seal says
    except (ValueError, EOFError, TypeError):
        return None


def unsealed_before(path: str) -> Any:
    """A document from before vaults had a key: only damage would show."""
    import marshal

    try:
        content = read_bytes(path)
        return marshal.loads(content[20:]) if digest_of(content[20:]) == content[:20] else None  # noqa: S302 asked for
    except (OSError, ValueError, EOFError, TypeError):
        return None


def seal(content: bytes, key: bytes) -> bytes:
    import hashlib

    return hashlib.blake2b(content, key=key[: hashlib.blake2b.MAX_KEY_SIZE], digest_size=SEAL_BYTES).digest()


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
    boot: str = ""
    mounts: Optional[tuple[str, ...]] = None


def load_journal(vault: Vault) -> Optional[Journal]:
    """The journal of a tick that did not end; None where there is none that can be used."""
    return journal_of(vault.read("journal"))


def journal_of(rows: Any) -> Optional[Journal]:
    needed = set(Journal._fields) - {"boot", "mounts"}
    is_whole = isinstance(rows, dict) and needed <= rows.keys() <= set(Journal._fields)
    return Journal(**rows) if is_whole else None
