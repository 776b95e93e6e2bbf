"""Only one relais at a time."""

from __future__ import annotations

import contextlib
import os

from relais.contract.codes import Code
from relais.contract.config import Config
from relais.contract.findings import halt
from relais.text.documents import encode, to_json
from relais.text.words import visible
from relais.typed import Callable, Iterator, NamedTuple, Optional
from relais.world.files import read_json, remove, write_derived
from relais.world.host import boot_id, process_started, quoted, utc_now
from relais.world.repo import Repo


class Holder(NamedTuple):
    """Who wrote lock.json."""

    pid: int
    process_started: str
    boot_id: str
    started_at: str


def is_stale(holder: Holder, boot_id: str, process_started: Callable[[int], Optional[str]]) -> bool:
    """Whether the process that wrote lock.json is gone: other boot, dead, or its number reused."""
    return holder.boot_id != boot_id or process_started(holder.pid) != holder.process_started


@contextlib.contextmanager
def exclusive(*folders: str) -> Iterator[bool]:
    """Hold the kernel's lock on these folders; False where somebody else holds one of them."""
    import fcntl

    handles: list[int] = []
    try:
        for folder in dict.fromkeys(folders):
            handles.append(os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
            try:
                fcntl.flock(handles[-1], fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
                return
        yield True
    finally:
        for handle in handles:
            os.close(handle)


@contextlib.contextmanager
def alone(repo: Repo, config: Config) -> Iterator[None]:
    """Be the only relais in this repository, or BLOCKED_LOCK_HELD with who is there; writes nothing."""
    with exclusive(repo.root, repo.common_dir) as acquired:
        holder = lock_holder(os.path.join(repo.root, config.runner.lockfile))
        if not acquired or (holder and not is_gone(holder)):
            who = f"process {holder.pid}, since {holder.started_at}" if holder else "another process"
            detail = f"another relais is at work here ({visible(who)})"
            raise halt(Code.BLOCKED_LOCK_HELD, detail, remedies=("relais status",))
        yield


def is_gone(holder: Holder) -> bool:
    return is_stale(holder, boot_id(), process_started)


@contextlib.contextmanager
def lock(repo: Repo, config: Config) -> Iterator[None]:
    """1 LOCK … 7 END. The kernel keeps other ticks out; lock.json tells people who is in."""
    path = os.path.join(repo.root, config.runner.lockfile)
    with alone(repo, config):
        mine = Holder(os.getpid(), process_started(os.getpid()) or "", boot_id(), utc_now())
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            write_derived(path, to_json(encode(mine)))
        except OSError as problem:
            detail = f"cannot write in {config.workspace_dir}/: {problem.strerror}"
            raise halt(Code.BLOCKED_MISSING_CONFIG, detail, remedies=(f"ls -ld {config.workspace_dir}",)) from None
        try:
            yield
        finally:
            remove(path)


def lock_holder(path: str) -> Optional[Holder]:
    """Who lock.json says is in. A damaged one blocks: nobody can say whether its owner lives."""
    if not os.path.lexists(path):
        return None
    try:
        document = read_json(path)
        if isinstance(document, dict) and document.get("boot_id", boot_id()) != boot_id():
            return None  # whoever wrote it ended with that boot, whatever else is missing
        words = (str(document[name]) for name in Holder._fields[1:])
        return Holder(int(document["pid"]), *words)
    except (OSError, ValueError, KeyError, TypeError):
        detail = "lock.json is damaged, so nobody can tell whether its owner is alive"
        remedies = ("ps -ef | grep relais", f"rm {quoted(path)}")
        raise halt(Code.BLOCKED_LOCK_HELD, detail, remedies=remedies) from None
