"""The package: what it loads when, and that its own folder belongs to the runner like relais.py does."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from helpers import RELAIS, SOURCES, Claude, Repo, a_result, a_task

WATCHED = Path(__file__).with_name("watched.py")
EDIT: dict[str, Any] = {"says": a_result(), "writes": {"src/app.py": "2\n"}}
LIMIT = "You've hit your usage limit · resets 3am (Europe/Paris)"
PASSES = json.dumps({"summary": "s", "criteria": [{"criterion": "The change does what the task's intent says, and nothing else.", "verdict": "pass", "evidence": "e"}]})
# What is played, how it is configured, which command, and how it ends.
SCENES: dict[str, tuple[list[dict[str, Any]], dict[str, Any], list[str], int]] = {
    "success": ([{"says": a_task(verification={"fast": ["ok"]})}, EDIT], {}, ["run"], 0),
    "no valid answer": ([{"says": a_task()}, {"says": "no json \x1b here", "writes": {"src/app.py": "2\n"}}], {}, ["run"], 0),
    "stop": ([{"says": a_task()}, {"says": a_result(), "writes": {"README.md": "x\n"}}], {}, ["run"], 10),
    "failed check and baseline": ([{"says": a_task(verification={"fast": ["fail"]})}, EDIT], {"verification": {"baseline": True}}, ["run"], 10),
    "review": ([{"says": a_task()}, EDIT, {"says": PASSES}], {"review": {"enabled": True}}, ["run"], 0),
    "limit": ([{"says": a_task()}, {"says": LIMIT, "wrapper": {"is_error": True, "api_error_status": 429}}], {}, ["run"], 75),
    "no builder CLI": ([{"says": a_task()}, {"exits": 7}], {}, ["run"], 10),
    "loop": ([{"says": a_task()}, EDIT, {"says": a_task(intent="more")}, {"says": a_result(), "writes": {"src/app.py": "3\n"}}], {}, ["loop", "--mode", "milestone", "--max-ticks", "2"], 0),
    "bug": ([{"says": a_task()}, EDIT], {}, ["run", "--verbose"], 70),
}


def played(program: str, scene: str, repo: Repo, claude: Claude, notes: Path) -> dict[str, Any]:
    turns, configured, command, status = SCENES[scene]
    repo.configure(configured)
    claude.plays(*turns)
    bug = "bug" if scene == "bug" else ""
    argv = [sys.executable, "-I", "-S", str(WATCHED), str(notes), program, bug, *command]
    done = subprocess.run(argv, cwd=repo.path, env=repo.env, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    seen: dict[str, Any] = json.loads(notes.read_text())
    assert seen["builders"]
    return seen


# Nobody can break the judge of a file that is run whole.
PLAYED = [(program, scene) for program in ("package", "one file") for scene in SCENES if (program, scene) != ("one file", "bug")]


@pytest.mark.parametrize(("program", "scene"), PLAYED)
def test_after_the_first_builder_nothing_is_imported_and_nothing_carried_is_read(program: str, scene: str, repo: Repo, claude: Claude, tmp_path: Path) -> None:
    shutil.copy(RELAIS, tmp_path / "relais.py")
    seen = played("package" if program == "package" else str(tmp_path / "relais.py"), scene, repo, claude, tmp_path / "notes.json")
    library = Path(json.__file__).resolve().parent.parent

    assert seen["imported"] == []
    assert [path for path in seen["opened"] if Path(path).is_relative_to(SOURCES) or Path(path).is_relative_to(library)] == []
    assert str(tmp_path / "relais.py") not in seen["opened"]


def in_the_repo(repo: Repo, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the package that lies in the repo itself."""
    program = "import sys; sys.path.insert(0, 'vendor'); from relais import main; sys.exit(main())"
    argv = [sys.executable, "-I", "-S", "-B", "-c", program, *arguments]
    return subprocess.run(argv, cwd=repo.path, env=repo.env, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("path", ["vendor/relais/version.py", "vendor/relais/assets/jail.py", "vendor/relais/judge/new.py"])
def test_the_folder_of_the_package_belongs_to_the_runner(path: str, repo: Repo, claude: Claude) -> None:
    shutil.copytree(SOURCES / "relais", repo.path / "vendor/relais", ignore=shutil.ignore_patterns("__pycache__"))
    repo.commit("the package")
    before = repo.tree()
    claude.plays({"says": a_task(scope={"allowed_globs": ["**"], "allow_new_files": True})}, {"says": a_result(), "writes": {path: "x = 1\n"}})

    done = in_the_repo(repo, "run")

    assert (done.returncode, repo.report["code"]) == (10, "STOP_RUNNER_OWNED_MUTATION"), done.stderr
    assert repo.tree() == before


@pytest.mark.parametrize("name", ["json", "argparse"])
def test_python_m_relais_imports_nothing_from_the_folder_it_is_started_in(name: str, repo: Repo) -> None:
    repo.write(f"{name}.py", f"raise SystemExit('{name}.py of the repo was run')\n")
    (repo.path / "relais.py").unlink()  # Python itself would take it for the package before any code of ours runs
    env = {**repo.env, "PYTHONPATH": str(SOURCES)}
    start = "import sys, runpy; sys.path.insert(0, ''); sys.argv[0] = '-m'; runpy.run_module('relais', run_name='__main__', alter_sys=True)"
    done = subprocess.run([sys.executable, "-c", start, "status"], cwd=repo.path, env=env, capture_output=True, text=True, timeout=60, check=False)

    assert done.returncode == 0, done.stderr


def test_a_schema_that_is_edited_later_needs_what_was_loaded_before(repo: Repo, claude: Claude) -> None:
    """In the second tick of a loop nothing may be imported any more, not even to check by a person's own schema."""
    schema = json.loads(repo.read("relais/schemas/task.schema.json"))
    claude.plays({"says": a_task()}, EDIT, {"says": a_task(intent="more")}, EDIT)
    schema["title"] = "Mine"
    program = f"""
import json, sys
sys.path.insert(0, {str(SOURCES)!r})
import relais.tick.loop as loops
from relais import main
before = loops.next_run
def edited(run):
    with open("relais/schemas/task.schema.json", "w") as file:
        json.dump({schema!r}, file)
    return before(run)
loops.next_run = edited
sys.argv = ["relais", "loop", "--mode", "milestone", "--max-ticks", "2"]
sys.exit(main())
"""
    done = subprocess.run([sys.executable, "-I", "-c", program], cwd=repo.path, env=repo.env, capture_output=True, text=True, timeout=120, check=False)

    assert done.returncode == 20, done.stdout + done.stderr
    assert repo.blocked["code"] == "BLOCKED_MISSING_CONFIG"
    assert "task.schema.json was edited since this relais began" in repo.blocked["reason"]
