"""Signals, and ending everything that was started."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import time

from relais.contract.codes import EXIT_SIGNAL, Code, ErrorKind
from relais.contract.findings import halt
from relais.typed import Any, Callable, Iterator, NamedTuple, Optional
from relais.world.host import read_text_unchecked, said

ENDING_SECONDS = 10  # for all that a command left; more than ten thousand processes take to die
# __WALL: those too that would signal their end in another way, or not at all.
WAIT_ALL = 0x40000000 if sys.platform == "linux" else 0


def parse_marked(listing: str, marker: str) -> set[int]:
    """The process numbers in what `ps -E` lists whose environment has this word in it."""
    rows = (line.split() for line in listing.splitlines())
    return {int(row[0]) for row in rows if marker in row[1:]}


class Interrupt:
    """The first signal is remembered and noticed between effects; the second one ends everything at once."""

    def __init__(self) -> None:
        self.number: Optional[int] = None
        self.child: Optional[int] = None
        self.survivors: tuple[int, ...] = ()
        self.wake, self._waker = os.pipe()
        os.set_blocking(self._waker, False)

    def install(self) -> None:
        import signal

        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            # nohup has HUP ignored: then it stays ignored.
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._on_signal)
        # Where it is ignored, the kernel forgets how a child ended, and every failed check would look like a good one.
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        stay_awake()

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
        if self.survivors:
            numbers = tuple(map(str, self.survivors))
            detail = "these processes could not be ended, and what they go on doing nobody judges"
            raise halt(Code.STOP_INTERRUPTED, detail, numbers, (f"ps -fp {','.join(numbers)}",), ErrorKind.PROCESS)

    def pause(self, until: float, on_wait: Callable[[float], None]) -> None:
        """Wait for a time of day, or as long as that is from now if the clock is set back; a signal ends it."""
        import select

        latest = time.monotonic() + until - time.time()
        while self.number is None and time.time() < until and time.monotonic() < latest:
            on_wait(latest - time.monotonic())
            select.select([self.wake], [], [], min(1.0, max(0.0, latest - time.monotonic())))


def stay_awake() -> None:
    """Have the kernel wake us every second (Linux), should anybody stop us: a tick's clocks stop for nobody.

    The signal comes from a timer of the kernel's own, so nothing that could be stopped in our stead watches over us.
    Whoever presses Ctrl-Z sends the tick to the background.
    """
    if sys.platform != "linux":
        return
    import ctypes
    import signal
    import struct

    # Somebody must take it: a timer does not go on for a signal that is ignored.
    signal.signal(signal.SIGCONT, lambda *_: None)
    libc, timer = ctypes.CDLL(None), ctypes.c_void_p()
    event = ctypes.create_string_buffer(struct.pack("@Pii", 0, signal.SIGCONT, 0), 64)
    with contextlib.suppress(AttributeError):  # an old glibc has it in another library
        if libc.timer_create(1, event, ctypes.byref(timer)) == 0:
            libc.timer_settime(timer, 0, struct.pack("@4l", 1, 0, 1, 0), None)


@contextlib.contextmanager
def never_stopped() -> Iterator[None]:
    """Let a terminal that stops background jobs for writing take our words all the same."""
    import signal

    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTOU})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def process_table() -> dict[int, tuple[int, float]]:
    """Every process: its parent, and the seconds of CPU time it has used so far."""
    table = {}
    if os.path.isdir("/proc/self"):
        for name in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError, IndexError):
                fields = read_text_unchecked(f"/proc/{name}/stat").rpartition(")")[2].split()
                used = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
                table[int(name)] = (int(fields[1]), used)
        return table
    for line in said(["ps", "-axo", "pid=,ppid=,time="]).splitlines():
        pid, parent, cpu = line.split()[:3]
        *larger, seconds = re.split("[-:]", cpu)
        table[int(pid)] = (int(parent), float(seconds) + 60 * float(larger[-1] if larger else 0))
    return table


def descendants(of: int) -> dict[int, float]:
    """The processes below `of`, dead ones that nobody took off included, with their CPU times."""
    with contextlib.suppress(OSError):
        if not read_text_unchecked(f"/proc/{of}/task/{of}/children"):
            return {}  # the usual case, without reading about every process of the machine
    table = process_table()
    children: dict[int, list[int]] = {}
    for pid, (parent, _) in table.items():
        children.setdefault(parent, []).append(pid)
    found: dict[int, float] = {}
    frontier = [of]
    while frontier:
        for pid in children.get(frontier.pop(), ()):
            frontier.append(pid)
            found[pid] = table[pid][1]
    return found


def children_of(pid: int) -> set[int]:
    """Whatever any thread of this process is the parent of; nothing where there is no such process any more."""
    if not os.path.exists("/proc/thread-self/children"):  # a kernel without those lists
        return {child for child, (parent, _) in process_table().items() if parent == pid}
    found: set[int] = set()
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError):
                found.update(map(int, read_text_unchecked(f"/proc/{pid}/task/{thread}/children").split()))
    return found


def family(pids: set[int]) -> set[int]:
    """These and everything below them."""
    found: set[int] = set()
    frontier = set(pids)
    while frontier:
        found |= frontier
        frontier = {child for pid in frontier for child in children_of(pid)} - found
    return found


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


class Swept(NamedTuple):
    """What came of ending everything: who was still there, who nobody can end, how each child of ours ended."""

    ended: frozenset[int]
    survivors: tuple[int, ...]
    statuses: dict[int, int]


def sweep(*, spare: frozenset[int], marker: str = "") -> Swept:
    """End everything that descends from this process but was not there before.

    Agents start their tools in sessions of their own, so killing a group is not enough (measured for four CLIs).
    """
    if sys.platform == "linux":
        return end_children(set(spare))

    def found() -> set[int]:  # nobody adopts orphans here, so they are known by what they carry
        marked = marked_processes(marker) if marker else set()
        return (descendants(os.getpid()).keys() | marked) - spare - {os.getpid()}

    return Swept(frozenset(end_all(found)), (), {})


def end_children(spare: set[int]) -> Swept:
    """Kill until the kernel says that no child is left: an orphan becomes ours the moment its parent dies, so none is elsewhere."""
    struck: set[int] = set()
    statuses: dict[int, int] = {}
    deadline = time.monotonic() + ENDING_SECONDS
    while True:
        left = children_left(spare, statuses)
        if not left or time.monotonic() > deadline:
            return Swept(frozenset(struck), tuple(sorted(family(left))), statuses)
        is_known = left <= struck
        struck |= strike(left)
        if is_known:  # else a chain of forks is under way, and every pause is a link more
            time.sleep(0.001)


def children_left(spare: set[int], statuses: dict[int, int]) -> set[int]:
    """Our children but for the spared and the person's, after the dead are taken off.

    Threads may outlive the one that a process began with, and a tracer may hold on to a dead one: neither can be taken off
    yet, so both are still in the list. Nobody but us takes anyone off it, so it misses none, as a look at /proc may.
    """
    try:
        for _ in range(1000):  # who dies faster than we count is counted in the next round
            pid, status = os.waitpid(-1, os.WNOHANG | WAIT_ALL)
            if pid == 0:
                break
            statuses[pid] = status
            spare.discard(pid)  # its number may be given to another now
    except ChildProcessError:
        return set()
    return {pid for pid in children_of(os.getpid()) - spare if not is_of_our_session(pid)}


def is_of_our_session(pid: int) -> bool:
    """Whether it is the person's: what we start begins in a session of its own, and no process can enter another's."""
    try:
        return os.getsid(pid) == os.getsid(0)
    except OSError:
        return False


def strike(pids: set[int]) -> set[int]:
    """Kill these and all below them; all are stopped before any is killed, or a respawner would outrun us."""
    import signal

    send(pids, signal.SIGSTOP)  # before anybody below is looked for: a chain of forks has gone on by then
    found = family(pids)
    send(found, signal.SIGSTOP)
    send(found, signal.SIGKILL)
    return found


def send(pids: set[int], number: int) -> None:
    """Signal each of them, and its group at one blow, from which no fork escapes. They are none of our session, so the group is theirs."""
    for pid in pids:
        with contextlib.suppress(OSError):
            os.killpg(os.getpgid(pid), number)
        kill(pid, number)


def end_all(find: Callable[[], set[int]]) -> set[int]:
    """End what `find` finds until many looks find nothing: the best there is where those to be ended are no children of ours.

    A look at all processes takes as long as some chains of forks take for a link, and may miss both ends of it.
    """
    ended: set[int] = set()
    empty, deadline = 0, time.monotonic() + ENDING_SECONDS
    while empty < EMPTY_LOOKS and time.monotonic() < deadline:
        found = {pid for pid in find() if not is_of_our_session(pid)}
        ended |= strike(found)
        empty = 0 if found else empty + 1
        time.sleep(0.002)
    return ended


EMPTY_LOOKS = 8
