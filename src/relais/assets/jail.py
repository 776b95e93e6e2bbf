"""Runs a command confined: a program of its own, because all of this must happen in the child. See world/sandbox.py.

    python -I -S -c JAIL PLACES COMMAND [ARGUMENT ...]

It travels as a word of argv, and so holds nothing but ASCII. Every check waits for its start: the places are
marshalled, because json would make it ten milliseconds later, and signals are libc's, because Python's have enums.
"""

from __future__ import annotations

import ctypes
import marshal
import os
import struct
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # at run time it would make every confined command start later
    from typing import Any, NoReturn, Optional

RDONLY, RECURSIVE, BIND, PRIVATE = 1, 0x8000, 0x1000 | 0x4000, 0x4000 | 0x40000
NO_SETUID, NO_DEVICES = 2, 4
NEW_USER, NEW_MOUNTS, NEW_PIDS, NEW_IPC, NEW_NET = 0x10000000, 0x20000, 0x20000000, 0x8000000, 0x40000000
KERNEL_SETTINGS = ("/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs")
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
LINKS = (("ptmx", "pts/ptmx"), ("fd", "/proc/self/fd"), *((n, f"/proc/self/fd/{i}") for i, n in enumerate(("stdin", "stdout", "stderr"))))  # fmt: skip
ABSTRACT_SOCKETS, SIGNALS = 1, 2
# By the machine's name: what a filter of system calls knows it by, its add_key, request_key and keyctl (and what else
# they are called by); the same of its older self, whose programs it still runs.
KEYRINGS = {
    "x86_64": ((0xC000003E, 248, 249, 250, 0x400000F8, 0x400000F9, 0x400000FA), (0x40000003, 286, 287, 288)),
    "aarch64": ((0xC00000B7, 217, 218, 219), (0x40000028, 309, 310, 311)),
    "riscv64": ((0xC00000F3, 217, 218, 219),),
}
FOR_THE_COMMAND = (1, 2, 15)  # HUP, INT, TERM
WITHOUT_OVERLAY = {"private": "writable", "passing": "read_only"}
libc = ctypes.CDLL(None, use_errno=True)


def call(name: str, *args: Any) -> int:
    result: int = getattr(libc, name)(*args)
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{name}: {os.strerror(ctypes.get_errno())}")
    return result


def mount(
    source: str, target: str, kind: Optional[bytes] = None, flags: int = 0, options: Optional[bytes] = None
) -> None:
    try:
        call("mount", os.fsencode(source), os.fsencode(target), kind, ctypes.c_ulong(flags), options)
    except OSError as problem:
        raise OSError(problem.errno, f"{problem.strerror} ({target})") from None


def set_read_only(path: str, wanted: bool, reach: int = RECURSIVE) -> None:
    attributes = (ctypes.c_uint64 * 4)(RDONLY if wanted else 0, 0 if wanted else RDONLY, 0, 0)
    call("syscall", 442, -100, os.fsencode(path), reach, ctypes.byref(attributes), ctypes.sizeof(attributes))


def let_write(path: str) -> None:
    """Writable, but for what the person has mounted read-only inside of it: that stays so, and the kernel insists."""
    try:
        set_read_only(path, False)
    except PermissionError:
        set_read_only(path, False, 0)
        with open("/proc/self/mountinfo", "rb") as file:
            points = [line.split()[4].decode("unicode_escape").encode("latin-1") for line in file]
        for point in points:
            if point.startswith(os.fsencode(path) + b"/"):
                try:
                    set_read_only(os.fsdecode(point), False, 0)
                except PermissionError:
                    continue


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
    # What lies inside of something hidden is still reached by its handle.
    layers = [(path, kind, os.open(path, os.O_PATH)) for path, kind in places["layers"] if os.path.exists(path)]
    drafts = {path: drafts_of(places["scratch"], path) for path, kind, _ in layers if kind in WITHOUT_OVERLAY}
    own_devices()
    for path, kind, handle in layers:
        if kind in WITHOUT_OVERLAY:
            lay_overlay(path, WITHOUT_OVERLAY[kind], handle, drafts[path])
        else:
            lay(path, kind, handle)
    for path, kind, _ in layers:
        if kind == "hidden":
            set_read_only(path, True, 0)
    os.chdir(here)  # the folder we stand in is still the one below the mounts


def lay(path: str, kind: str, handle: int) -> None:
    """One layer: a place as it is, writable or not, or nothing in its place."""
    if kind in ("hidden", "empty") and os.path.isdir(path):
        mount("tmpfs", path, b"tmpfs", NO_SETUID | NO_DEVICES, b"mode=1777" if kind == "empty" else b"mode=755")
    elif kind in ("hidden", "empty"):
        mount("/dev/null", path, None, BIND)
    else:
        make_room(path, handle)
        mount(f"/proc/self/fd/{handle}", path, None, BIND)
        if kind == "writable":
            let_write(path)
        else:
            set_read_only(path, True)


def make_room(path: str, handle: int) -> None:
    """Something to mount on, where something hidden has taken its place."""
    if not os.path.lexists(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if os.path.isdir(f"/proc/self/fd/{handle}"):
            os.mkdir(path)
        else:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT))


def drafts_of(scratch: str, path: str) -> tuple[int, int]:
    """Two folders for what is changed in a private place, as handles."""
    if not os.path.isdir(f"{scratch}/private"):
        mount(scratch, scratch, None, BIND)
        let_write(scratch)
    own = f"{scratch}/private/{os.fsencode(path).hex()[-200:]}"
    for name in ("upper", "work"):
        os.makedirs(f"{own}/{name}", exist_ok=True)
    return os.open(f"{own}/upper", os.O_PATH), os.open(f"{own}/work", os.O_PATH)


def lay_overlay(path: str, otherwise: str, handle: int, drafts: tuple[int, int]) -> None:
    """A place whose changes are thrown away (a folder's: Linux 5.11, a disk that can; elsewhere they are kept, or refused)."""
    if not os.path.isdir(path):
        copy = f"/proc/self/fd/{drafts[0]}/copy"
        with open(f"/proc/self/fd/{handle}", "rb") as source, open(copy, "wb") as target:
            target.write(source.read())
        mount(copy, path, None, BIND)
        os.unlink(copy)
        return
    options = "lowerdir=/proc/self/fd/%d,upperdir=/proc/self/fd/%d,workdir=/proc/self/fd/%d,userxattr"
    try:
        mount("overlay", path, b"overlay", NO_SETUID | NO_DEVICES, (options % (handle, *drafts)).encode())
    except OSError:
        lay(path, otherwise, handle)


def own_devices() -> None:
    """Devices and terminals of its own: root could write to disks, anybody to the terminal the person sits at."""
    handles = {name: os.open(f"/dev/{name}", os.O_PATH) for name in DEVICES if os.path.exists(f"/dev/{name}")}
    mount("tmpfs", "/dev", b"tmpfs", NO_SETUID, b"mode=755")
    for name, handle in handles.items():
        lay(f"/dev/{name}", "read_only", handle)
    for name in ("pts", "shm"):
        os.mkdir(f"/dev/{name}")
    mount("devpts", "/dev/pts", b"devpts", 10, b"newinstance,ptmxmode=0666,mode=620")  # no set-id, no programs
    mount("tmpfs", "/dev/shm", b"tmpfs", NO_SETUID | NO_DEVICES, b"mode=1777")  # noqa: S108 its own
    for name, target in LINKS:
        os.symlink(target, f"/dev/{name}")


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


def fail(argv: list[str], problem: OSError, note: Optional[int]) -> NoReturn:
    words = f"cannot confine {argv[0]}: {problem}"
    if note is not None:
        os.write(note, words.encode("utf-8", "replace"))
    sys.stderr.write(f"relais: {words}\n")
    os._exit(125)


def awaited(pid: int) -> int:
    """The exit status of a child, as a shell would tell it; other orphans are taken along."""
    while True:
        found, status = os.waitpid(-1, 0)
        if found == pid:
            return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)


def attend(argv: list[str], places: dict[str, Any], note: Optional[int]) -> int:
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
        close_abstract_sockets()
        close_keyrings()
        run(argv, places["environment"])
    outlast(pid)
    if note is not None:
        others = {int(name) for name in os.listdir("/proc") if name.isdigit()} - {1, pid}
        try:
            os.write(note, b"%d" % sum(map(is_alive, others)))
        except OSError as problem:  # the command has filled the disk: that is its own affair
            if problem.errno != 28:
                raise
    os.kill(-1, 9)  # everybody in here but us: a tracer could hold on to the command's exit status
    return awaited(pid)


def outlast(pid: int) -> None:
    """Wait until all threads of the command are gone, held by a tracer or not; other orphans are taken off meanwhile."""
    import select

    ending = select.poll()
    ending.register(os.pidfd_open(pid))
    while not ending.poll(1000):
        found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        while found and found.si_pid != pid:
            os.waitpid(found.si_pid, 0)
            found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)


def is_alive(pid: int) -> bool:
    """Whether this one goes on; an orphan that has ended is taken off, one that only lost its first thread is not one."""
    try:
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG) is None
    except ChildProcessError:  # somebody else's child
        return True


def close_keyrings() -> None:
    """The kernel's keyrings are nobody's files: the person's keys in them are found by number from any namespace.

    A filter of system calls: every call is compared with the three of each instruction set, and no such call is there.
    """
    load, is_equal, end, absent, allowed = 0x20, 0x15, 0x06, 0x50000 | 38, 0x7FFF0000
    program = []
    for arch, *numbers in KEYRINGS.get(os.uname().machine, ()):
        program += [(load, 0, 0, 4), (is_equal, 0, 2 * len(numbers) + 2, arch), (load, 0, 0, 0)]
        for number in numbers:
            program += [(is_equal, 0, 1, number), (end, 0, 0, absent)]
        program += [(end, 0, 0, allowed)]
    program += [(end, 0, 0, allowed)]
    steps = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in program))
    libc.prctl(22, 2, struct.pack("@HP", len(program), ctypes.addressof(steps)), 0, 0)  # PR_SET_SECCOMP


def be_ended_first() -> None:
    """Where memory runs out, let the kernel end what is in here, not relais half-way, or a program of the person's."""
    try:
        with open("/proc/self/oom_score_adj", encoding="ascii") as file:
            ours = int(file.read())
        with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
            file.write(f"{min(ours + 500, 1000)}")
    except OSError:
        return


def close_abstract_sockets() -> None:
    """Sockets without a file are hidden by no mount; Landlock of Linux 6.12 closes those of other programs."""
    if libc.syscall(444, None, 0, 1) > 5:
        rules = (ctypes.c_uint64 * 3)(0, 0, ABSTRACT_SOCKETS)
        call("syscall", 446, call("syscall", 444, ctypes.byref(rules), 24, 0), 0)


def restrict(places: dict[str, Any]) -> None:
    """Landlock: of all that changes files, only what the places allow; rights widen on the way down, so no exceptions in them."""
    abi = call("syscall", 444, None, 0, 1)
    last = {1: 13, 2: 14, 3: 15, 4: 15}.get(abi, 16)
    writes = sum(1 << bit for bit in (1, *range(4, last)))
    rules = (ctypes.c_uint64 * 3)(writes, 0, ABSTRACT_SOCKETS | SIGNALS if abi > 5 else 0)
    ruleset = call("syscall", 444, ctypes.byref(rules), 8 if abi < 4 else 16 if abi < 6 else 24, 0)
    devices = [f"/dev/{name}" for name in (*DEVICES, "ptmx", "shm")]
    granted = [path for path, kind in places["layers"] if kind in ("writable", "private")]
    for path in filter(os.path.exists, (*devices, *granted)):
        allowed = writes if os.path.isdir(path) else writes & 0xC002
        handle = os.open(path, os.O_PATH)
        beneath = struct.pack("=Qi", allowed, handle)
        call("syscall", 445, ruleset, 1, beneath, 0)
    call("prctl", 38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS
    call("syscall", 446, ruleset, 0)
    close_keyrings()
    if os.geteuid() == 0:  # it could make a device of the disk that its places lie on
        give_up_powers()


def run(argv: list[str], more: dict[str, str]) -> NoReturn:
    """The command itself, with what its environment has more than ours: we would have obeyed it."""
    for number in FOR_THE_COMMAND:
        libc.signal(number, None)
    try:
        os.execvpe(argv[0], argv, {**os.environ, **more})  # noqa: S606 argv is the point
    except OSError as problem:
        sys.stderr.write(f"{problem}\n")
        os._exit(127 if isinstance(problem, FileNotFoundError) else 126)


def main() -> None:
    places, argv = marshal.loads(bytes.fromhex(sys.argv[1])), sys.argv[2:]  # noqa: S302 from the runner itself
    be_ended_first()
    if places["kind"] == "bwrap":  # in which we are already: what is left has no place on disk
        close_abstract_sockets()
        close_keyrings()
        run(argv, places["environment"])
    note = os.open(places["note"], os.O_WRONLY | os.O_CREAT, 0o600) if places["note"] else None
    try:
        if places["kind"] == "landlock":
            restrict(places)
            run(argv, places["environment"])
        for number in FOR_THE_COMMAND:
            libc.signal(number, ctypes.c_void_p(1))  # those are for the command; we only wait for it
        enter(places)
        pid = os.fork()
        os._exit(attend(argv, places, note) if pid == 0 else awaited(pid))
    except OSError as problem:
        fail(argv, problem, note)


main()
