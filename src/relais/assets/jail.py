"""Runs a command confined: a program of its own, because all of this must happen in the child. See world/sandbox.py.

    python -I -S -c JAIL PLACES COMMAND [ARGUMENT ...]

It travels as a word of argv, and so holds nothing but ASCII.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import struct
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # at run time it would make every confined command start later
    from typing import Any, NoReturn, Optional

RDONLY, RECURSIVE, BIND, PRIVATE = 1, 0x8000, 0x1000 | 0x4000, 0x4000 | 0x40000
NEW_USER, NEW_MOUNTS, NEW_PIDS, NEW_IPC, NEW_NET = 0x10000000, 0x20000, 0x20000000, 0x8000000, 0x40000000
KERNEL_SETTINGS = ("/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs")
libc = ctypes.CDLL(None, use_errno=True)


def call(name: str, *args: Any) -> int:
    result: int = getattr(libc, name)(*args)
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{name}: {os.strerror(ctypes.get_errno())}")
    return result


def mount(
    source: str, target: str, kind: Optional[bytes] = None, flags: int = 0, options: Optional[bytes] = None
) -> None:
    call("mount", os.fsencode(source), os.fsencode(target), kind, ctypes.c_ulong(flags), options)


def set_read_only(path: str, wanted: bool) -> None:
    attributes = (ctypes.c_uint64 * 4)(RDONLY if wanted else 0, 0 if wanted else RDONLY, 0, 0)
    call("syscall", 442, -100, os.fsencode(path), RECURSIVE, ctypes.byref(attributes), ctypes.sizeof(attributes))


def enter(places: dict[str, Any]) -> None:
    """New user, mount, process and message spaces: everything read-only, then the exceptions, the outer ones first."""
    uid, gid, here = os.geteuid(), os.getegid(), os.getcwd()
    call("unshare", NEW_USER | NEW_MOUNTS | NEW_PIDS | NEW_IPC | (0 if places["network"] else NEW_NET))
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)
    if not places["network"]:
        raise_loopback()
    mount("none", "/", None, PRIVATE)
    set_read_only("/", True)
    for path in places["hidden"]:
        if os.path.isdir(path):
            mount("tmpfs", path, b"tmpfs", 6)
        elif os.path.exists(path):
            mount("/dev/null", path, None, BIND)
    wanted = [(path, False) for path in places["writable"]] + [(path, True) for path in places["read_only"]]
    for path, is_read_only in sorted(wanted, key=lambda pair: str(pair[0]).count("/")):
        if os.path.exists(path):
            mount(path, path, None, BIND)
            set_read_only(path, is_read_only)
    own_terminals()
    os.chdir(here)  # the folder we stand in is still the one below the mounts


def own_terminals() -> None:
    """Terminals of its own: through the person's it could write to them, listen to them and stop them."""
    if os.path.isdir("/dev/pts"):
        mount("devpts", "/dev/pts", b"devpts", 10, b"newinstance,ptmxmode=0666,mode=620")  # no set-id, no programs
        if os.path.exists("/dev/ptmx") and not os.path.islink("/dev/ptmx"):
            mount("/dev/pts/ptmx", "/dev/ptmx", None, BIND)


def raise_loopback() -> None:
    import fcntl
    import socket

    with socket.socket() as loopback:
        fcntl.ioctl(loopback, 0x8914, struct.pack("16sh", b"lo", 0x49))  # SIOCSIFFLAGS: up, running


def give_up_powers() -> None:
    """No capability, none to regain by an exec, and no process that outlives its parent's parent."""
    for number in range(64):
        libc.prctl(24, number, 0, 0, 0)  # PR_CAPBSET_DROP
    call("prctl", 28, 0x2F, 0, 0, 0)  # PR_SET_SECUREBITS: no root, no fix-ups, no ambient, all locked
    call("prctl", 38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS
    header, nothing = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    call("capset", ctypes.byref(header), ctypes.byref(nothing))


def fail(argv: list[str], problem: OSError) -> NoReturn:
    sys.stderr.write(f"relais: cannot confine {argv[0]}: {problem}\n")
    os._exit(125)


def awaited(pid: int) -> int:
    """The exit status of a child, as a shell would tell it; other orphans are taken along."""
    while True:
        found, status = os.waitpid(-1, 0)
        if found == pid:
            return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)


def attend(argv: list[str], note: Optional[int]) -> int:
    """Process 1: start the command, wait for it, and end: the kernel ends whatever it left behind."""
    call("prctl", 1, 9, 0, 0, 0)  # PR_SET_PDEATHSIG
    mount("proc", "/proc", b"proc", 14)
    for path in KERNEL_SETTINGS:  # root owns them, with or without powers
        if os.path.exists(path):
            mount(path, path, None, BIND)
            set_read_only(path, True)
    give_up_powers()
    call("prctl", 4, 0, 0, 0, 0)  # PR_SET_DUMPABLE: nobody in here looks into this process, or at what it has open
    pid = os.fork()
    if pid == 0:
        run(argv)
    status = awaited(pid)
    if note is not None:
        os.write(note, b"%d" % sum(name.isdigit() and name != "1" for name in os.listdir("/proc")))
    return status


def restrict(places: dict[str, Any]) -> None:
    """Landlock: of all that changes files, only what the places allow; rights widen on the way down, so no exceptions in them."""
    abi = call("syscall", 444, None, 0, 1)
    writes = sum(1 << bit for bit in (1, *range(4, 13 if abi < 2 else 14 if abi < 3 else 15)))
    rules = (ctypes.c_uint64 * 3)(writes, 0, 3 if abi > 5 else 0)
    ruleset = call("syscall", 444, ctypes.byref(rules), 8 if abi < 4 else 16 if abi < 6 else 24, 0)
    for path in ["/dev", *places["writable"]]:
        allowed = writes if os.path.isdir(path) and path != "/dev" else writes & 0x4002
        handle = os.open(path, os.O_PATH)
        beneath = struct.pack("=Qi", allowed, handle)
        call("syscall", 445, ruleset, 1, beneath, 0)
    call("prctl", 38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS
    call("syscall", 446, ruleset, 0)


def run(argv: list[str]) -> NoReturn:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvpe(argv[0], argv, os.environ)  # noqa: S606 argv is the point
    except FileNotFoundError as problem:
        sys.stderr.write(f"{problem}\n")
        os._exit(127)


def main() -> None:
    places, argv = json.loads(sys.argv[1]), sys.argv[2:]
    if places["kind"] == "landlock":
        try:
            restrict(places)
            run(argv)
        except OSError as problem:
            fail(argv, problem)
    note = os.open(places["note"], os.O_WRONLY | os.O_CREAT, 0o600) if places["note"] else None
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: None)  # those are for the command; we only wait for it
    try:
        enter(places)
        pid = os.fork()
        os._exit(attend(argv, note) if pid == 0 else awaited(pid))
    except OSError as problem:
        fail(argv, problem)


main()
