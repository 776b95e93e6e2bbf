"""A tick cut off at each of its effects in turn, and two ticks at once: nothing is lost, nothing is free, nothing is done twice."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from helpers import RELAIS, Claude, Document, Process, Repo, Tree, a_result, a_task, an_environment, until

from relais.contract.state import Ledger, State, state_document
from relais.settings.admission import validator
from relais.world.processes import marked_processes

EFFECTS = Path(__file__).resolve().with_name("effects.py")
PYTHON = shutil.which(os.environ.get("RELAIS_PYTHON") or sys.executable) or sys.executable
PATIENCE = 60.0
COUNTERS = ("ticks", "orchestrator_calls", "builder_calls", "verify_runs", "patch_attempts")
Turns = list[dict[str, Any]]
Listed = Callable[[str], list[str]]


# --- what is cut off --------------------------------------------------------------------------


class Scenario(NamedTuple):
    turns: Turns
    writes: Mapping[str, str]
    exit_status: int = 0
    prepare: Callable[[Repo], object] = lambda _: None


# An agent does not end because its runner did: ours, if it finds itself alone, works on for longer than anybody would wait.
# The runner's lock tells, in a sandbox too: the kernel gives it back when its holder is gone.
LINGERS = """
import contextlib, fcntl, os, time
with contextlib.suppress(BlockingIOError):
    root = os.open(".", os.O_RDONLY)
    fcntl.flock(root, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.close(root)
    open(os.environ["FAKE_CLAUDE_DIR"] + "/lingers", "w").close()
    time.sleep(600)
"""
EDIT = {"src/app.py": "one\n2\nthree\n"}
OFFENCES = {"package.json": "[]\n", ".env": "KEY=2\n", "new.log": "new\n"}
COMMITS = "git -c user.name=x -c user.email=x@x commit -q -a -m mine".split()
PATCH = "--- a/src/app.py\n+++ b/src/app.py\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"
SPENT = {"ticks": 3, "orchestrator_calls": 4, "builder_calls": 2, "verify_runs": 5, "patch_attempts": 1}


def spend_another_milestone(repo: Repo) -> None:
    ledger = Ledger(**SPENT)
    state = State(milestone_id="M0", budgets=ledger, total=ledger)
    repo.write("relais/STATE.json", json.dumps(state_document(state)))


SCENARIOS = {
    "committed": Scenario(
        [{"says": a_task(verification={"fast": ["ok"]})}, {"says": a_result(), "writes": EDIT, "python": LINGERS}],
        EDIT,
    ),
    "rejected": Scenario(
        [{"says": a_task()}, {"says": a_result(), "writes": {**EDIT, **OFFENCES}, "runs": [COMMITS], "python": LINGERS}],
        {},
        exit_status=10,
    ),
    "patched, on another milestone": Scenario(
        [{"says": a_task(builder={"mode": "patch", "patch": PATCH})}],
        EDIT,
        prepare=spend_another_milestone,
    ),
}
NEXT_EDIT = {"src/util.py": "def double(number):\n    return number + number\n"}
NEXT_PATCH = (
    "--- a/src/util.py\n+++ b/src/util.py\n@@ -1,2 +1,2 @@\n def double(number):\n-    return 2 * number\n+    return number + number\n"
)
NEXT = {"says": a_task(task_id="t-2", intent="add instead", builder={"mode": "patch", "patch": NEXT_PATCH})}


class Made(NamedTuple):
    """What worlds are made of."""

    template: Path
    program: Path


@pytest.fixture(scope="session")
def made(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The project, and relais as pip installs it: with bytecode, without which these tests would take twice as long."""
    folder = tmp_path_factory.mktemp("installed")
    shutil.copy(RELAIS, folder)
    subprocess.run([PYTHON, "-m", "py_compile", "relais.py"], cwd=folder, check=True)
    program = folder / "relais"
    program.write_text(f"#!{PYTHON}\nimport sys\nsys.path.insert(0, {str(folder)!r})\nfrom relais import main\nsys.exit(main())\n")
    program.chmod(0o755)
    return Made(template, program)


class World:
    """A copy of the small project with a home, an agent and a `relais` of its own: no two deaths meet."""

    def __init__(self, folder: Path, made_of: Made, scenario: Scenario) -> None:
        self.folder, self.notes, self.program = folder, folder / "effects", folder / "bin" / "relais"
        self.claude = Claude(folder / "bin", folder / "home" / ".claude" / "fake")
        self.claude.install()
        self.claude.plays(*scenario.turns)
        shutil.copy(made_of.program, self.program)
        shutil.copytree(made_of.template, folder / "repo", symlinks=True)
        self.repo = Repo(folder / "repo", an_environment(folder / "home", folder / "bin"))
        scenario.prepare(self.repo)
        self.tree, self.git_dir, self.head, self.total = self.repo.tree(), self.git_dir_tree(), self.repo.head, self.spent()

    def start(self, *argv: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            argv,
            cwd=self.repo.path,
            env=self.repo.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            timeout=PATIENCE,
            check=False,
        )

    def run(self, effect: int, death: signal.Signals) -> int:
        """One tick, with `death` upon the runner at that effect (at none if 0); its exit status."""
        return self.start(PYTHON, str(EFFECTS), str(self.notes), str(effect), str(int(death)), str(self.program), "run").returncode

    def type(self, command: str) -> subprocess.CompletedProcess[str]:
        return self.start("sh", "-c", command)

    @property
    def effects(self) -> list[str]:
        return self.notes.read_text("utf-8").splitlines()

    def has(self, name: str) -> bool:
        return os.path.lexists(self.repo.path / "relais" / name)

    def git_dir_tree(self) -> Tree:
        return {path: entry for path, entry in self.repo.git_dir_tree().items() if path != "refs/heads/main"}

    def spent(self, ledger: str = "total") -> Document:
        found: Document = self.repo.state[ledger] if self.has("STATE.json") else dict.fromkeys(COUNTERS, 0)
        return found

    def committed(self) -> list[str]:
        """The task of each new commit, oldest first; "" for one that names none."""
        trailer = "%(trailers:key=Relais-Task,valueonly,separator=%x2C)"
        return self.repo.git("log", "--reverse", f"--format={trailer}", f"{self.head}..HEAD").split("\n")[:-1]

    def processes(self) -> dict[int, bool]:
        """What runs here, told by its environment, and whether it carries the mark of a run. Nothing where there is no /proc."""
        found = {}
        for entry in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                environment = (entry / "environ").read_bytes()
                if os.fsencode(self.folder) + b"/" in environment:
                    found[int(entry.name)] = b"RELAIS_RUN=" in environment
        return found

    def settle(self) -> None:
        """Wait for what the dead runner had started: its git, its Brain and its check end, its Hands linger until they are ended."""
        lingers = self.claude.notes_dir / "lingers"
        until(lambda: all(self.processes().values()) if lingers.exists() else not self.processes(), PATIENCE)

    def end(self) -> None:
        for pid in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


@pytest.fixture(scope="session")
def listed(made: Made, tmp_path_factory: pytest.TempPathFactory) -> Listed:
    """The effects of a scenario's whole tick, found out once."""
    known: dict[str, list[str]] = {}

    def effects(name: str) -> list[str]:
        if name not in known:
            world = World(tmp_path_factory.mktemp("listed") / "world", made, SCENARIOS[name])
            assert world.run(0, signal.SIGKILL) == SCENARIOS[name].exit_status
            known[name] = world.effects
        return known[name]

    return effects


def kind(effect: str) -> str:
    return effect.partition(" '")[0]


def is_a_state_of_its_own(effect: str) -> bool:
    """Whether the disk can be another one than at the effect's neighbours.

    All but those called "after" are named before they happen. So the state before an fsync is the one after it (who is
    killed loses no page of the kernel's), the one before a spawn is that of the Popen named next, and a scratch file is removed
    where there is none: that state is the one before the open that follows.
    """
    return effect not in {"before fsync", "before spawn"} and not (kind(effect) == "os.remove" and effect.endswith(".tmp'"))


def moving_the_branch(effects: list[str]) -> int:
    """The number of the effect right before the branch moves: the first spawn after it was noted which commit comes."""
    noted = max(number for number, effect in enumerate(effects, 1) if effect.startswith("open") and effect.endswith("/committing.tmp'"))
    return next(number for number, effect in enumerate(effects[noted:], noted + 1) if effect == "before spawn")


def each(effects: list[str], numbers: Iterable[int], worlds: Callable[[int], World], check: Callable[[World, int], None]) -> None:
    """Check a world for each of these effects; at the end, say which ones failed, and leave their worlds to be looked at."""
    failures = []
    for number in numbers:
        world = worlds(number)
        try:
            check(world, number)
        except Exception as problem:
            failures.append(f"effect {number}, {effects[number - 1]}:\n{type(problem).__name__}: {problem}")
        else:
            shutil.rmtree(world.folder)
        finally:
            world.end()
    assert not failures, "\n\n".join(failures)


# --- what must hold ---------------------------------------------------------------------------


def check_files(world: World) -> None:
    """Whatever is there is whole."""
    for path in (world.repo.path / "relais").glob("*.json"):
        json.loads(path.read_bytes())
    if world.has("STATE.json"):
        validator("state", "", "")(world.repo.state)


def calls(world: World) -> tuple[int, int]:
    """How often the agent was really called: first as the Brain, then as the Hands."""
    return min(world.claude.count, 1), max(world.claude.count - 1, 0)


def check_ledgers(world: World, brain: int, hands: int) -> None:
    """No call that was made is missing in the ledger of all milestones, which is the sum of theirs."""
    total, ledgers = world.spent(), [world.spent("budgets")]
    assert total["orchestrator_calls"] - world.total["orchestrator_calls"] >= brain, "a free call of the Brain"
    assert total["builder_calls"] - world.total["builder_calls"] >= hands, "a free call of the Hands"
    ledgers += [json.loads(path.read_bytes()) for path in (world.repo.path / "relais/history/milestones").glob("*.json")]
    assert {name: sum(ledger[name] for ledger in ledgers) for name in COUNTERS} == {name: total[name] for name in COUNTERS}


def check_rest(world: World, *changes: Mapping[str, str]) -> None:
    """All is as it was before, but for these changes; nobody is at work, and nothing says so."""
    texts = {path: text.encode() for writes in changes for path, text in writes.items()}
    assert world.repo.status == ""
    assert world.repo.tree() == {path: (mode, texts.get(path, content)) for path, (mode, content) in world.tree.items()}
    assert world.git_dir_tree() == world.git_dir
    assert not world.has("lock.json")
    assert not world.has("inflight.json")
    assert not world.processes()


def go_on(world: World) -> None:
    """Start again; where that is refused, type what BLOCKED.json says, and start once more."""
    done = world.type("relais run")
    if done.returncode == 20:
        for command in world.repo.blocked["remediation"]:
            if world.type(command).returncode == 20:  # its builder, which nothing confined, went on without it
                world.type(f"{command} --undo")
        done = world.type("relais run")
    assert done.returncode == 0, done.stderr


# --- kill -9 ----------------------------------------------------------------------------------

KILL_CHUNKS = 16


# Every sixteenth death in `make test`; all of them, and those of a patch, in `make test-guards` and `make test-all`.
@pytest.mark.parametrize("chunk", [pytest.param(chunk, marks=[pytest.mark.slow] * (chunk > 0)) for chunk in range(KILL_CHUNKS)])
@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * ("patched" in name)) for name in SCENARIOS])
def test_a_runner_may_be_killed_at_any_effect(name: str, chunk: int, made: Made, tmp_path: Path, listed: Listed) -> None:
    scenario, effects = SCENARIOS[name], listed(name)
    numbers = [number for number, effect in enumerate(effects, 1) if is_a_state_of_its_own(effect)]

    def check(world: World, number: int) -> None:
        assert world.run(number, signal.SIGKILL) == -signal.SIGKILL
        assert kind(world.effects[-1]) == kind(effects[number - 1]), "not the effect it was meant for"
        world.settle()
        brain, hands = calls(world)
        check_files(world)
        counted = world.spent("budgets")
        assert counted["orchestrator_calls"] >= brain, "a free call of the Brain"
        assert counted["builder_calls"] >= hands, "a free call of the Hands"

        world.claude.plays(NEXT)
        go_on(world)

        is_made = scenario.exit_status == 0 and number > moving_the_branch(effects) + 1
        assert world.committed() == [*["t-1"] * is_made, "t-2"]
        check_files(world)
        check_ledgers(world, brain + 1, hands + 1)
        check_rest(world, scenario.writes if is_made else {}, NEXT_EDIT)

    each(effects, numbers[chunk::KILL_CHUNKS], lambda number: World(tmp_path / f"effect-{number}", made, scenario), check)


# --- what recovery leaves alone ---------------------------------------------------------------


def died_before(effects: list[str], words: str) -> int:
    return next(number for number, effect in enumerate(effects, 1) if words in effect)


def test_a_tick_that_was_reported_before_it_died_keeps_its_verdict(made: Made, tmp_path: Path, listed: Listed) -> None:
    world = World(tmp_path / "world", made, SCENARIOS["rejected"])
    world.run(died_before(listed("rejected"), "/journal'"), signal.SIGKILL)
    world.settle()
    report, state = world.repo.report, world.repo.state
    assert report["code"].startswith("STOP_SCOPE")

    assert world.type("relais recover --undo").returncode == 0

    assert (world.repo.report, world.repo.state) == (report, state)
    assert world.repo.git("rev-parse", report["rollback"]["rescue_ref"])
    assert world.type("relais status --preflight").returncode == 0


def test_a_rescue_made_before_the_death_is_still_a_rescue_after_it(made: Made, tmp_path: Path, listed: Listed) -> None:
    world = World(tmp_path / "world", made, SCENARIOS["rejected"])
    world.run(died_before(listed("rejected"), "/REPORT.json.tmp'"), signal.SIGKILL)
    world.settle()

    world.type("relais recover --undo")

    ref = world.repo.report["rollback"]["rescue_ref"]
    assert world.repo.git("show", f"{ref}:src/app.py") == EDIT["src/app.py"]
    assert not world.repo.git("for-each-ref", "refs/relais/kept").count("rescue")


def test_a_check_on_the_base_is_not_free_after_a_death(made: Made, tmp_path: Path) -> None:
    scenario = Scenario([{"says": a_task(verification={"fast": ["fail"]})}, {"says": a_result(), "writes": EDIT}], {}, 10)
    whole = World(tmp_path / "whole", made, scenario)
    whole.repo.configure({"verification": {"baseline": True}})
    whole.run(0, signal.SIGKILL)
    checks = [number for number, effect in enumerate(whole.effects, 1) if effect == "after spawn" and "print('boom')" in whole.effects[number - 2]]
    assert len(checks) == 2

    world = World(tmp_path / "world", made, scenario)
    world.repo.configure({"verification": {"baseline": True}})
    world.run(checks[1], signal.SIGKILL)
    world.settle()
    world.type("relais recover --undo")

    assert world.spent("budgets")["verify_runs"] == world.spent("total")["verify_runs"] == 2


def test_what_starts_itself_anew_does_not_outlive_recovery(made: Made, tmp_path: Path, listed: Listed) -> None:
    """A builder whose processes hand on to the next one and die, again and again."""
    respawns = "import os, time\nif os.fork() == 0:\n    os.setsid()\n    while True:\n        time.sleep(0.01)\n        if os.fork():\n            os._exit(0)\n"
    scenario = Scenario([{"says": a_task()}, {"says": a_result(), "writes": EDIT, "python": respawns + "time.sleep(600)"}], {})
    world = World(tmp_path / "world", made, scenario)
    process = subprocess.Popen([str(world.program), "run"], cwd=world.repo.path, env=world.repo.env, stderr=subprocess.DEVNULL)
    until(lambda: world.claude.count == 2 and (world.repo.path / "src/app.py").read_text() == EDIT["src/app.py"], PATIENCE)
    time.sleep(0.2)
    process.kill()
    process.wait()

    assert world.type("relais recover --undo").returncode == 0

    assert not marked_processes("RELAIS_RUN=" + world.repo.report["run_id"])


# --- Ctrl-C -----------------------------------------------------------------------------------

FIRST, EVERY, INTERRUPT_CHUNKS = 3, 5, 4


@pytest.mark.parametrize("chunk", [pytest.param(chunk, marks=[pytest.mark.slow] * (chunk > 0)) for chunk in range(INTERRUPT_CHUNKS)])
def test_an_interrupted_runner_leaves_nothing_to_recover(chunk: int, made: Made, tmp_path: Path, listed: Listed) -> None:
    scenario, effects = SCENARIOS["committed"], listed("committed")
    numbers = range(FIRST, len(effects) + 1, EVERY)
    locked = next(number for number, effect in enumerate(effects, 1) if effect.endswith("/relais/lock.json.tmp'"))

    def check(world: World, number: int) -> None:
        is_made = number >= moving_the_branch(effects)
        done = scenario.writes if is_made else {}

        assert world.run(number, signal.SIGINT) == 128 + signal.SIGINT
        assert world.committed() == ["t-1"] * is_made
        assert world.has("REPORT.json") or number < locked, "there was a tick, and there is no report of it"
        if world.has("REPORT.json"):
            assert world.repo.report["code"] == ("SUCCESS" if is_made else "STOP_INTERRUPTED")
        check_files(world)
        check_rest(world, done)

        brain, hands = calls(world)
        world.claude.plays(NEXT)
        again = world.type("relais run")
        assert again.returncode == 0, again.stderr
        assert world.committed() == [*["t-1"] * is_made, "t-2"]
        check_ledgers(world, brain + 1, hands + 1)
        check_rest(world, done, NEXT_EDIT)

    each(effects, numbers[chunk::INTERRUPT_CHUNKS], lambda number: World(tmp_path / f"effect-{number}", made, scenario), check)


# --- two at once ------------------------------------------------------------------------------

ROUNDS, ROUND_CHUNKS = 50, 5


def a_step(number: int, *, once: Path) -> Turns:
    """A task whose Brain answers only once there is such a file, and the work for it."""
    waits = f"import os, time\nwhile not os.path.exists({str(once)!r}): time.sleep(0.005)"
    task = a_task(task_id=f"t-{number}", intent=f"step {number}")
    return [{"says": task, "python": waits}, {"says": a_result(), "writes": {"src/app.py": f"line {number}\n"}}]


@pytest.mark.parametrize("chunk", [pytest.param(chunk, marks=[pytest.mark.slow] * (chunk > 0)) for chunk in range(ROUND_CHUNKS)])
def test_of_two_runners_started_together_one_gets_in_and_is_not_harmed(
    chunk: int, repo: Repo, claude: Claude, start: Callable[[], Process]
) -> None:
    tree = repo.tree()
    for number in range(chunk, ROUNDS, ROUND_CHUNKS):
        base, go = repo.head, claude.notes_dir / f"go-{number}"
        claude.plays(*a_step(number, once=go), *a_step(number, once=go))

        first, second = start("run"), start("run")
        until(lambda both=(first, second): any(process.poll() is not None for process in both) or claude.count > 1, PATIENCE)
        go.touch()
        words = {process.wait(PATIENCE): process.communicate()[1] for process in (first, second)}

        assert words.keys() == {0, 20}, f"round {number}: {words}"
        assert "BLOCKED_LOCK_HELD" in words[20]
        assert (repo.report["code"], repo.report["task"]["task_id"], claude.count) == ("SUCCESS", f"t-{number}", 2)
        assert len(repo.git("rev-list", f"{base}..HEAD").split()) == 1
        assert repo.status == ""
        assert repo.tree() == {**tree, "src/app.py": (tree["src/app.py"][0], f"line {number}\n".encode())}
        assert {path.name for path in (repo.path / "relais").glob("*.json")} == {"REPORT.json", "STATE.json", "TASK.json"}
