"""One command: pipes drained within bounds, three clocks, no survivors."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections import deque

from relais.contract.codes import CAPTURE_BYTES, CHUNK_BYTES, EXIT_SIGNAL, HEAD_BYTES
from relais.contract.findings import Ran
from relais.typed import Any, Callable, Mapping, NamedTuple, Optional
from relais.world.files import read_text
from relais.world.processes import Interrupt, children_of, descendants, kill_group, sweep


class Call(NamedTuple):
    """One command to run, with its clocks in seconds."""

    argv: tuple[str, ...]
    cwd: str
    env: Mapping[str, str]
    wall: float
    kill_grace: float
    stdin: bytes = b""
    silence: Optional[float] = None
    result_grace: Optional[float] = None
    is_complete: Callable[[bytes], bool] = lambda _: False
    has_result: Callable[[], bool] = lambda: False
    on_output: Callable[[bytes], None] = lambda _: None
    on_wait: Callable[[float], None] = lambda _: None
    is_merged: bool = False
    jail: tuple[str, ...] = ()
    note: str = ""
    is_alone: bool = False  # in a process space of its own, whose last ones the kernel ends: only its note knows of any


class Capture:
    """The beginning and the end of what a child says, however much it says, and in however small pieces."""

    def __init__(self) -> None:
        self.head, self.tail_bytes, self.left_out, self.total = bytearray(), 0, 0, 0
        self.tail: deque[bytearray] = deque()

    def feed(self, data: bytes) -> None:
        self.total += len(data)
        room = HEAD_BYTES - len(self.head)
        if room > 0:
            self.head += data[:room]
            data = data[room:]
        if not self.tail or len(self.tail[-1]) >= CHUNK_BYTES:
            self.tail.append(bytearray())
        self.tail[-1] += data
        self.tail_bytes += len(data)
        while self.tail_bytes - len(self.tail[0]) >= CAPTURE_BYTES:
            self.tail_bytes -= len(self.tail[0])
            self.left_out += len(self.tail.popleft())

    @property
    def end(self) -> bytes:
        """The last of it, as far as one line of an agent's may go back."""
        return b"".join((self.head, *self.tail))[-CAPTURE_BYTES // 4 :]

    @property
    def content(self) -> bytes:
        gap = b"\n[... %d bytes left out ...]\n" % self.left_out if self.left_out else b""
        return b"".join((self.head, gap, *self.tail))


class Child:
    """A started command: its pipes drained as they fill, its clocks watched."""

    def __init__(self, call: Call, process: Any, interrupt: Interrupt) -> None:
        import selectors

        self.call, self.process, self.interrupt = call, process, interrupt
        self.stdout, self.stderr = Capture(), Capture()
        self.selector = selectors.DefaultSelector()
        self.pending = memoryview(call.stdin)
        self.began = self.active = self.sampled = time.monotonic()
        self.completed: Optional[float] = None
        self.cpu: dict[int, float] = {}
        self.has_exited = False  # which poll() would not say of one that a tracer holds on to
        for pipe, target in ((process.stdout, self.stdout), (process.stderr, self.stderr)):
            if pipe is None:
                continue
            os.set_blocking(pipe.fileno(), False)
            self.selector.register(pipe, selectors.EVENT_READ, target)
        if call.stdin:
            os.set_blocking(process.stdin.fileno(), False)
            self.selector.register(process.stdin, selectors.EVENT_WRITE, None)
        else:
            process.stdin.close()
        self.selector.register(interrupt.wake, selectors.EVENT_READ, "wake")
        self.pidfd: Optional[int] = None
        with contextlib.suppress(AttributeError, OSError):  # not on macOS, not on kernels before 5.3
            self.pidfd = os.pidfd_open(process.pid)
            self.selector.register(self.pidfd, selectors.EVENT_READ, "exit")

    def pump(self, seconds: float) -> None:
        """Move bytes between us and the child for at most `seconds`, or until it ends."""
        if self.pidfd is None:
            seconds = min(seconds, 0.02)
        for key, _ in self.selector.select(seconds):
            if isinstance(key.data, Capture):
                self.read(key.fileobj, key.data)
            elif key.data is None:
                self.write()
            elif key.data == "exit":
                self.has_exited = True

    def read(self, pipe: Any, target: Capture) -> None:
        try:
            data = os.read(pipe.fileno(), CHUNK_BYTES)
        except BlockingIOError:
            return
        if not data:
            self.selector.unregister(pipe)
            return
        target.feed(data)
        self.active = time.monotonic()
        if target is self.stdout:
            self.call.on_output(data)
            ends = data.rstrip().endswith((b"}", b"]"))
            if ends and self.completed is None and self.call.is_complete(target.end):
                self.completed = self.active

    def write(self) -> None:
        try:
            written = os.write(self.process.stdin.fileno(), self.pending[:CHUNK_BYTES])
            self.pending = self.pending[written:]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self.pending = self.pending[:0]
        if not self.pending:
            self.selector.unregister(self.process.stdin)
            self.process.stdin.close()

    def overrun(self) -> Optional[str]:
        """Which clock ran out, if one did."""
        now = time.monotonic()
        if self.interrupt.number is not None:
            return "interrupted"
        if now - self.began >= self.call.wall:
            return "wall"
        if (
            self.completed is not None
            and self.call.result_grace is not None
            and now - self.completed > self.call.result_grace
        ):
            return "lingering"
        if self.call.silence is not None and now - self.active > self.call.silence and not self.is_working(now):
            return "silence"
        return None

    def is_working(self, now: float) -> bool:
        """Whether the process tree has done more since it was last asked than a program that waits: those wake up too."""
        cpu = descendants(os.getpid())
        used = sum(cpu.values()) - sum(self.cpu.values())
        worked = cpu.keys() != self.cpu.keys() or used > 0.05 * (now - self.sampled)
        self.cpu, self.sampled = cpu, now
        if worked:
            self.active = now
        return worked

    def attend(self) -> Optional[str]:
        """Wait for the end of the command or of its time; the clock that ran out, if one did."""
        while self.process.poll() is None and not self.has_exited:
            clock = self.overrun()
            if clock:
                return clock
            self.pump(min(0.2, max(0.001, self.call.wall - (time.monotonic() - self.began))))
            if self.call.silence is not None and time.monotonic() - self.sampled > 1:
                self.is_working(time.monotonic())
                if self.completed is None and self.call.has_result():
                    self.completed = self.sampled
            self.call.on_wait(time.monotonic() - self.began)
        return None

    def end(self) -> None:
        """Ask, wait, then insist."""
        import signal

        kill_group(self.process.pid, signal.SIGTERM)
        patience = time.monotonic() + self.call.kill_grace
        while self.process.poll() is None and not self.has_exited and time.monotonic() < patience:
            self.pump(0.05)
        kill_group(self.process.pid, signal.SIGKILL)

    def settle(self, statuses: Mapping[int, int]) -> int:
        """How the command ended, whoever took it off; as killed, where not even that ended it."""
        if self.process.pid in statuses:
            self.process.returncode = os.waitstatus_to_exitcode(statuses[self.process.pid])
        elif self.process.poll() is None:
            self.process.returncode = -9
        return int(self.process.returncode)

    def close(self) -> None:
        """Take what is still in the pipes, without waiting for whoever may hold them open."""
        total = -1
        while total != self.stdout.total + self.stderr.total:
            total = self.stdout.total + self.stderr.total
            self.pump(0)
        self.selector.close()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(OSError, AttributeError):
                pipe.close()
        if self.pidfd is not None:
            os.close(self.pidfd)


def execute(call: Call, interrupt: Interrupt) -> Ran:
    """Run one command to its end and everything it started to theirs; keep head and tail of what it said."""
    import subprocess

    spare = frozenset(children_of(os.getpid()) if sys.platform == "linux" else descendants(os.getpid()))
    began = time.monotonic()
    try:
        process = subprocess.Popen(
            [*call.jail, *call.argv],
            cwd=call.cwd,
            env={**call.env, "PWD": call.cwd},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if call.is_merged else subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as problem:  # not found, not executable: the same news as a bad exit
        return Ran(call.argv, 127, stderr=str(problem).encode(), not_started=True)
    interrupt.child = process.pid
    child = Child(call, process, interrupt)
    clock = child.attend()
    if clock:
        child.end()
    interrupt.child = None
    swept = sweep(spare=spare, marker=f"RELAIS_RUN={call.env.get('RELAIS_RUN')}")
    interrupt.survivors = swept.survivors
    child.close()
    return Ran(
        argv=call.argv,
        exit_code=exit_code(child.settle(swept.statuses), clock),
        stdout=child.stdout.content,
        stderr=child.stderr.content,
        duration_ms=int((time.monotonic() - began) * 1000),
        timed_out=clock in ("wall", "silence"),
        silent=clock == "silence",
        interrupted=clock == "interrupted",
        leftovers=noted_number(call.note) if call.is_alone else len(swept.ended - {process.pid}),
    )


def noted_number(path: str) -> int:
    """What a jail noted of the processes it ended; nothing where there is no jail."""
    text = read_text(path) if path else ""
    return int(text) if text.isdecimal() and len(text) < 8 else 0


def exit_code(returned: int, clock: Optional[str]) -> int:
    """−1 for a time-out, 0 for one that gave its result and only lingered, 128 + n for death by signal n."""
    if clock in ("wall", "silence"):
        return -1
    if clock == "lingering":
        return 0
    return returned if returned >= 0 else min(EXIT_SIGNAL - returned, 255)
