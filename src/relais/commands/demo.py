"""relais demo: the real tick, four times, and the stage that it and the drill play on."""

from __future__ import annotations

import json
import os
import sys

from relais.commands.output import Arguments, emit, report_lines, screen_of
from relais.contract.codes import CONFIG_FILE, EXIT_BUG, Code
from relais.contract.findings import halt
from relais.text.documents import merged
from relais.text.words import clip, visible
from relais.typed import Any, Json, Mapping, NamedTuple, cast
from relais.world.carried import asset, one_file
from relais.world.files import read_json, write_derived, write_json
from relais.world.repo import environment_without_git


class Scene(NamedTuple):
    """One tick of the demo: what it shows, the Brain's task, and which file of assets/demo the Hands write where."""

    title: str
    lesson: str
    task: Json
    writes: Mapping[str, str]


def demo_task(number: int, intent: str, **more: Any) -> Json:
    return merged(
        {
            "task_id": f"demo-{number}",
            "milestone_id": "DEMO",
            "task_kind": "execute",
            "intent": intent,
            "scope": {
                "allowed_globs": ["src/**"],
                "forbidden_globs": [],
                "allow_new_files": False,
                "allow_lockfile_changes": False,
            },
            "diff_limits": {"max_files_touched": 3, "max_lines_changed": 40},
            "verification": {"fast": ["test"], "slow": []},
            "builder": {"mode": "claude_code", "max_turns": 4, "instructions": intent},
        },
        more,
    )


SCENES = (
    Scene("a success", "The work stayed inside its fence and the test passed: relais committed exactly what it judged.",
          demo_task(1, "Give greet() a default name"), {"src/greet.py": "greet_by_default.py"}),
    Scene("a scope violation", "The Hands also edited a file outside the task: everything was rolled back, and kept as a rescue.",
          demo_task(2, "Say hello politely"), {"src/greet.py": "greet.py", "settings.ini": "settings_debug.ini"}),
    Scene("a failed verification", "The change broke the test: rolled back, and the report carries the test's own words.",
          demo_task(3, "Change the greeting"), {"src/greet.py": "greet_goodbye.py"}),
    Scene("a question", "The Brain may ask instead of guessing; nothing runs until you answer.",
          {**demo_task(4, "Ask which language to greet in", task_kind="question", verification={"fast": []},
                       question={"prompt": "Which language should greet() use?", "choices": ["English", "French"]}), "builder": None}, {}),
)  # fmt: skip


class Stage(NamedTuple):
    """A throw-away repo with a home and a scripted agent of its own."""

    folder: str
    repo: str
    env: Mapping[str, str]

    @property
    def agent(self) -> str:
        return os.path.join(self.folder, "claude")

    def step(self, *argv: str) -> str:
        """Type one command there; what it says on stdout."""
        import subprocess

        done = subprocess.run(
            argv, cwd=self.repo, env=self.env, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=120
        )
        if done.returncode not in (0, 10, 20):
            words = visible(clip((done.stderr or done.stdout).decode("utf-8", "replace").strip(), 300))
            detail = f"{os.path.basename(argv[0])} failed in the throw-away repo: {words}"
            raise halt(Code.BLOCKED_MISSING_CONFIG, detail, remedies=("relais doctor",))
        return done.stdout.decode("utf-8", "replace")

    def play(self, **scene: Any) -> Json:
        """One real tick in which the agent does as the scene says; its report."""
        result = {"summary": "done", "files_intended": [], "commands_ran": [], "notes": []}
        write_json(os.path.join(self.folder, "scene.json"), {"writes": {}, "runs": [], "result": result, **scene})
        return cast(Json, json.loads(self.step(sys.executable, "-I", "relais.py", "run", "--json")))

    def configure(self, changes: Json) -> None:
        path = os.path.join(self.repo, CONFIG_FILE)
        write_json(path, merged(read_json(path), changes))
        self.step("git", "add", "--all", "--", ".")
        self.step("git", "commit", "--quiet", "--no-verify", "--allow-empty", "-m", "chore: set up relais")


def a_stage(prefix: str) -> Stage:
    import tempfile

    folder = tempfile.mkdtemp(prefix=prefix)
    home, repo = os.path.join(folder, "home"), os.path.join(folder, "repo")
    for path in (home, repo):
        os.mkdir(path)
    env = environment_without_git()
    env.update(HOME=home, XDG_STATE_HOME=os.path.join(home, "state"))
    names = {
        f"GIT_{role}_{part}": f"relais-{part.lower()}" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")
    }
    stage = Stage(folder, repo, {**env, **names})
    write_derived(stage.agent, f"#!{sys.executable} -IS\n".encode() + asset("scripted_agent.py").encode())
    os.chmod(stage.agent, 0o700)
    return stage


def command_demo(args: Arguments) -> int:
    """The real tick, four times, in a throw-away repo with a scripted agent. No account, no network."""
    stage, screen = a_stage("relais-demo-"), screen_of(args)
    os.mkdir(os.path.join(stage.repo, "src"))
    for path, name in {"src/greet.py": "greet.py", "settings.ini": "settings.ini", "test.py": "check.py"}.items():
        write_derived(os.path.join(stage.repo, path), asset(f"demo/{name}").encode())
    write_derived(os.path.join(stage.repo, "relais.py"), one_file())
    stage.step("git", "init", "--quiet")
    stage.step(sys.executable, "-I", "relais.py", "init", "--goal", "Greet people well")
    test = {"id": "test", "cmd": sys.executable, "args": ["test.py"]}
    stage.configure({"claude_code_cli": {"command": stage.agent}, "verification": {"templates": [test]}})
    outcomes = []
    for scene in SCENES:
        task = {key: value for key, value in scene.task.items() if value is not None}
        writes = {path: asset(f"demo/{name}") for path, name in scene.writes.items()}
        document = stage.play(task=task, writes=writes)
        outcomes.append(document["code"])
        for line in (f"\n— {scene.title} —", *report_lines(document, screen, ()), f"  → {scene.lesson}"):
            screen.line(line)
    where = os.path.join(stage.repo, "relais", "history")
    expected = ["SUCCESS", "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", "STOP_VERIFY_FAILED_FAST", "SUCCESS"]
    document = {"ok": outcomes == expected, "outcomes": outcomes, "repo": stage.repo, "reports": where}
    look = f"Look around: cd {stage.repo} && git log --stat && python3 -I relais.py status"
    emit(args, document, ["", f"The reports are in {where}", look])
    return 0 if document["ok"] else EXIT_BUG
