"""What the tests of real agent CLIs stand on: a pinned program, a repo, and a model's API that is nobody's but theirs."""

from __future__ import annotations

import contextlib
import fcntl
import functools
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from helpers import Repo
from model_apis import HOST, ModelApi, Reply

PERSONS = dict(os.environ)  # before any fixture takes the person's HOME away, where npm and pip have their caches
PYTHON = PERSONS.get("RELAIS_PYTHON") or sys.executable
CACHE = Path(PERSONS.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "relais-tests"
PATIENCE = 120  # agents that nobody ends go on trying for longer
PORT_IN_NAMESPACE = 8080
# Starts a command where there is no network but loopback, and hands out the socket on which it will look for the API.
ENTER = f"""
import fcntl, os, socket, struct, sys
with socket.socket() as loopback:
    fcntl.ioctl(loopback, 0x8914, struct.pack("16sh", b"lo", 0x49))  # SIOCSIFFLAGS: up, running
with socket.socket(fileno=int(sys.argv[1])) as door, socket.create_server(("{HOST}", {PORT_IN_NAMESPACE})) as listener:
    socket.send_fds(door, [b"."], [listener.fileno()])
os.execv(sys.argv[2], sys.argv[2:])
"""
NAMESPACE = ("unshare", "-rn", PYTHON, "-I", "-S", "-c", ENTER)
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="LOUD: needs /proc or namespaces; not tested on this machine")


class Program(NamedTuple):
    """An agent CLI of a certain version, as npm or pip know it."""

    name: str
    version: str
    package: str
    installer: str = "npm"

    @property
    def folder(self) -> Path:
        return CACHE / f"{self.name}-{self.version}"

    @property
    def command(self) -> Path:
        return self.folder / ("bin" if self.installer == "pip" else "node_modules/.bin") / self.name


@functools.cache
def installed(program: Program) -> Path:
    """The command of a program, installed once for this machine; skips loudly where it cannot be had."""
    program.folder.mkdir(parents=True, exist_ok=True)
    with (program.folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if is_installed(program):
            return program.command
        install(program)
    if not is_installed(program):
        pytest.skip(f"LOUD: {program.command} does not say that it is {program.version}; nothing was tested against it")
    return program.command


def is_installed(program: Program) -> bool:
    env = {**PERSONS, "HOME": str(program.folder)}
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        done = subprocess.run([program.command, "--version"], env=env, capture_output=True, text=True, timeout=60, check=False)
        return program.version in done.stdout.split()
    return False


def install(program: Program) -> None:
    folder = str(program.folder)
    steps = {
        "npm": [["npm", "install", "--no-fund", "--no-audit", "--fetch-retries=1", "--prefix", folder, program.package]],
        "pip": [[PYTHON, "-m", "venv", folder], [f"{folder}/bin/pip", "install", "--quiet", program.package]],
    }
    try:
        for argv in steps[program.installer]:
            subprocess.run(argv, env=PERSONS, cwd=folder, capture_output=True, text=True, timeout=900, check=True)
    except (OSError, subprocess.SubprocessError) as problem:
        said = str(getattr(problem, "stderr", None) or problem)[-500:]
        pytest.skip(f"LOUD: {program.installer} cannot install {program.package}; nothing was tested against it: {said}")


@functools.cache
def has_namespaces() -> bool:
    if not shutil.which("unshare"):
        return False
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        return subprocess.run(["unshare", "-rn", "true"], capture_output=True, timeout=20, check=False).returncode == 0
    return False


def free_port() -> int:
    with socket.create_server((HOST, 0)) as listener:
        return int(listener.getsockname()[1])


class Bench:
    """A repo whose agent is a real CLI, and the API that the CLI will talk to at `url`."""

    def __init__(self, repo: Repo) -> None:
        self.repo, self.api = repo, ModelApi()
        self.port = PORT_IN_NAMESPACE if has_namespaces() else free_port()
        self.url = f"http://{HOST}:{self.port}"
        self.env: dict[str, str] = {}
        self.is_refusing = False
        self.started: list[subprocess.Popen[str]] = []
        self.before = repo.tree()

    def start(self) -> subprocess.Popen[str]:
        """Start a tick where there is nothing but the stand-in to talk to."""
        argv = [PYTHON, "relais.py", "run"]
        if has_namespaces():
            ours, theirs = socket.socketpair()
            with ours, theirs:
                ours.settimeout(PATIENCE)
                process = self._popen([*NAMESPACE, str(theirs.fileno()), *argv], theirs.fileno())
                _, fds, _, _ = socket.recv_fds(ours, 1, 1)
            listener = socket.socket(fileno=fds[0])
        else:
            listener = socket.create_server((HOST, self.port))
            process = self._popen(argv)
        if self.is_refusing:
            listener.close()
        else:
            self.api.serve(listener)
        return process

    def _popen(self, argv: list[str], *fds: int) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            argv,
            cwd=self.repo.path,
            env={**self.repo.env, **self.env},
            pass_fds=fds,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.started.append(process)
        return process

    def close(self) -> None:
        for process in self.started:
            with process:
                process.terminate()
        self.api.close()

    def tick(self, *script: Reply) -> int:
        self.api.plays(*script)
        return ended(self.start())

    def configure(self, **changes: Any) -> None:
        self.repo.configure(changes)
        if self.repo.status:
            self.repo.commit("configure")

    @property
    def verdict(self) -> tuple[str, str | None]:
        """The code, and what kind of failure led to it."""
        report = self.repo.report
        return report["code"], report.get("error", {}).get("kind")

    @property
    def warnings(self) -> list[str]:
        found: list[str] = self.repo.report["budgets"]["warnings"]
        return found

    def is_as_before(self) -> bool:
        return self.repo.tree() == self.before and not self.repo.status


def ended(process: subprocess.Popen[str]) -> int:
    """The exit status of a tick, which must end in time."""
    process.communicate(timeout=PATIENCE)
    return process.returncode


def is_running(argument: str) -> bool:
    """Whether any process has this very argument."""
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if argument.encode() in (folder / "cmdline").read_bytes().split(b"\0"):
                return True
    return False
