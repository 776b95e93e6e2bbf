"""What a person does in VS Code, done in a real one: the keys, the pickers, the Problems panel, the schemas."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers import Claude, Repo, a_result, a_task, an_environment
from vscode import Server, Unavailable, Window, browser, eventually, install

pytestmark = pytest.mark.slow
PICTURES = Path(__file__).resolve().with_name("pictures")
EDIT = {"src/app.py": "one\n2\nthree\n"}


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Callable[[Path], Window]]]:
    """Where the server looks for `claude`, and what opens a folder in a new window."""
    try:
        chromium = install()
    except Unavailable as problem:
        pytest.skip(f"LOUD: nothing was tested in VS Code: {problem}")
    folder = tmp_path_factory.mktemp("vscode")
    bin_dir = folder / "bin"
    bin_dir.mkdir()
    server = Server(folder, an_environment(folder / "home", bin_dir))
    try:
        address = server.address()
        with browser(chromium) as chrome:
            yield bin_dir, lambda path: Window(chrome, address, path)
    finally:
        server.close()


@pytest.fixture
def opens(workbench: tuple[Path, Callable[[Path], Window]], claude: Claude, tmp_path: Path) -> Iterator[Callable[[Repo], Window]]:
    """Opens a repo in a window whose tasks find this test's fake `claude`."""
    bin_dir, new_window = workbench
    (bin_dir / "claude").unlink(missing_ok=True)
    (bin_dir / "claude").symlink_to(claude.bin_dir / "claude")
    opened: list[Window] = []

    def open_window(repo: Repo) -> Window:
        opened.append(new_window(repo.path))
        return opened[-1]

    yield open_window
    for number, window in enumerate(opened):
        window.page.screenshot(path=tmp_path / f"last-{number}.png")
        window.close()


def plays(claude: Claude, builder: dict[str, Any], **task: Any) -> None:
    claude.plays({"says": a_task(**task)}, builder)


def test_one_key_runs_a_tick_and_the_terminal_says_success(repo: Repo, claude: Claude, opens: Callable[[Repo], Window]) -> None:
    plays(claude, {"says": a_result(), "writes": EDIT})
    before = repo.head
    window = opens(repo)

    window.build()

    eventually(lambda: "SUCCESS" in window.terminal(), "SUCCESS in the terminal")
    assert not window.asks()
    assert repo.git("show", "HEAD:src/app.py") == EDIT["src/app.py"]
    assert repo.git("rev-parse", "HEAD^").strip() == before
    assert window.problems() == []
