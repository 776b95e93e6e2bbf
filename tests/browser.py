"""A real browser for the tests: the machine's Chromium, driven by a pinned Playwright, with a pinned axe-core.

    python tests/browser.py FOLDER [NAME …]

takes pictures of the page of `relais history --html`, all or those named; the README shows `history`.

Playwright and axe-core are installed once for this machine, in a cache of their own: neither the project nor its test
environment depends on them. Where anything is missing and cannot be had, `Missing` says what.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PLAYWRIGHT, AXE = "1.65.0", "4.14.0"
PERSONS = dict(os.environ)  # before any fixture takes the person's HOME away, where pip and npm have their caches
CACHES = Path(PERSONS.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "relais-tests"
PYTHON = f"python{sys.version_info.major}.{sys.version_info.minor}"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND",
]
NAMES = ("chromium", "chromium-browser", "google-chrome")


class Missing(Exception):
    """Something that the browser needs is not here, and why it could not be had."""


def chromium() -> str:
    """The path of the machine's Chromium."""
    for name in NAMES:
        path = shutil.which(name, path=PERSONS.get("PATH"))
        if path:
            return path
    raise Missing("there is no chromium on PATH; as root, `make test-page` installs it with apt-get")


def playwright() -> Path:
    """The folder from which Playwright can be imported: that of a virtual environment which holds nothing else."""
    folder = CACHES / f"playwright-{PLAYWRIGHT}-{PYTHON}"
    packages = folder / "venv" / "lib" / PYTHON / "site-packages"
    with locked(folder):
        if not (packages / f"playwright-{PLAYWRIGHT}.dist-info" / "RECORD").is_file():
            must([sys.executable, "-m", "venv", "--clear", str(folder / "venv")])
            must([str(folder / "venv/bin/python"), "-m", "pip", "install", "--quiet", f"playwright=={PLAYWRIGHT}"])
    return packages


def axe() -> str:
    """The script of axe-core, to be run in a page."""
    folder = CACHES / f"axe-core-{AXE}"
    script = folder / "node_modules/axe-core/axe.min.js"
    with locked(folder):
        if not script.is_file():
            must(["npm", "install", "--no-fund", "--no-audit", "--fetch-retries=1", "--prefix", str(folder), f"axe-core@{AXE}"])
    return script.read_text("utf-8")


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Alone in a folder of the cache, among all test processes of this machine."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def must(argv: list[str]) -> None:
    try:
        subprocess.run(argv, env=PERSONS, capture_output=True, text=True, timeout=600, check=True)
    except (OSError, subprocess.SubprocessError) as problem:
        said = getattr(problem, "stderr", None) or problem
        raise Missing(f"{' '.join(argv[:4])} …: {str(said)[-500:]}") from None


@contextlib.contextmanager
def browser() -> Iterator[Any]:
    """A headless Chromium that can reach nobody; gone at the end with all that it wrote."""
    path, packages = chromium(), str(playwright())
    if packages not in sys.path:
        sys.path.append(packages)  # at the end: what the tests have themselves stays theirs
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home, sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=path, headless=True, args=FLAGS, env={**PERSONS, "HOME": home})
        try:
            yield started
        finally:
            started.close()


PICTURES = {
    "history": (1280, 860, "light", ""),
    "light-stop": (1280, 1400, "light", "STOP_SCOPE"),
    "light-failed": (1280, 1400, "light", "STOP_VERIFY"),
    "dark": (1280, 860, "dark", ""),
    "dark-stop": (1280, 1400, "dark", "STOP_VERIFY"),
    "dark-review": (1280, 1200, "dark", "STOP_REVIEW"),
    "phone": (390, 844, "light", ""),
    "phone-stop": (390, 844, "light", "STOP_SCOPE"),
}


def take_pictures(target: Path, names: list[str]) -> None:
    """Show a project's history in the ways it is looked at, and keep what was seen."""
    from page_runs import a_project, a_repo, page_of, write_past

    with tempfile.TemporaryDirectory() as folder, browser() as chrome:
        repo = a_repo(Path(folder))
        write_past(repo, a_project())
        address = page_of(repo).as_uri()
        for name in names:
            width, height, scheme, opened = PICTURES[name]
            context = chrome.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
            page = context.new_page()
            page.goto(address)
            if opened:
                row = page.locator("button.row", has_text=opened).first
                row.click()
                row.evaluate("row => window.scrollTo(0, row.getBoundingClientRect().top + window.scrollY - 90)")
            page.screenshot(path=target / f"{name}.png")
            context.close()


if __name__ == "__main__":
    take_pictures(Path(sys.argv[1]), sys.argv[2:] or list(PICTURES))
