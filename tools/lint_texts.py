"""Checks the texts that relais carries for other programs, each with the checker of its own language.

The page with biome (lint and format), the completions with shellcheck and with the shells that will read them. What
cannot be had on this machine is said loudly, and nothing else depends on it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ASSETS = ROOT / "src" / "relais" / "assets"
BIOME = "@biomejs/biome@2.6.6"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "relais-tests", BIOME.replace("/", "-"))


def biome() -> str | None:
    """The program, installed once for the machine; None where npm cannot."""
    program = CACHE / "node_modules" / ".bin" / "biome"
    if not program.exists() and shutil.which("npm"):
        CACHE.mkdir(parents=True, exist_ok=True)
        argv = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(CACHE), BIOME]
        subprocess.run(argv, check=False, timeout=300)
    return str(program) if program.exists() else None


def checks() -> dict[str, list[str]]:
    """Each check by the program it needs."""
    completions = ASSETS / "completions"
    return {
        biome() or "biome": ["ci", f"--config-path={ROOT / 'tools'}", str(ASSETS / "page")],
        "shellcheck": ["--shell=bash", str(completions / "relais.bash")],
        "zsh": ["-n", str(completions / "relais.zsh")],
        "fish": ["--no-execute", str(completions / "relais.fish")],
    }


def main() -> int:
    failed = False
    for name, arguments in checks().items():
        program = shutil.which(name)
        if program is None:
            print(f"LOUD: {name} is not here, so what it checks was not checked")
            continue
        failed |= subprocess.run([program, *arguments], check=False, timeout=120).returncode != 0
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
