"""Signals, and ending everything that was started."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import time

from relais.contract.codes import EXIT_SIGNAL, Code, ErrorKind
from relais.contract.findings import halt
from relais.typed import Any, Callable, Optional
from relais.world.host import read_text_unchecked, said


def parse_marked(listing: str, marker: str) -> set[int]:
    """The process numbers in what `ps -E` lists whose environment has this word in it."""
    rows = (line.split() for line in listing.splitlines())
    return {int(row[0]) for row in rows if marker in row[1:]}


class Interrupt:
    """The first signal is remembered and noticed between effects; the second one ends everything at once."""

    def __init__(self) -> None:
        self.number: Optional[int] = None
        self.child: Optional[int] = None
        self.wake, self._waker = os.pipe()
        os.set_blocking(self._waker, False)

    def install(self) -> None:
        import signal

        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            # nohup has HUP ignored: then it stays ignored.
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._on_signal)

    def _on_signal(self, number: int, _frame: Any) -> None:
        if self.number is not None:
            if self.child is not None:
                kill_group(self.child, 9)
            os._exit(EXIT_SIGNAL + number)
        # Raise nothing here: it would surface anywhere, even between an fsync and its rename.
        self.number = number
        with contextlib.suppress(OSError):
            os.write(self._waker, b"!")

    def check(self) -> None:
        """Leave the tick here, where nothing is half done, if a signal came."""
        if self.number is not None:
            raise halt(Code.STOP_INTERRUPTED, f"interrupted by signal {self.number}", error=ErrorKind.SIGNAL)

    def pause(self, until: float, on_wait: Callable[[float], None]) -> None:
        """Wait for a time of day, or as long as that is from now if the clock is set back; a signal ends it."""
        import select

        latest = time.monotonic() + until - time.time()
        while self.number is None and time.time() < until and time.monotonic() < latest:
            on_wait(latest - time.monotonic())
            select.select([self.wake], [], [], min(1.0, max(0.0, latest - time.monotonic())))


def process_table() -> dict[int, tuple[int, str, float]]:
    """Every process: its parent, its state, the seconds of CPU time it has used so far."""
    table = {}
    if os.path.isdir("/proc/self"):
        for name in os.listdir("/proc"):
            if name.isdigit():
                with contextlib.suppress(OSError, IndexError):
                    fields = read_text_unchecked(f"/proc/{name}/stat").rpartition(")")[2].split()
                    used = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
                    table[int(name)] = (int(fields[1]), fields[0], used)
        return table
    for line in said(["ps", "-axo", "pid=,ppid=,state=,time="]).splitlines():
        pid, parent, state, cpu = line.split()[:4]
        *larger, seconds = re.split("[-:]", cpu)
        table[int(pid)] = (int(parent), state, float(seconds) + 60 * float(larger[-1] if larger else 0))
    return table


def descendants(of: int) -> dict[int, float]:
    """The living processes below `of`, with their CPU times."""
    with contextlib.suppress(OSError):
        if not read_text_unchecked(f"/proc/{of}/task/{of}/children"):
            return {}  # the usual case, without reading about every process of the machine
    table = process_table()
    children: dict[int, list[int]] = {}
    for pid, (parent, _, _) in table.items():
        children.setdefault(parent, []).append(pid)
    found: dict[int, float] = {}
    frontier = [of]
    while frontier:
        for pid in children.get(frontier.pop(), ()):
            frontier.append(pid)
            if not table[pid][1].startswith("Z"):
                found[pid] = table[pid][2]
    return found


def reap_orphans(spare: frozenset[int]) -> None:
    """Take the exit statuses of adopted processes; only once nobody waits for a child of our own."""
    for pid, (parent, state, _) in process_table().items():
        if parent == os.getpid() and state.startswith("Z") and pid not in spare:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)


def adopt_orphans() -> None:
    """Become the parent of every orphaned descendant (Linux), so that none can hide by forking twice."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def kill(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def kill_group(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, number)


def marked_processes(marker: str) -> set[int]:
    """The processes with this in their environment: what a runner started, wherever it went."""
    if not os.path.isdir("/proc/self"):
        return parse_marked(said(["ps", "-axEww", "-o", "pid=,command="]), marker)
    found = set()
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            if marker in read_text_unchecked(f"/proc/{name}/environ").split("\0"):
                found.add(int(name))
    return found


def sweep(*, spare: frozenset[int], marker: str = "") -> int:
    """End everything that descends from this process but was not there before; how many there were.

    Agents start their tools in sessions of their own, so killing a group is not enough (measured for four CLIs).
    """

    def found() -> set[int]:
        here = descendants(os.getpid()).keys() - spare
        if marker and sys.platform != "linux":  # nobody adopts orphans there, so they are known by what they carry
            here |= marked_processes(marker) - spare - {os.getpid()}
        return set(here)

    ended = end_all(found)
    if ended:
        reap_orphans(spare)
    return len(ended)


def end_all(find: Callable[[], set[int]]) -> set[int]:
    """End what `find` finds until two looks find nothing; all are stopped before any is killed, or a respawner would outrun us."""
    import signal

    ended: set[int] = set()
    empty, deadline = 0, time.monotonic() + 5
    while empty < 2 and time.monotonic() < deadline:
        found = find()
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in found:
                kill(pid, number)
        ended |= found
        empty = 0 if found else empty + 1
        if found:
            time.sleep(0.002)
    return ended
