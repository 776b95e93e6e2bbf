"""What people see while they wait."""

from __future__ import annotations

import contextlib
import json
import os
import sys

from relais.contract.codes import CAPTURE_BYTES
from relais.text.harmless import Painted, for_annotation, for_problem_place, for_terminal
from relais.text.words import clip, fitting, visible
from relais.typed import Any, Iterator, Mapping
from relais.world.outlet import Outlet


def progress_of(event: Mapping[str, Any]) -> str:
    """What an event of a stream-json agent tells people who wait: the tool in use, a retry; nothing for the rest."""
    if event.get("subtype") == "api_retry":
        return f"retry {event.get('attempt')} after status {event.get('error_status')}"
    message = event.get("message") if event.get("type") == "assistant" else None
    content = message.get("content") if isinstance(message, dict) else None
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict) and block.get("type") == "tool_use":
            return tool_use(block.get("name"), block.get("input"))
    return ""


def tool_use(name: Any, given: Any) -> str:
    """A tool and the first thing that it was given: the file, or the command."""
    words = [value for value in given.values() if isinstance(value, str)] if isinstance(given, dict) else []
    return " ".join([str(name), *words[:1]])


def tokens_of(event: Mapping[str, Any]) -> int:
    """How many tokens an event says its model has written."""
    message = event.get("message")
    usage = message.get("usage") if isinstance(message, dict) else None
    count = usage.get("output_tokens") if isinstance(usage, dict) else None
    return count if isinstance(count, int) else 0


def discard(stream: int) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream)


def open_streams() -> None:
    """Have something to read and to write to, whatever the caller closed, and characters for whatever it can show."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 for as long as we live
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 for as long as we live
        getattr(sys, name).reconfigure(errors="backslashreplace")


class Screen:
    """What people see while they wait. Everything here goes to stderr; a closed terminal is no error."""

    token = ""  # where a CI takes commands out of what is printed: the word without which it takes none

    def __init__(self, *, quiet: bool = False) -> None:
        self.quiet = quiet
        self.is_live = not quiet and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self.has_color = self.is_live and not os.environ.get("NO_COLOR")
        self.label, self.limit, self.drawn = "", 0.0, 0.0
        self.detail, self.turns, self.tokens, self.partial = "", 0, 0, b""

    def write(self, text: str) -> None:
        try:
            Outlet.say(text)
        except (OSError, ValueError):
            # Nobody reads any more. What is buffered must not fail again when Python ends.
            discard(2)
            Outlet.descriptor = None

    def line(self, text: str) -> None:
        if not self.quiet:
            self.clear()
            self.write(f"{for_terminal(text)}\n")

    def clear(self) -> None:
        if self.is_live and self.drawn:
            self.write("\r\x1b[K")
            self.drawn = 0.0

    def note(self, label: str) -> None:
        """What is going on now, where it may take longer than a glance."""
        if self.is_live:
            self.clear()
            self.write(f"\r\x1b[K{clip(f'… {visible(label)}', self.width)}")
            self.drawn = 0.1

    def begin(self, label: str, limit: float) -> None:
        self.clear()
        self.label, self.limit = visible(label), limit
        self.detail, self.turns, self.tokens, self.partial = "", 0, 0, b""

    def hear(self, output: bytes) -> None:
        """What an agent streams while it works, line by line: the live line shows the newest of it."""
        if not self.is_live:
            return
        *lines, self.partial = (self.partial + output).split(b"\n")
        self.partial = self.partial[-CAPTURE_BYTES:]
        for line in lines:
            with contextlib.suppress(ValueError, RecursionError):
                event = json.loads(line)
                if isinstance(event, dict):
                    self.turns += event.get("type") == "assistant"
                    self.tokens += tokens_of(event)
                    self.detail = progress_of(event) or self.detail

    def waiting(self, elapsed: float) -> None:
        """The live line: what is going on, for how long, and how long it may."""
        if self.is_live and elapsed - self.drawn > 0.1:
            frame = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"[int(elapsed * 10) % 10]
            told = [f"{elapsed:.0f} s of {self.limit:.0f} s"]
            told += [f"turn {self.turns}", f"{self.tokens} tokens"] if self.turns else []
            told += [visible(self.detail)] if self.detail else []
            self.write(f"\r\x1b[K{clip(f'{frame} {self.label}  ' + ', '.join(told), self.width)}")
            self.drawn = elapsed

    @property
    def width(self) -> int:
        """How much fits on one line: a line that wraps could not be taken back."""
        with contextlib.suppress(OSError, ValueError):
            size = os.get_terminal_size(sys.stderr.fileno()).columns
            return max(20, size - 1) if size else 79
        return 79

    def countdown(self, seconds: float) -> None:
        """The live line of a wait that nothing but its end or a signal ends."""
        if self.is_live:
            hours, rest = divmod(int(seconds) + 1, 3600)
            self.note(f"{self.label}: {hours}:{rest // 60:02}:{rest % 60:02} left, Ctrl-C ends it")

    def stage(self, name: str, outcome: str, milliseconds: int) -> None:
        told, took = visible(outcome), f"  {milliseconds / 1000:.1f} s"
        self.line(f"  {name:<12} {fitting(told, self.width - 15 - len(took)) if self.is_live else told}{took}")

    def problem(self, severity: str, code: str, path: str, number: int, message: str) -> None:
        """One line for VS Code's Problems panel; nothing in it can forge another one."""
        place = f"{for_problem_place(path)}:{number}:1"
        self.line(Painted(f"relais: {severity} {code} {place}: {clip(visible(message), 160)}"))
        if self.token:
            place = f"file={for_annotation(path, ':,')},line={number},title={code}"
            command = f"::{severity} {place}::{for_annotation(clip(visible(message), 1000))}"
            self.write(f"::{self.token}::\n{command}\n::stop-commands::{self.token}\n")

    @classmethod
    @contextlib.contextmanager
    def guarded(cls) -> Iterator[None]:
        """In GitHub Actions: nothing that an agent says is taken for a command, only what `problem` writes."""
        if os.environ.get("GITHUB_ACTIONS") != "true":
            yield
            return
        cls.token, screen = os.urandom(16).hex(), cls()
        screen.write(f"::stop-commands::{cls.token}\n")
        try:
            yield
        finally:
            with contextlib.suppress(OSError, ValueError):  # what stands before it must come before it
                sys.stdout.flush()
            screen.write(f"::{cls.token}::\n")
