"""Run the contract tests with relais.py on every Python >= 3.9 of this machine.

Those Pythons need nothing installed: pytest runs here, and RELAIS_PYTHON names the one that runs relais.py.
With --ends only the oldest and the newest of them.
"""

from __future__ import annotations

import glob
import importlib.util
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
CONTRACT = "tests/test_contract.py"
OLDEST = (3, 9)
PROBE_SECONDS = 20
CONTRACT_SECONDS = 900
WHO_ARE_YOU = "import os, sys; print('%d.%d.%d' % sys.version_info[:3], os.path.realpath(sys.executable))"


class Python(NamedTuple):
    version: tuple[int, ...]
    path: str

    @property
    def name(self) -> str:
        return ".".join(map(str, self.version))

    @property
    def minor(self) -> tuple[int, ...]:
        return self.version[:2]


def ask(command: str) -> Python | None:
    """Return what answers to this command; None where it is no Python 3, or a shim for one that is not chosen."""
    try:
        done = subprocess.run(
            [command, "-I", "-S", "-c", WHO_ARE_YOU],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PROBE_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    version, _, path = done.stdout.strip().partition(" ")
    if done.returncode != 0 or not path:
        return None
    return Python(tuple(map(int, version.split("."))), path)


def pyenv_root() -> str:
    if shutil.which("pyenv"):
        done = subprocess.run(
            ["pyenv", "root"], capture_output=True, text=True, timeout=PROBE_SECONDS, check=False
        )
        if done.returncode == 0 and done.stdout.strip():
            return done.stdout.strip()
    return os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv")


def commands() -> list[str]:
    """Name everything that could be a Python: pyenv's first, since a shim answers only for the chosen one."""
    found = sorted(glob.glob(os.path.join(glob.escape(pyenv_root()), "versions", "*", "bin", "python")))
    for folder in os.get_exec_path():
        found += [os.path.join(folder, "python3")]
        found += sorted(glob.glob(os.path.join(glob.escape(folder), "python3.[0-9]*")))
    return [
        command
        for command in dict.fromkeys(found)
        if os.access(command, os.X_OK) and not command.endswith("config")
    ]


def pythons() -> list[Python]:
    """Return one Python per version, the oldest first."""
    by_version: dict[tuple[int, ...], Python] = {}
    seen: set[str] = set()
    for command in commands():
        real = os.path.realpath(command)
        if real in seen:
            continue
        seen.add(real)
        python = ask(command)
        if python is not None and python.minor >= OLDEST:
            seen.add(python.path)
            by_version.setdefault(python.version, python)
    return sorted(by_version.values())


def contract_holds(python: Python) -> tuple[bool, str]:
    """Run the contract tests with relais.py on this Python; return whether they passed and what was said."""
    workers = ["-n", "2"] if importlib.util.find_spec("xdist") else []
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", CONTRACT, "--tb=short", *workers, *sys.argv[1:]],
            cwd=ROOT,
            env={**os.environ, "RELAIS_PYTHON": python.path},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            timeout=CONTRACT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        return False, f"{late.output or ''}\nno end after {CONTRACT_SECONDS} s"
    return done.returncode == 0, done.stdout


def main() -> int:
    here = sys.version_info[:2]
    found = pythons()
    others = [python for python in found if python.minor != here]
    if "--ends" in sys.argv:  # the oldest and the newest: what lies between them seldom differs from both
        sys.argv.remove("--ends")
        others = [python for python in others if python.minor in (found[0].minor, found[-1].minor)]
    if not others:
        print(
            f"!!! ONLY ONE PYTHON: {'.'.join(map(str, here))} is the only Python >= 3.9 found on this machine.\n"
            "!!! The contract was NOT checked on any other; `pyenv install 3.9 3.13` and run this again.",
            flush=True,
        )
        return 0
    failed = []
    for python in others:
        began = time.monotonic()
        passed, said = contract_holds(python)
        last = said.strip().splitlines()[-1] if said.strip() else "pytest said nothing"
        print(
            f"Python {python.name:<8} {'ok    ' if passed else 'FAILED'} "
            f"{time.monotonic() - began:5.1f} s  {last.strip('= ')}",
            flush=True,
        )
        if not passed:
            failed.append(python.name)
            print(said, flush=True)
    print(f"Python {'.'.join(map(str, here))}, this one, is covered by `make test` itself")
    if failed:
        print(f"the contract does not hold on Python {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
