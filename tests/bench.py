"""What relais costs, as ratios against a floor that is measured in the same run.

The floor of a tick is what no runner could leave out: Python's start, the very git and agent calls that a recorded
tick made, two walks of the same tree and as many fsyncs. Floor and subject take turns, so that a busy machine slows
both. Limits are held against min/min of the clock; beside it stand the median of the pairs, which shows the noise,
and the processor's time, which a busy machine changes least.

    python tests/bench.py [--sizes 1000,10000 | --full] [--rounds 5] [--check] [--json FILE]
"""

from __future__ import annotations

import argparse
import ast
import base64
import json
import marshal
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Callable, NamedTuple, Optional

from fake_claude import VERSION, WRAPPER
from helpers import RELAIS, SOURCES, a_result, a_task, an_environment

GIT = shutil.which("git") or "git"
SECONDS = 600
# The two ways to have relais: as the one file, which Python compiles at every start, and as a package with bytecode.
BUILT, INSTALLED = "built", "installed"
TICK_LIMITS = {BUILT: {1000: 4.5, 10_000: 2.0, 100_000: 1.3}, INSTALLED: {1000: 2.5, 10_000: 1.5, 100_000: 1.2}}
START_LIMITS = {BUILT: 8.0, INSTALLED: 1.5}
JUDGE_WALKS = 1.5
MEMORY_PYTHONS, MEMORY_BYTES_PER_FILE = {BUILT: 5.5, INSTALLED: 3.0}, 700
FLAT = 1.2
CONFINED_MS = 30
CLEAN_MODULES = 60
FILES_PER_FOLDER = 50
HISTORY_RUNS = 2000
FLOOD_BYTES = 50_000_000
COMMAND_ROUNDS = 4  # a start is short: it takes more rounds to find its minimum
EDITED = "src/d0/f0.txt"

AGENT = """\
#!/bin/sh
case "$*" in *--version*) echo "{version}"; exit;; esac
cat >/dev/null
case "$*" in
*--append-system-prompt-file*)
    read -r number <{edited}
    echo $((number + 1)) >{edited}
    [ ! -e {notes}/flood ] || {{ head -c {flood} /dev/zero | tr '\\0' x; echo; }}
    exec cat {notes}/hands.json;;
esac
exec cat {notes}/brain.json
"""

# Stands before the real program on PATH, notes the call with its environment and stdin, and passes it on.
RECORDER = """\
#!{python} -I
import base64, json, os, shutil, subprocess, sys
stdin = sys.stdin.buffer.read()
folder = os.environ.get("GIT_DIR", "")
if folder and not folder.endswith("/.git") and not os.path.exists({private!r}):
    shutil.copytree(folder, {private!r}, symlinks=True)
done = subprocess.run([{program!r}, *sys.argv[1:]], input=stdin, stdout=subprocess.PIPE)
sys.stdout.buffer.write(done.stdout)
call = dict(argv=[{program!r}, *sys.argv[1:]], stdin=base64.b64encode(stdin).decode(), cwd=os.getcwd(),
            env=dict(os.environ), says=done.stdout.decode("latin-1").strip()[:200], status=done.returncode,
            private=folder if folder and not folder.endswith("/.git") else "")
with open({log!r}, "a") as log:
    log.write(json.dumps(call) + "\\n")
sys.exit(done.returncode)
"""

# The floor: what a tick calls, in a plain script. Prints how long the parts took.
FLOOR = """\
import marshal, os, stat, subprocess, sys, time

def walk(root):
    pending, count = [root], 0
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                count += 1
                if stat.S_ISDIR(os.lstat(entry.path).st_mode) and entry.name != ".git":
                    pending.append(entry.path)
    return count

with open(sys.argv[1], "rb") as file:
    plan = marshal.load(file)
known, took = {plan["recorded_head"]: sys.argv[2]}, []
for number, (argv, stdin, cwd, env, says, status) in enumerate(plan["calls"]):
    if number in plan["walks"]:
        began = time.perf_counter()
        walk(plan["root"])
        took.append(("walk", time.perf_counter() - began))
    began = time.perf_counter()
    done = subprocess.run([known.get(word, word) for word in argv], input=stdin, cwd=cwd, env=env, capture_output=True)
    took.append((number, time.perf_counter() - began))
    if done.returncode != status:
        sys.exit("the floor's %r exited %d, not %d: %r" % (argv[-6:], done.returncode, status, done.stderr))
    known[says] = done.stdout.decode("latin-1").strip()[:200]
began = time.perf_counter()
for _ in range(plan["fsyncs"]):
    with open(plan["scratch"], "wb") as file:
        file.write(bytes(2000))
        file.flush()
        os.fsync(file.fileno())
took.append(("fsync", time.perf_counter() - began))
print(took)
"""

# Runs relais.py as `python relais.py` would, and notes its own peak of memory and its own fsyncs.
# VmHWM and not ru_maxrss: that one also counts what the parent had before the exec.
WATCHER = """\
import os, sys
notes, count, fsync = sys.argv[1], [0], os.fsync
def counted(handle):
    count[0] += 1
    return fsync(handle)
os.fsync = counted
sys.argv = sys.argv[2:]
try:
    if sys.argv:
        import runpy
        runpy.run_path(sys.argv[0], run_name="__main__")
finally:
    try:
        with open("/proc/self/status") as file:
            peak = next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) * 1024
    except OSError:
        import resource
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with open(notes, "w") as file:
        file.write("%d %d" % (peak, count[0]))
"""


class Row(NamedTuple):
    """One line of the table; without a limit it only informs."""

    what: str
    measured: float
    limit: Optional[float]
    detail: str

    @property
    def ok(self) -> bool:
        return self.limit is None or self.measured <= self.limit


class Cost(NamedTuple):
    """Seconds on the clock, and seconds of the processor (of everything that was started and waited for)."""

    wall: float
    cpu: float = 0.0


class Series(NamedTuple):
    """What the floor and the subject took, in turns."""

    floor: list[Cost]
    subject: list[Cost]

    @property
    def ratio(self) -> float:
        return min(self.subject).wall / min(self.floor).wall

    @property
    def detail(self) -> str:
        pairs = [subject.wall / floor.wall for floor, subject in zip(self.floor, self.subject)]
        cpu = [min(cost.cpu for cost in costs) for costs in self]
        return (
            f"min {milliseconds(min(self.subject).wall)} / {milliseconds(min(self.floor).wall)}, "
            f"median of pairs {statistics.median(pairs):.2f}"
            + (f", cpu {milliseconds(cpu[1])} / {milliseconds(cpu[0])} = {cpu[1] / cpu[0]:.2f}" if all(cpu) else "")
        )


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"


def megabytes(count: float) -> str:
    return f"{count / 1e6:.1f} MB"


def run(argv: Sequence[str], cwd: Path, env: Mapping[str, str], fine: Sequence[int] = (0,)) -> str:
    done = subprocess.run(
        argv, cwd=cwd, env=dict(env), stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False
    )
    if done.returncode not in fine:
        said = (done.stdout + done.stderr).decode("utf-8", "replace")
        sys.exit(f"bench: {' '.join(argv[:6])} exited {done.returncode}: {said}")
    return done.stdout.decode("utf-8", "surrogateescape")


def clean_python(folder: Path) -> str:
    """Return this Python with nothing installed: what a .pth file loads at every start would make the floor high.

    Not a pyenv shim either: that costs more than all that is measured here.
    """
    run([os.path.realpath(sys.executable), "-m", "venv", "--without-pip", str(folder)], folder.parent, os.environ)
    return str(folder / "bin" / "python")


def timed(action: Callable[[], object]) -> Cost:
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    action()
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Cost(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def in_turns(floor: Callable[[], object], subject: Callable[[], object], rounds: int) -> Series:
    """Warm both up once, then measure A B A B."""
    floor()
    subject()
    pairs = [(timed(floor), timed(subject)) for _ in range(rounds)]
    return Series([pair[0] for pair in pairs], [pair[1] for pair in pairs])


class Project:
    """A repo of `size` tracked files with relais.py in it, the instant agent, and a recorder for what is called."""

    def __init__(self, folder: Path, size: int, python: str) -> None:
        self.folder, self.size, self.python = folder, size, python
        self.path = folder / "repo"
        self.bin, self.recorders, self.notes = folder / "bin", folder / "recorders", folder / "notes"
        for made in (self.path, self.bin, self.recorders, self.notes):
            made.mkdir(parents=True)
        self.env = an_environment(folder / "home", self.bin)
        self.recording = {**self.env, "PATH": os.pathsep.join([str(self.recorders), self.env["PATH"]])}
        self.log, self.private = self.notes / "calls.jsonl", self.notes / "private"
        self.plan: dict[str, Any] = {}
        self._write_programs()
        self._write_files()

    def _write_programs(self) -> None:
        for name, says in (("brain", a_task()), ("hands", a_result(files_intended=[EDITED]))):
            (self.notes / f"{name}.json").write_text(json.dumps({**WRAPPER, "result": json.dumps(says)}) + "\n")
        agent = AGENT.format(version=VERSION, edited=EDITED, notes=self.notes, flood=FLOOD_BYTES)
        self._program(self.bin / "claude", agent)
        for name, program in (("git", GIT), ("claude", str(self.bin / "claude"))):
            text = RECORDER.format(python=self.python, program=program, log=str(self.log), private=str(self.private))
            self._program(self.recorders / name, text)
        (self.notes / "floor.py").write_text(FLOOR)
        (self.notes / "watcher.py").write_text(WATCHER)

    @staticmethod
    def _program(path: Path, text: str) -> None:
        path.write_text(text)
        path.chmod(0o755)

    def _write_files(self) -> None:
        for number in range(self.size):
            file = self.path / f"src/d{number // FILES_PER_FOLDER}/f{number}.txt"
            if number % FILES_PER_FOLDER == 0:
                file.parent.mkdir(parents=True)
            file.write_text(f"{number}\n")
        shutil.copy(self.folder.parent / "relais.py", self.path)
        self.git("init", "-q")
        self.git("config", "gc.auto", "0")  # nothing runs in the background while we measure
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "files")
        self.relais("init", "--goal", "Be measured", "--commit")
        # The floor has no sandbox, and a recorder inside one could not keep its notes.
        self.configure({"runner": {"sandbox": "off"}, "verification": {"sandbox": "off"}})
        self.git("gc", "-q")

    def configure(self, changes: Mapping[str, Mapping[str, Any]]) -> None:
        config = self.path / "relais.config.json"
        document = json.loads(config.read_text())
        for section, values in changes.items():
            document[section].update(values)
        config.write_text(json.dumps(document, indent=2) + "\n")
        self.git("commit", "-qam", "measure something else", "--allow-empty")

    def git(self, *args: str) -> str:
        return run([GIT, *args], self.path, self.env)

    @property
    def programs(self) -> dict[str, str]:
        return {BUILT: str(self.path / "relais.py"), INSTALLED: str(self.folder.parent / "installed" / "start.py")}

    def relais(self, *args: str, env: Optional[Mapping[str, str]] = None, way: str = BUILT) -> str:
        return run([self.python, self.programs[way], *args], self.path, env or self.env)

    def settle(self) -> None:
        """Give floor and tick the same start: an index that git has just refreshed."""
        self.git("reset", "-q")

    def watched(self, *args: str, fine: Sequence[int] = (0,), way: str = BUILT) -> tuple[int, int]:
        """Run relais under the watcher; return its peak of memory in bytes and its own fsyncs."""
        notes = self.notes / "watched"
        script = [self.programs[way], *args] if args else []
        run([self.python, str(self.notes / "watcher.py"), str(notes), *script], self.path, self.env, fine)
        peak, fsyncs = map(int, notes.read_text().split())
        return peak, fsyncs

    def calls(self, *args: str) -> list[dict[str, Any]]:
        """Run relais with every call of git and of the agent recorded; return the calls."""
        self.log.unlink(missing_ok=True)
        self.relais(*args, env=self.recording)
        return [json.loads(line) for line in self.log.read_text().splitlines()] if self.log.exists() else []

    def record(self) -> None:
        """Make the floor's plan from one real tick."""
        self.relais("run")  # the first tick fills the vault; the second is like all that follow
        self.settle()
        head = self.git("rev-parse", "HEAD").strip()
        calls = self.calls("run")
        self.settle()
        _, fsyncs = self.watched("run")
        self.settle()
        agents = [number for number, call in enumerate(calls) if call["argv"][0] != GIT]
        self.plan = {
            "recorded_head": head,
            "calls": [self._replayed(call) for call in calls],
            "walks": [agents[0], agents[-1] + 1],
            "root": str(self.path),
            "fsyncs": fsyncs,
            "scratch": str(self.notes / "scratch"),
        }
        (self.notes / "plan").write_bytes(marshal.dumps(self.plan))

    def _replayed(self, call: Mapping[str, Any]) -> tuple[Any, ...]:
        """The call as the floor makes it: with its own copy of relais's private git folder, the real programs."""
        ours = f"{self.recorders}{os.pathsep}"
        env = {key: value.replace(ours, "") for key, value in call["env"].items()}
        if call["private"]:
            copy = str(self.notes / "private-now")
            env = {key: value.replace(call["private"], copy) for key, value in env.items()}
        # Relais has objects made from its own copy of the files, in a store of its own; the floor has git do it at once.
        cwd = str(self.path)
        if env.pop("GIT_ALTERNATE_OBJECT_DIRECTORIES", ""):
            env.update(GIT_OBJECT_DIRECTORY=f"{cwd}/.git/objects", GIT_WORK_TREE=cwd)
        return call["argv"], base64.b64decode(call["stdin"]), cwd, env, call["says"], call["status"]

    @property
    def commands(self) -> list[list[str]]:
        """The argv of each git call of a tick, without the options that stand before the command."""
        found = []
        for argv, *_ in self.plan["calls"]:
            words = iter(argv[1:])
            rest = [word for word in words if word != "-c" or not next(words)]
            while rest[:1] and rest[0].startswith("--") and rest[0] != "--version":
                rest = rest[1:]
            if argv[0] == GIT:
                found.append(rest)
        return found

    def ready_floor(self) -> str:
        """Lay out what relais itself prepares before its private git calls; return HEAD."""
        copy = self.notes / "private-now"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.private, copy, symlinks=True)
        shutil.copy2(self.path / ".git/index", copy / "index")
        return self.git("rev-parse", "HEAD").strip()

    def floor(self, head: str) -> list[tuple[Any, float]]:
        argv = [self.python, str(self.notes / "floor.py"), str(self.notes / "plan"), head]
        took: list[tuple[Any, float]] = ast.literal_eval(run(argv, self.path, self.env))
        return took


def starts(project: Project, rounds: int) -> Iterator[Row]:
    """`--version` and `status` against the imports that such a program cannot do without."""
    bare = [project.python, "-c", "import argparse, json, subprocess"]
    for command in ("--version", "status"):
        for way in (BUILT, INSTALLED):
            series = in_turns(
                lambda: run(bare, project.path, project.env),
                lambda command=command, way=way: project.relais(command, way=way),
                rounds * COMMAND_ROUNDS,
            )
            yield Row(f"{command}, {way} / imports", series.ratio, START_LIMITS[way], series.detail)


def status_starts_no_git(project: Project) -> Row:
    calls = project.calls("status")
    return Row("status: programs started", len(calls), 0, ", ".join(call["argv"][0] for call in calls) or "none")


def status_is_flat(small: Project, large: Project, rounds: int) -> Iterator[Row]:
    """Not in the size of the repo, and not in the length of the history."""

    def status(project: Project) -> Callable[[], object]:
        return lambda: project.relais("status")

    if small is not large:
        series = in_turns(status(small), status(large), rounds * COMMAND_ROUNDS)
        yield Row(f"status, {large.size} / {small.size} files", series.ratio, FLAT, series.detail)
    history = small.path / "relais/history"
    aside, empty, long = (small.folder / f"history-{name}" for name in ("aside", "empty", "long"))
    empty.mkdir()
    long.mkdir()
    one = next(folder for folder in history.iterdir() if folder.is_dir())
    for number in range(HISTORY_RUNS):
        shutil.copytree(one, long / f"20250101T{number // 60:04}{number % 60:02}Z-{number:04x}")

    def with_history(folder: Path) -> Cost:
        history.rename(aside)
        folder.rename(history)
        took = timed(status(small))
        history.rename(folder)
        aside.rename(history)
        return took

    with_history(long)
    pairs = [(with_history(empty), with_history(long)) for _ in range(rounds * COMMAND_ROUNDS)]
    series = Series([pair[0] for pair in pairs], [pair[1] for pair in pairs])
    yield Row(f"status, {HISTORY_RUNS} / 0 runs in history", series.ratio, FLAT, series.detail)


def tick(project: Project, rounds: int) -> Iterator[Row]:
    """A whole tick against its floor, each way, and what passes between the builder's exit and the verdict."""
    project.record()
    floors: list[Cost] = []
    ticks: dict[str, list[Cost]] = {BUILT: [], INSTALLED: []}
    verdicts, after, walks = [], [], []
    for number in range(rounds + 1):
        head = project.ready_floor()
        took: list[tuple[Any, float]] = []
        floor = timed(lambda head=head, took=took: took.extend(project.floor(head)))
        project.settle()
        costs = {}
        for way in ticks:
            costs[way] = timed(lambda way=way: project.relais("run", way=way))
            project.settle()
        if number == 0:
            continue
        stages = json.loads((project.path / "relais/REPORT.json").read_text())["stages"]
        floors.append(floor)
        for way, cost in costs.items():
            ticks[way].append(cost)
        verdicts.append(Cost((stages["judge"] + stages["commit"]) / 1000))
        walks += [seconds for part, seconds in took if part == "walk"]
        after.append(sum(s for part, s in took if isinstance(part, int) and part >= project.plan["walks"][1]))
    for way, subjects in ticks.items():
        series = Series(floors, subjects)
        limit = TICK_LIMITS[way].get(project.size)
        yield Row(f"tick / floor, {way}, {project.size} files", series.ratio, limit, series.detail)
    own = Series([Cost(JUDGE_WALKS * min(walks) + seconds) for seconds in after], verdicts)
    detail = f"{own.detail}; walk {milliseconds(min(walks))}, git {milliseconds(min(after))}"
    yield Row(
        f"builder's exit to verdict / ({JUDGE_WALKS} walks + git), {project.size} files", own.ratio, 1.0, detail
    )


def checks(project: Project, rounds: int) -> Iterator[Row]:
    """What one check adds to the judge's time beside a look at the tree, and how much later it ends in the jail."""
    checked = {"templates": [{"id": "one", "cmd": "true", "args": []}], "required_fast": ["one"]}
    ways: dict[str, dict[str, Any]] = {
        "none": {"templates": [], "required_fast": []},
        "off": {**checked, "sandbox": "off"},
        "auto": {**checked, "sandbox": "auto"},
    }
    judged: dict[str, list[int]] = {way: [] for way in ways}
    took: dict[str, list[int]] = {way: [] for way in ways}
    for _ in range(rounds):
        for way, verification in ways.items():
            project.configure({"verification": verification})
            project.relais("run", way=INSTALLED)
            report = json.loads((project.path / "relais/REPORT.json").read_text())
            judged[way].append(report["stages"]["judge"])
            took[way] += [run["duration_ms"] for run in report["verification"]["runs"]]
            project.settle()
    with_one, without = min(judged["off"]), min(judged["none"])
    what = f"judge with a check / without, {project.size} files"
    yield Row(what, with_one / without, None, f"{with_one} ms / {without} ms")
    inside, outside = min(took["auto"]), min(took["off"])
    yield Row("a confined check ends later, ms", inside - outside, CONFINED_MS, f"{inside} ms / {outside} ms")
    project.configure({"verification": {**ways["none"], "sandbox": "off"}})


def counts(project: Project) -> Iterator[Row]:
    commands = project.commands
    yield Row("git processes per tick", len(commands), None, ", ".join(words[0] for words in commands))
    yield Row("the runner's own fsyncs per tick", project.plan["fsyncs"], None, "os.fsync")
    if shutil.which("strace"):
        log = project.notes / "strace"
        argv = ["strace", "-f", "-qq", "-e", "trace=fsync,fdatasync,execve", "-o", str(log)]
        run([*argv, project.python, project.programs[BUILT], "run"], project.path, project.env)
        project.settle()
        text = log.read_text(errors="replace")
        synced = len(re.findall(r" f(?:data)?sync\(", text))  # once per call, finished on the same line or not
        started = len(re.findall(r" (?:execve\(|<\.\.\. execve resumed>).*= 0", text))
        yield Row("fsyncs per tick, git's included", synced, None, "strace")
        yield Row("programs started per tick", started, None, "strace: execve, the runner included")


def memory(project: Project, way: str) -> Row:
    """The runner's own peak while the builder floods it."""
    bare, _ = project.watched()
    quiet, _ = project.watched("run", way=way)
    project.settle()
    (project.notes / "flood").touch()
    loud, _ = project.watched("run", fine=(0, 10), way=way)
    (project.notes / "flood").unlink()
    code = json.loads((project.path / "relais/REPORT.json").read_text())["code"]
    project.settle()
    pythons = MEMORY_PYTHONS[way]
    limit = pythons * bare + MEMORY_BYTES_PER_FILE * project.size
    return Row(
        f"memory / ({pythons} Pythons + {MEMORY_BYTES_PER_FILE} B a file), {way}, {project.size} files",
        loud / limit,
        1.0,
        f"{megabytes(loud)} with {megabytes(FLOOD_BYTES)} printed ({code}), {megabytes(quiet)} without, "
        f"bare Python {megabytes(bare)}, limit {megabytes(limit)}",
    )


def install(folder: Path, python: str) -> None:
    """The package with its bytecode, and what a console script starts it with."""
    shutil.copytree(SOURCES / "relais", folder / "relais", ignore=shutil.ignore_patterns("__pycache__"))
    run([python, "-m", "compileall", "-q", str(folder)], folder, os.environ)
    start = f"import sys\nsys.path[0] = {str(folder)!r}\nfrom relais import main\nsys.exit(main())\n"
    (folder / "start.py").write_text(start)


def measure(folder: Path, sizes: Sequence[int], rounds: int) -> Iterator[Row]:
    shutil.copy(RELAIS, folder)  # one and the same for all, even while somebody edits it
    python = clean_python(folder / "python")
    modules = run([python, "-c", "import sys; print(len(sys.modules))"], folder, os.environ)
    yield Row("modules of a bare start", int(modules), CLEAN_MODULES, "more: something is loaded at every start here")
    install(folder / "installed", python)
    projects = [Project(folder / str(size), size, python) for size in sizes]
    for project in projects:
        yield from tick(project, rounds)
        yield from (memory(project, way) for way in (BUILT, INSTALLED))
        yield from checks(project, rounds)
    yield from counts(projects[0])
    yield status_starts_no_git(projects[0])
    yield from starts(projects[0], rounds)
    yield from status_is_flat(projects[0], projects[-1], rounds)


def show(row: Row) -> None:
    limit = "-" if row.limit is None else f"{row.limit:g}"
    verdict = "" if row.limit is None else "ok" if row.ok else "MISSED"
    print(f"{row.what:<66} {row.measured:>8.2f} {limit:>6} {verdict:<7} {row.detail}", flush=True)


def document(rows: Sequence[Row], rounds: int) -> dict[str, Any]:
    return {
        "format": "relais-bench/1",
        "python": sys.version.split()[0],
        "rounds": rounds,
        "load": os.getloadavg(),
        "cpus": os.cpu_count(),
        "rows": [{**row._asdict(), "ok": row.ok} for row in rows],
        "missed": [row.what for row in rows if not row.ok],
    }


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure relais against the floor.")
    parser.add_argument("--sizes", default="1000,10000", help="files in the repo, separated by commas")
    parser.add_argument("--full", action="store_true", help="100,000 files too")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--check", action="store_true", help="exit 1 where a limit is missed")
    parser.add_argument("--json", metavar="FILE", help="write the rows there too")
    return parser.parse_args()


def main() -> int:
    args = arguments()
    sizes = sorted({int(size) for size in args.sizes.split(",")} | ({100_000} if args.full else set()))
    rows: list[Row] = []
    print(f"{'what':<66} {'measured':>8} {'limit':>6}", flush=True)
    with tempfile.TemporaryDirectory(prefix="relais-bench-") as folder:
        for row in measure(Path(folder), sizes, args.rounds):
            show(row)
            rows.append(row)
    load, cpus = os.getloadavg()[0], os.cpu_count() or 1
    if load > cpus:
        print(f"the machine was busy (load {load:.1f} on {cpus} cores): do not believe a missed limit")
    if args.json:
        Path(args.json).write_text(json.dumps(document(rows, args.rounds), indent=2) + "\n")
    return 1 if args.check and not all(row.ok for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
