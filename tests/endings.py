"""How processes try to outlive the command that started them, and whether any does. Used by test_endings.py and soak.py.

    python tests/endings.py SOURCES '{"shapes": {"daemon": 10}, "jail": false}'

A process of its own, because `execute` ends all its descendants. After each try the kernel is asked whether a child is left
(ECHILD or not); what the survivors of a shape would go on writing is looked at once more when all tries are over.
"""

from __future__ import annotations

import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

SOURCES = Path(__file__).resolve().parent.parent / "src"
SYSTEM_PYTHON = "/usr/bin/python3"  # one that a plain user may start, wherever ours is
AS_NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
CAN_BE_NOBODY = os.geteuid() == 0 and os.path.exists(SYSTEM_PYTHON) and shutil.which("setpriv") is not None
MACHINE = os.uname().machine

PRELUDE = """\
import ctypes, os, signal, sys, threading, time
libc = ctypes.CDLL(None)
libc.prctl(0x59616d61, ctypes.c_ulong(-1), 0, 0, 0)  # PR_SET_PTRACER: where Yama would have a word
SYS_EXIT, SYS_CLONE = (60, 56) if os.uname().machine == "x86_64" else (93, 220)
SEIZE, INTERRUPT = 0x4206, 0x4207
word, told = os.pipe()

def live():
    while True:
        with open(sys.argv[1], "ab", 0) as pulse:
            pulse.write(b".")
        time.sleep(0.001)

def tell():
    os.write(told, b".")

def apart(body):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            body()
        os._exit(0)
"""

# Each ends its first process only when the one that is to outlive it is there.
SHAPES = {
    "daemon": """
def body():
    tell(); live()
apart(body)
""",
    "a leader that is gone": """
def body():
    threading.Thread(target=live, daemon=True).start()
    tell()
    libc.syscall(SYS_EXIT, 0)
apart(body)
""",
    "stopped": """
def body():
    tell()
    os.kill(os.getpid(), signal.SIGSTOP)
    live()
apart(body)
""",
    "respawners": """
def body():
    other = 0
    tell()
    while True:
        if not other or not os.path.exists(f"/proc/{other}"):
            before, other = os.getpid(), os.fork()
            other = other or before
            os.setsid() if other == before else None
        try:
            os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            pass
        time.sleep(0.0005)
apart(body)
""",
    "a tracer and what it holds": """
def body():
    victim = os.fork()
    if victim == 0:
        libc.prctl(0x59616d61, ctypes.c_ulong(-1), 0, 0, 0)
        live()
    libc.ptrace(SEIZE, victim, None, None)
    libc.ptrace(INTERRUPT, victim, None, None)
    tell(); live()
apart(body)
""",
    "a tracer that holds the command itself": """
first = os.getpid()
if os.fork() == 0:
    os.setsid()
    libc.ptrace(SEIZE, first, None, None)
    tell(); live()
""",
    "a sibling that signals nobody": """
if libc.syscall(SYS_CLONE, ctypes.c_ulong(0x8000), None, None, None, None) == 0:
    os.setsid(); tell(); live()
""",
    "an adopter of its own": """
def body():
    libc.prctl(36, 1, 0, 0, 0)
    apart(live)
    tell(); live()
apart(body)
""",
    "a parent in vfork": """
def body():
    tell()
    libc.syscall(SYS_CLONE, ctypes.c_ulong(0x4000 | 17), None, None, None, None)
    live()
apart(body)
""",
    "a chain of forks": """
def body():
    tell()
    for _ in range(20000):
        if os.fork():
            os._exit(0)
        os.setsid()
apart(body)
""",
    "a crowd": """
def body():
    for _ in range(40):
        if os.fork() == 0:
            os.setsid(); time.sleep(60); os._exit(0)
    tell(); live()
apart(body)
""",
}
WAIT = "\nos.read(word, 1)\nos._exit(7)\n"


def a_program(code: bytes) -> bytes:
    """The smallest program for Linux on x86-64 that is just this code."""
    base, start = 0x400000, 120
    header = b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, base + start, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    size = start + len(code)
    return header + struct.pack("<IIQQQQQQ", 1, 5, 0, base, base, size, size, 0x1000) + code


def call_of(number: int) -> bytes:
    return b"\xb8" + struct.pack("<I", number) + b"\x0f\x05"  # mov eax, number; syscall


def a_fast_chain(links: int, with_setsid: bool) -> bytes:
    """Forks, ends itself, and so on in the child: no program can be faster at it."""
    body = (call_of(112) if with_setsid else b"") + b"\xff\xcb"  # setsid(); dec ebx
    loop = call_of(57) + b"\x85\xc0\x75" + bytes([len(body) + 2]) + body  # fork(); jnz end
    loop += b"\x75" + struct.pack("b", -(len(loop) + 2))
    return a_program(b"\xbb" + struct.pack("<I", links) + loop + b"\x31\xff" + call_of(60))


FAST = {"a fast chain of one group": a_fast_chain(60_000, False), "a fast chain of sessions": a_fast_chain(60_000, True)}
# Becomes another user for good, and waits for 20 s in a process of its own: a plain user can do nothing about it.
UNTOUCHABLE = a_program(
    b"\x31\xff" + call_of(105) + call_of(57) + b"\x85\xc0\x75\x13" + b"\xbf\x14\0\0\0" + call_of(37) + call_of(34) + b"\x31\xff" + call_of(60)
)
NAMES = [*SHAPES, *(FAST if MACHINE == "x86_64" else ())]


def command(name: str, folder: Path) -> list[str]:
    if name in FAST:
        program = folder / name
        if not program.exists():
            program.write_bytes(FAST[name])
            program.chmod(0o755)
        return [str(program)]
    return [sys.executable, "-I", "-S", "-c", PRELUDE + SHAPES[name] + WAIT, str(folder / "pulse")]


def has_children() -> bool:
    try:
        os.waitpid(-1, os.WNOHANG | 0x40000000)
    except ChildProcessError:
        return False
    return True


def tried(name: str, tries: int, folder: Path, jail: tuple[str, ...]) -> dict[str, Any]:
    """How often something was left, how often the command did not end as it should have, and how long the endings took."""
    from relais.world import child
    from relais.world.processes import Interrupt, sweep

    took: list[float] = []

    def timed(**options: Any) -> Any:
        began = time.perf_counter()
        swept = sweep(**options)
        took.append(time.perf_counter() - began)
        return swept

    child.sweep = timed  # type: ignore[assignment]
    left = wrong = 0
    for _ in range(tries):
        interrupt = Interrupt()
        call = child.Call(tuple(command(name, folder)), str(folder), dict(os.environ), 30, 0.5, jail=jail)
        ran = child.execute(call, interrupt)
        left += has_children() or bool(interrupt.survivors)
        wrong += ran.exit_code != (0 if name in FAST else 7) or ran.timed_out
        os.close(interrupt.wake)
        os.close(interrupt._waker)
    return {"left": left, "wrong": wrong, "mean_ms": 1000 * sum(took) / len(took), "worst_ms": 1000 * max(took)}


def one_program(program: str, folder: str) -> dict[str, Any]:
    """What `execute` makes of a program that may not be ended at all."""
    from relais.world import child, processes

    processes.ENDING_SECONDS = 1
    interrupt = processes.Interrupt()
    ran = child.execute(child.Call((program,), folder, dict(os.environ), 30, 0.5), interrupt)
    return {"survivors": interrupt.survivors, "exit_code": ran.exit_code}


def main(given: dict[str, Any]) -> dict[str, Any]:
    from relais.world.processes import adopt_orphans
    from relais.world.sandbox import Places, namespaces

    adopt_orphans()
    with tempfile.TemporaryDirectory() as folder:
        if "program" in given:
            return one_program(given["program"], folder)
        jail = tuple(namespaces(Places((folder,), ()))) if given["jail"] else ()
        results = {shape: tried(shape, tries, Path(folder), jail) for shape, tries in given["shapes"].items()}
        pulse = Path(folder, "pulse")
        before = pulse.stat().st_size if pulse.exists() else 0
        time.sleep(0.1)
        return {"results": results, "goes_on": pulse.exists() and pulse.stat().st_size != before}


def endings(timeout: float = 120, *, as_nobody: bool = False, **given: Any) -> dict[str, Any]:
    """Run `main` in a process of its own, which may be a plain user's."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)  # noqa: S103 a plain user must get in
        shutil.copytree(SOURCES, Path(folder, "src"), ignore=shutil.ignore_patterns("*.pyc"))
        script = shutil.copy(__file__, folder)
        start = [*AS_NOBODY, SYSTEM_PYTHON] if as_nobody else [sys.executable]
        argv = [*start, script, str(Path(folder, "src")), json.dumps({"jail": False, **given})]
        done = subprocess.run(argv, capture_output=True, encoding="utf-8", timeout=timeout, check=False, cwd="/")
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


if __name__ == "__main__":
    sys.path.insert(0, sys.argv[1])
    print(json.dumps(main(json.loads(sys.argv[2]))))
