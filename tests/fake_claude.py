"""A stand-in for the `claude` CLI: plays the next turn of a script and notes how it was called.

FAKE_CLAUDE_DIR holds script.json, a list of turns, and gets calls.jsonl, one line per call. What a turn
can do is what `play` does, in that order; every key is optional. `--version` is not a turn.

Tests start it thousands of times: what only few turns need is imported by those.
"""

from __future__ import annotations

import fcntl
import json
import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Turn = dict[str, Any]

VERSION = "2.1.325 (Claude Code)"
NO_TURN_LEFT = 97
NOTED = ("TMPDIR", "PYTHONPYCACHEPREFIX")
NOTED_PREFIXES = ("GIT_", "CLAUDE_", "RELAIS_")
CHUNK = 65536
WRAPPER = {
    "type": "result",
    "subtype": "success",
    "is_error": False,
    "num_turns": 1,
    "result": "done",
    "duration_ms": 222,
    "duration_api_ms": 29,
    "session_id": "9dbdcce9-53f8-4078-b292-077320bff55f",
    "total_cost_usd": 0.01,
    "usage": {"input_tokens": 10, "output_tokens": 5},
    "permission_denials": [],
}


def note_call(folder: str) -> int:
    """Append this call to the notes and return its number, counted from 0."""
    call = {
        "argv": sys.argv[1:],
        "stdin": sys.stdin.buffer.read().decode("utf-8", "surrogateescape"),
        "cwd": os.getcwd(),
        "env": {
            name: value
            for name, value in os.environ.items()
            if name in NOTED or name.startswith(NOTED_PREFIXES)
        },
    }
    with open(os.path.join(folder, "calls.jsonl"), "ab+") as notes:
        fcntl.flock(notes, fcntl.LOCK_EX)
        notes.seek(0)
        number = len(notes.readlines())
        notes.write(json.dumps(call).encode() + b"\n")
    return number


def turn_number(folder: str, number: int) -> Turn:
    turns: list[Turn] = []
    if os.path.exists(os.path.join(folder, "script.json")):
        with open(os.path.join(folder, "script.json"), encoding="utf-8") as script:
            turns = json.load(script)
    if number >= len(turns):
        print(f"fake claude: call {number + 1}, but the script has {len(turns)} turns", file=sys.stderr)
        sys.exit(NO_TURN_LEFT)
    return turns[number]


def put(path: str, content: bytes) -> None:
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)


def touch_files(turn: Turn) -> None:
    for path, text in turn.get("writes", {}).items():
        put(path, text.encode("utf-8", "surrogateescape"))
    for path, encoded in turn.get("writes_b64", {}).items():
        import base64

        put(path, base64.b64decode(encoded))
    for path in turn.get("deletes", []):
        os.unlink(path)
    for path, mode in turn.get("chmods", {}).items():
        os.chmod(path, int(mode, 8))


def run_code(turn: Turn) -> None:
    for argv in turn.get("runs", []):
        import subprocess

        subprocess.run(
            argv,
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    if "python" in turn:
        exec(compile(turn["python"], "<turn>", "exec"), {"__name__": "turn"})


def flood(stdout_bytes: int, stderr_bytes: int) -> None:
    """Fill both pipes in turns: a reader that drains only one of them hangs."""
    left = {sys.stdout.buffer: stdout_bytes, sys.stderr.buffer: stderr_bytes}
    while any(left.values()):
        for pipe, count in left.items():
            pipe.write(b"x" * min(count, CHUNK))
            pipe.flush()
            left[pipe] = count - min(count, CHUNK)
    print(flush=True)
    print(file=sys.stderr, flush=True)


def make_noise(turn: Turn) -> None:
    sys.stderr.write(turn.get("stderr", ""))
    sys.stderr.flush()
    time.sleep(turn.get("sleeps", 0))
    if "floods" in turn:
        flood(*turn["floods"])
    if "signals" in turn:
        os.kill(os.getpid(), turn["signals"])


def answer(turn: Turn) -> str:
    if "raw" in turn:
        return str(turn["raw"])
    says = turn.get("says", WRAPPER["result"])
    result = says if isinstance(says, str) else json.dumps(says)
    wrapper = {**WRAPPER, "result": result, **turn.get("wrapper", {})}
    without = turn.get("without", [])
    return json.dumps({key: value for key, value in wrapper.items() if key not in without}) + "\n"


def play(turn: Turn) -> int:
    touch_files(turn)
    run_code(turn)
    make_noise(turn)
    sys.stdout.buffer.write(answer(turn).encode("utf-8", "surrogateescape"))
    sys.stdout.buffer.flush()
    return int(turn.get("exits", 0))


def main() -> int:
    if sys.argv[1:] == ["--version"]:
        print(VERSION)
        return 0
    folder = os.environ["FAKE_CLAUDE_DIR"]
    return play(turn_number(folder, note_call(folder)))


if __name__ == "__main__":
    sys.exit(main())
