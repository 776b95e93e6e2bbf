"""A long loop: does anything grow? And what does a long history cost?

    python tests/soak.py [--ticks 200] [--runs 10000] [--tries 10000] [--json FILE]

Prints the first ten ticks against the last ten (time, memory of the runner, size of the Brain's prompt), and a tick and
`status` with many runs in history against the same with none. The agent notes what it sees, so that nothing in the
runner has to know. Then every way to outlive a command is tried so often (SOAK_TRIES; hours), as we are and as a plain
user, without a sandbox and in namespaces: how many did, and what the endings took.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable, NamedTuple

from endings import CAN_BE_NOBODY, NAMES, endings
from fake_claude import WRAPPER
from helpers import RELAIS, Repo, a_result, a_task, an_environment

# Every task is new, every edit too. It notes the size of its prompt and the memory of the runner that called it.
AGENT = """\
#!{python} -ISE
import json, os, sys
if "--version" in sys.argv:
    sys.exit(print("soak 1"))
size = len(sys.stdin.buffer.read())
wrapper = {wrapper!r}
if "--append-system-prompt-file" in sys.argv:
    with open("src/app.py", "w") as file:
        file.write("%d\\n" % os.getpid() + "%f\\n" % os.times().elapsed)
    print(json.dumps(dict(wrapper, result={result!r})))
else:
    with open("/proc/%d/status" % os.getppid()) as status:
        memory = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
    with open({notes!r}, "a") as notes:
        notes.write("%d %d\\n" % (size, memory))
    task = dict({task!r}, intent="step %f" % os.times().elapsed)
    print(json.dumps(dict(wrapper, result=json.dumps(task))))
"""
FLAT, STATUS_GROWTH = 1.1, 1.1


class Row(NamedTuple):
    name: str
    first: float
    last: float
    limit: float

    @property
    def ratio(self) -> float:
        return self.last / self.first


def a_repo(folder: Path) -> Repo:
    env = an_environment(folder / "home", folder / "bin")
    repo = Repo(folder / "repo", env)
    repo.write("src/app.py", "0\n")
    for number in range(1000):
        repo.write(f"src/d{number // 50}/f{number}.txt", f"{number}\n")
    shutil.copy(RELAIS, repo.path)
    agent = folder / "bin" / "claude"
    agent.parent.mkdir(parents=True)
    task = a_task(diff_limits={"max_files_touched": 3, "max_lines_changed": 50})
    texts = {"notes": str(folder / "notes"), "wrapper": WRAPPER, "result": json.dumps(a_result()), "task": task}
    agent.write_text(AGENT.format(python=sys.executable, **texts))
    agent.chmod(0o755)
    repo.git("init", "-q")
    repo.commit("a project")
    assert repo.relais("init", "--goal", "go on", "--commit").returncode == 0
    caps = dict.fromkeys(("max_ticks", "max_orchestrator_calls", "max_builder_calls", "max_verify_runs"), 1_000_000)
    repo.configure({"budgets": {"per_milestone": caps}})
    repo.commit("configure")
    return repo


def a_loop(folder: Path, ticks: int) -> list[Row]:
    repo = a_repo(folder)
    done = repo.relais("loop", "--mode", "autonomous", "--max-ticks", str(ticks), "--json", timeout=3600)
    assert done.returncode == 0, done.stderr[-2000:]
    notes = [line.split() for line in (folder / "notes").read_text().splitlines()]
    runs = sorted((repo.path / "relais/history").glob("2*"), key=lambda path: path.stat().st_mtime_ns)
    times = [json.loads((path / "report.json").read_text())["duration_ms"] for path in runs]
    columns = {
        "time per tick, ms": times,
        "memory of the runner, kB": [float(memory) for _, memory in notes],
        "prompt, bytes": [float(size) for size, _ in notes],
    }
    return [
        Row(f"{name}: the first ten ticks against the last ten", statistics.median(c[:10]), statistics.median(c[-10:]), FLAT)
        for name, c in columns.items()
    ]


def fastest(action: Callable[[], Any], rounds: int = 7) -> float:
    took = []
    for _ in range(rounds):
        began = time.perf_counter()
        action()
        took.append(time.perf_counter() - began)
    return min(took) * 1000


def plant_history(repo: Repo, runs: int) -> None:
    sample = repo.history()
    for number in range(runs):
        target = sample.with_name(f"2020{number // 10000 % 10 + 1:04}T{number % 10000:06}Z-{number % 65536:04x}")
        target.mkdir()
        for file in sample.iterdir():
            (target / file.name).write_bytes(file.read_bytes() if file.suffix == ".json" else b"")


def walked(root: Path) -> int:
    """One walk with as little around it as there can be."""
    pending, count = [str(root)], 0
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                count += 1
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
                else:
                    os.lstat(entry.path)
    return count


def a_history(folder: Path, runs: int) -> list[Row]:
    repo = a_repo(folder)

    def tick() -> None:
        assert repo.relais("run", "--quiet").returncode == 0

    def status() -> None:
        subprocess.run([sys.executable, "relais.py", "status"], cwd=repo.path, env=repo.env, capture_output=True, check=True)

    tick()
    before = (fastest(tick), fastest(status))
    plant_history(repo, runs)
    tick()  # this one measures the sizes, once for all
    walk = fastest(lambda: walked(repo.path / "relais/history"))
    after = (fastest(tick), fastest(status))
    return [
        Row(f"tick with {runs} runs: what they add, against one walk of them, ms", walk, after[0] - before[0], 1.0),
        Row(f"status with {runs} runs against none, ms", before[1], after[1], STATUS_GROWTH),
    ]


def outlived(tries: int) -> int:
    """How many commands were outlived by something, in all settings."""
    count = 0
    for as_nobody in [False, True][: 1 + CAN_BE_NOBODY]:
        for jail in (False, True):
            where = f"{'a plain user' if as_nobody else 'as we are'}, {'namespaces' if jail else 'no sandbox'}"
            for name in NAMES:
                answer = endings(60 + tries, shapes={name: tries}, as_nobody=as_nobody, jail=jail)
                result = answer["results"][name]
                count += result["left"] + answer["goes_on"]
                mark = "MISS" if result["left"] or result["wrong"] or answer["goes_on"] else "ok  "
                took = f"{result['mean_ms']:.2f} ms, at most {result['worst_ms']:.1f}"
                print(f"{mark} {result['left']} of {tries} outlived by {name} ({where}): ended in {took}", flush=True)
    return count


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--ticks", type=int, default=200)
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--tries", type=int, default=int(os.environ.get("SOAK_TRIES", "10000")))
    parser.add_argument("--json", metavar="FILE")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = [*a_loop(Path(folder) / "loop", args.ticks), *a_history(Path(folder) / "history", args.runs)]
    for row in rows:
        mark = "ok  " if row.ratio <= row.limit else "MISS"
        print(f"{mark} {row.ratio:5.2f} (at most {row.limit})  {row.name}: {row.first:.1f} → {row.last:.1f}")
    if args.json:
        Path(args.json).write_text(json.dumps([row._asdict() for row in rows], indent=2) + "\n")
    return 1 if outlived(args.tries) else 0


if __name__ == "__main__":
    sys.exit(main())
