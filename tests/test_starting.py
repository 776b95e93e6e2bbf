"""How relais is started: nothing of the repo runs as relais, and where Python itself may have run it, relais says no (siege 5)."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import zipapp
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from helpers import RELAIS, SOURCES, Claude, Repo, a_result, a_task

from relais.commands.start import Start, intrusions
from relais.starting import library_folders
from relais.world.host import leads_into, own_program, path_outside

Done = subprocess.CompletedProcess
PYTHON = sys.executable


def started(repo: Repo, *argv: str, cwd: Path | None = None, stdin: str = "", **env: str) -> Done[str]:
    return subprocess.run(
        argv, cwd=cwd or repo.path, env={**repo.env, **env}, input=stdin, capture_output=True, encoding="utf-8", errors="replace", timeout=120, check=False
    )


def plays_a_good_tick(claude: Claude) -> None:
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": {"src/app.py": "changed\n"}})


@pytest.fixture
def traps(repo: Repo, tmp_path: Path) -> Callable[..., Path]:
    """Lays modules into the repo that leave a mark when anything imports them."""
    shutil.copy(RELAIS, repo.path)  # as a module Python takes it only as text

    def lay(*names: str, folder: str = "src") -> Path:
        for name in names:
            repo.write(f"{folder}/{name}.py", f"open({str(tmp_path / 'sprung')!r}, 'a').write({name!r})\nraise ImportError({name!r})\n")
        repo.commit("traps")
        return tmp_path / "sprung"

    return lay


def an_environment_of_its_own(folder: Path) -> Path:
    """A virtual environment; its Python."""
    subprocess.run([PYTHON, "-I", "-m", "venv", "--without-pip", str(folder)], check=True, timeout=60)
    return folder / "bin" / "python3"


def site_packages(python: Path) -> Path:
    return next((python.parent.parent / "lib").glob("python3*")) / "site-packages"


# --- what stays on the path ----------------------------------------------------------------------


def path_after(repo: Repo, *options: str, **env: str) -> list[str]:
    """sys.path as relais left it."""
    program = (
        "import runpy, sys\nsys.argv = ['relais.py', '--version']\n"
        "try:\n    runpy.run_path('relais.py', run_name='__main__')\n"
        "except SystemExit:\n    print(repr([sys.path, [f.__module__ for f in sys.meta_path], sys.pycache_prefix]))\n"
    )
    (repo.path.parent / "probe.py").write_text(program)
    done = started(repo, PYTHON, *options, str(repo.path.parent / "probe.py"), **env)
    path, finders, prefix = eval(done.stdout.splitlines()[-1])  # noqa: S307 what the line above printed
    assert all(home.startswith("_frozen_importlib") for home in finders), finders
    assert prefix is None
    return list(path)


@pytest.mark.parametrize("options", [[], ["-I"], ["-P"], ["-S"], ["-s"]], ids=lambda options: " ".join(options) or "plain")
@pytest.mark.parametrize("value", [":src::", "/usr/lib"])
def test_only_the_library_stays_on_the_path_however_relais_is_started(options: list[str], value: str, repo: Repo) -> None:
    if options == ["-P"] and sys.version_info < (3, 11):
        pytest.skip("-P is of Python 3.11")

    left = path_after(repo, *options, PYTHONPATH=value, PYTHONPYCACHEPREFIX="cache")

    assert left
    assert set(left) <= library_folders()
    assert not any("site-packages" in entry or "dist-packages" in entry for entry in left)


def test_no_module_beside_relais_is_imported_not_even_for_its_first_line(repo: Repo, claude: Claude, traps: Callable[..., Path]) -> None:
    sprung = traps("__future__", "argparse", "contextlib", "typing", "sitecustomize", "usercustomize", "runpy", "readline", folder=".")
    plays_a_good_tick(claude)

    done = started(repo, PYTHON, "relais.py", "run")

    assert (done.returncode, sprung.exists()) == (0, False), done.stderr


def test_the_one_file_needs_no_future_and_says_the_same_types() -> None:
    text = RELAIS.read_text("utf-8")

    assert "\nfrom __future__" not in text.partition("# MARK: assets")[0]
    assert text.index("\n    trust_the_library_alone()\n") < text.index("\nimport argparse")


@pytest.mark.parametrize("place", ["inside", "outside"])
def test_site_packages_come_back_for_fastjsonschema_alone_and_only_from_outside_the_repo(place: str, repo: Repo, tmp_path: Path, traps: Callable[..., Path]) -> None:
    sprung = traps("unused")
    python = an_environment_of_its_own(repo.path / ".venv" if place == "inside" else tmp_path / "venv")
    packages = site_packages(python)
    (packages / "fastjsonschema.py").write_text(f"open({str(sprung)!r}, 'a').write('fastjsonschema')\nraise ImportError\n")
    (packages / "hashlib.py").write_text(f"open({str(sprung)!r}, 'a').write('hashlib')\n")
    repo.write(".gitignore", repo.read(".gitignore") + ".venv/\n")
    schema = "relais/schemas/task.schema.json"
    repo.write(schema, json.dumps({**json.loads(repo.read(schema)), "description": "mine"}))
    repo.commit()

    done = started(repo, str(python), "-I", "relais.py", "run")

    assert done.returncode == 20
    assert "needs fastjsonschema" in done.stderr
    assert (sprung.read_text() if sprung.exists() else "") == {"inside": "", "outside": "fastjsonschema"}[place]


# --- what is refused -----------------------------------------------------------------------------

# How it is started, and with what; {repo} and {near} are the repo and a folder beside it.
REFUSED: dict[str, tuple[list[str], dict[str, str]]] = {
    "PYTHONPATH=src": (["relais.py"], {"PYTHONPATH": "src"}),
    "PYTHONPATH=.": (["relais.py"], {"PYTHONPATH": "."}),
    "PYTHONPATH with an empty entry": (["relais.py"], {"PYTHONPATH": "{near}:"}),
    "PYTHONPATH by a link from outside": (["relais.py"], {"PYTHONPATH": "{near}/into"}),
    "PYTHONPATH by a link in the repo": (["relais.py"], {"PYTHONPATH": "{repo}/out"}),
    "PYTHONPATH=src with -s": (["-s", "relais.py"], {"PYTHONPATH": "src"}),
    "PYTHONUSERBASE": (["relais.py"], {"PYTHONUSERBASE": "{repo}/base"}),
    "PYTHONPYCACHEPREFIX": (["relais.py"], {"PYTHONPYCACHEPREFIX": "src/cache"}),
    "PYTHONHOME": (["relais.py"], {"PYTHONHOME": "{repo}/home"}),
    "LD_LIBRARY_PATH": (["-I", "relais.py"], {"LD_LIBRARY_PATH": "/usr/lib:{repo}/lib"}),
    "LD_PRELOAD": (["-I", "relais.py"], {"LD_PRELOAD": "libnone.so {repo}/x.so"}),
    "python -m": (["-m", "relais"], {}),
    "python -c": (["-c", "import relais, sys; sys.exit(relais.main())"], {}),
    "python -i": (["-i", "relais.py"], {}),
    "PYTHONINSPECT": (["relais.py"], {"PYTHONINSPECT": "1"}),
}

# The others differ from these only in what is said.
TYPED_AGAIN = ("PYTHONPATH=src", "PYTHONHOME", "LD_LIBRARY_PATH", "python -m", "python -i")


def laid_out(repo: Repo, near: Path) -> None:
    near.mkdir()
    (near / "into").symlink_to(repo.path / "src")
    repo.write(".gitignore", repo.read(".gitignore") + "out\nhome/\nsrc/cache/\n")
    (repo.path / "out").symlink_to(near)
    library = next(folder for folder in library_folders() if Path(folder, "os.py").exists())
    (repo.path / "home" / "lib").mkdir(parents=True)
    (repo.path / "home" / "lib" / Path(library).name).symlink_to(library)


@pytest.mark.parametrize("way", REFUSED)
def test_5_a_start_by_which_a_builders_code_may_run_as_relais_is_refused_with_the_command_to_type(
    way: str, repo: Repo, claude: Claude, traps: Callable[..., Path], tmp_path: Path
) -> None:
    argv, variables = REFUSED[way]
    laid_out(repo, tmp_path / "near")
    sprung = traps("argparse", "json")
    plays_a_good_tick(claude)
    env = {name: value.format(repo=repo.path, near=tmp_path / "near") for name, value in variables.items()}

    done = started(repo, PYTHON, *argv, "run", **env)

    assert done.returncode == 20 or way in ("python -i", "PYTHONINSPECT"), done.stderr  # which then waits for what to do next
    assert "BLOCKED_MISSING_CONFIG" in done.stderr
    assert "would run as relais" in done.stderr
    assert (claude.count, sprung.exists()) == (0, False)
    assert repo.blocked["code"] == "BLOCKED_MISSING_CONFIG"

    command = shlex.split(next(line for line in done.stderr.splitlines() if line.startswith("hint: ")).removeprefix("hint: "))
    assert "-I" in command
    if way not in TYPED_AGAIN:
        return
    again = started(repo, *(PYTHON if word == "python3" else word for word in command), **env)
    assert (again.returncode, claude.count) == (0, 2), again.stderr


BOUND = [["loop", "--mode", "milestone"], ["recover"], ["rescue", "apply"], ["run", "--dry-run"]]
FREE = [["status", "--preflight"], ["history"], ["rescue", "list"]]


@pytest.mark.parametrize("command", BOUND, ids=" ".join)
def test_5_everything_that_judges_or_writes_refuses_it(command: list[str], repo: Repo, claude: Claude) -> None:
    done = started(repo, PYTHON, "relais.py", *command, PYTHONPATH="src")

    assert (done.returncode, claude.count) == (20, 0)
    assert "PYTHONPATH leads into this repo (src)" in done.stderr
    assert f"python3 -I relais.py {' '.join(command)}" in done.stderr


@pytest.mark.parametrize("command", FREE, ids=" ".join)
def test_5_what_only_looks_warns(command: list[str], repo: Repo) -> None:
    done = started(repo, PYTHON, "relais.py", *command, PYTHONPATH="src")

    assert done.returncode == 0, done.stderr
    assert "relais: warning: PYTHONPATH leads into this repo (src)" in done.stderr
    assert "warning" not in done.stdout


ALLOWED: dict[str, tuple[list[str], dict[str, str]]] = {
    "-I whatever the environment says": (["-I", "relais.py"], {"PYTHONPATH": "src", "PYTHONUSERBASE": ".", "PYTHONPYCACHEPREFIX": "src"}),
    "-E": (["-E", "relais.py"], {"PYTHONPATH": "src"}),
    "PYTHONPATH outside": (["relais.py"], {"PYTHONPATH": "/usr/lib"}),
    "PYTHONPATH empty": (["relais.py"], {"PYTHONPATH": ""}),
    "PYTHONSTARTUP": (["relais.py"], {"PYTHONSTARTUP": "src/app.py"}),
    "a library that the system has": (["relais.py"], {"LD_PRELOAD": "libc.so.6"}),
    "what libraries read later": (["relais.py"], {"OPENSSL_CONF": "src/openssl.cnf", "GCONV_PATH": "src"}),
    "an archive in the repo": (["relais.pyz"], {}),
}


@pytest.mark.parametrize("way", ALLOWED)
def test_a_start_by_which_nothing_of_the_repo_can_run_is_fine(way: str, repo: Repo, claude: Claude, traps: Callable[..., Path]) -> None:
    argv, env = ALLOWED[way]
    repo.write(".gitignore", repo.read(".gitignore") + "*.pyz\n")
    sprung = traps("argparse", "json", "readline")
    (repo.path.parent / "archive").mkdir()
    shutil.copy(RELAIS, repo.path.parent / "archive" / "__main__.py")
    zipapp.create_archive(repo.path.parent / "archive", repo.path / "relais.pyz")
    plays_a_good_tick(claude)

    done = started(repo, PYTHON, *argv, "run", **env)

    assert "would run as relais" not in done.stderr
    assert (repo.report["code"], claude.count, sprung.exists()) == ("SUCCESS", 2, False), done.stderr


def test_the_package_started_as_a_module_is_fine_from_outside_or_with_p(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    plays_a_good_tick(claude)
    outside = started(repo, PYTHON, "-m", "relais", "-C", str(repo.path), "run", cwd=tmp_path, PYTHONPATH=str(SOURCES))
    assert outside.returncode == 0, outside.stderr

    inside = started(repo, PYTHON, "-m", "relais", "run", cwd=repo.path / "docs", PYTHONPATH=str(SOURCES))
    assert inside.returncode == 20
    assert f"hint: {PYTHON} -I -m relais run" in inside.stderr
    if sys.version_info >= (3, 11):
        done = started(repo, PYTHON, "-P", "-m", "relais", "status", PYTHONPATH=str(SOURCES))
        assert (done.returncode, done.stderr) == (0, "")


def test_5_code_of_the_repo_that_python_itself_has_loaded_is_named(repo: Repo, claude: Claude, traps: Callable[..., Path], tmp_path: Path) -> None:
    """An editable install puts the repo's src on the path of a Python outside: site imports sitecustomize from there."""
    python = an_environment_of_its_own(tmp_path / "venv")
    (site_packages(python) / "project.pth").write_text(f"{repo.path}/src\n")
    repo.write("src/sitecustomize.py", "")
    repo.commit()
    plays_a_good_tick(claude)

    done = started(repo, str(python), "-I", "relais.py", "run")
    assert (done.returncode, claude.count) == (20, 0)
    assert "Python has loaded" in done.stderr
    assert "src/sitecustomize.py out of this repo" in done.stderr
    assert "hint: python3 -I -S relais.py run" in done.stderr

    assert started(repo, str(python), "-I", "-S", "relais.py", "run").returncode == 0


def test_doctor_warns_of_a_python_in_the_repo_and_of_what_is_installed_from_it(repo: Repo, tmp_path: Path) -> None:
    repo.write(".gitignore", repo.read(".gitignore") + ".venv/\n")
    repo.commit()
    inside, outside = an_environment_of_its_own(repo.path / ".venv"), an_environment_of_its_own(tmp_path / "venv")
    (site_packages(outside) / "project.pth").write_text(f"{repo.path}/src\n")
    sound = started(repo, PYTHON, "-I", "relais.py", "doctor")

    in_repo = started(repo, str(inside), "-I", "relais.py", "doctor")
    editable = started(repo, str(outside), "-I", "relais.py", "doctor")
    obeyed = started(repo, PYTHON, "relais.py", "doctor", PYTHONPATH="src")

    assert "interpreter" not in sound.stdout
    assert sound.returncode == in_repo.returncode == editable.returncode
    assert f"{inside} lies in this repo" in in_repo.stdout
    assert f"{repo.path}/src: site-packages of this Python" in editable.stdout
    assert obeyed.returncode == 20
    assert "FAIL  start          PYTHONPATH leads into this repo (src)" in obeyed.stdout
    assert "fix: python3 -I relais.py doctor" in obeyed.stdout


# --- the judgement alone ---------------------------------------------------------------------------


def found(root: Path, environment: Mapping[str, str] = {}, path: tuple[str, ...] = ("/usr/bin",), loaded: tuple[str, ...] = (), **how: bool) -> list[str]:
    return [intrusion.words.partition(" ")[0] for intrusion in intrusions(Start(str(root), environment, path, loaded, **how))]


@pytest.mark.parametrize(
    ("entry", "is_inside"),
    [("{0}", True), ("{0}/", True), ("{0}/../{1}/src", True), ("{0}/src/../..", False), ("{0}x", False), ("/", False), ("{0}/src/./", True), ("", False), ("x", False)],
)
def test_which_entries_lie_in_the_repo(entry: str, is_inside: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "repo"
    root.mkdir()
    monkeypatch.chdir(tmp_path)
    value = entry.format(root, root.name)

    assert leads_into(str(root), value) is is_inside
    assert found(root, {"PYTHONPATH": f"/usr/lib:{value}"}) == ["PYTHONPATH"] * is_inside
    assert found(root, {"PYTHONPATH": value}, ignores_environment=True) == []


def test_which_starts_take_modules_from_the_repo(tmp_path: Path) -> None:
    here = (str(tmp_path),)

    assert found(tmp_path, path=here) == []
    assert found(tmp_path, path=here, runs_a_file=False) == ["`python"]
    assert found(tmp_path, path=here, runs_a_file=False, is_path_safe=True) == []
    assert found(tmp_path, path=here, is_inspecting=True) == ["`python"]
    assert found(tmp_path, path=here, is_inspecting=True, is_path_safe=True) == []
    assert found(tmp_path, path=("/usr/bin", *here), runs_a_file=False) == []
    assert found(tmp_path, loaded=(f"{tmp_path}/x.py",)) == ["Python"]
    assert found(tmp_path, loaded=("/usr/x.py",)) == []


@pytest.mark.parametrize("name", ["PYTHONPATH", "PYTHONHOME", "PYTHONUSERBASE", "PYTHONPYCACHEPREFIX"])
def test_links_into_the_repo_and_out_of_it_are_no_way_round(name: str, tmp_path: Path) -> None:
    root = tmp_path / "repo"
    root.mkdir()
    (tmp_path / "into").symlink_to(root)
    (root / "out").symlink_to(tmp_path)

    assert found(root, {name: str(tmp_path / "into" / "x")}) == found(root, {name: str(root / "out" / "x")}) == [name]


def test_a_library_without_a_slash_is_the_systems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert found(tmp_path, {"LD_PRELOAD": "libc.so.6", "LD_LIBRARY_PATH": "lib"}) == ["LD_LIBRARY_PATH"]


@pytest.mark.parametrize("name", ["LD_LIBRARY_PATH", "LD_PRELOAD", "LD_AUDIT", "DYLD_LIBRARY_PATH", "DYLD_INSERT_LIBRARIES"])
def test_no_option_of_python_makes_a_loaders_variable_safe(name: str, tmp_path: Path) -> None:
    environment = {name: f"/usr/lib/x.so:{tmp_path}/x.so"}

    assert found(tmp_path, environment, is_path_safe=True, ignores_environment=True) == [name]
    assert found(tmp_path, {name: "/usr/lib/x.so"}) == []


# --- what relais itself starts ---------------------------------------------------------------------


@pytest.fixture
def watched_git(repo: Repo, claude: Claude, tmp_path: Path) -> Path:
    """A git on PATH that notes its environment; the notes."""
    real = shutil.which("git", path=repo.env["PATH"])
    notes = tmp_path / "git-environment"
    (claude.bin_dir / "git").write_text(f'#!/bin/sh\n/usr/bin/env >> {notes}\nexec {real} "$@"\n')
    (claude.bin_dir / "git").chmod(0o755)
    return notes


def test_relais_own_git_gets_no_library_and_no_program_from_the_repo(repo: Repo, watched_git: Path) -> None:
    inside = str(repo.path / "lib")
    variables = {"LD_LIBRARY_PATH": f"/usr/lib:{inside}", "LD_PRELOAD": f"{inside}/x.so", "OPENSSL_CONF": f"{inside}/o.cnf", "GCONV_PATH": inside}
    variables |= {"GIT_EXEC_PATH": inside, "GIT_TEMPLATE_DIR": inside, "GIT_EXTERNAL_DIFF": inside}

    started(repo, PYTHON, "relais.py", "rescue", "list", **variables, PATH=f"{inside}:{repo.env['PATH']}")

    assert "HOME=" in watched_git.read_text()
    assert inside not in watched_git.read_text()


def test_a_git_that_lies_in_the_repo_is_never_run(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    repo.write("bin/git", f"#!/bin/sh\n: > {tmp_path}/sprung\nexit 1\n")
    (repo.path / "bin" / "git").chmod(0o755)
    (repo.path / "bin" / "ps").symlink_to("git")
    repo.commit()
    (tmp_path / "link").symlink_to(repo.path / "bin")
    plays_a_good_tick(claude)

    done = started(repo, PYTHON, "relais.py", "run", PATH=f"{repo.path}/bin:{tmp_path}/link:{repo.env['PATH']}")

    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "sprung").exists()


def test_what_relais_relies_on_never_lies_where_a_builder_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside, outside = tmp_path / "repo" / "bin", tmp_path / "bin2"
    for folder in (inside, outside):
        folder.mkdir(parents=True)
        (folder / "bwrap").write_text("#!/bin/sh\n")
        (folder / "bwrap").chmod(0o755)
    (outside / "linked").symlink_to(inside / "bwrap")
    monkeypatch.setenv("PATH", f"{inside}:relative::{outside}")

    assert path_outside(str(tmp_path / "repo")) == str(outside)
    assert own_program("bwrap", str(tmp_path / "repo")) == str(outside / "bwrap")
    assert own_program("linked", str(tmp_path / "repo")) is None
    assert own_program("bwrap", str(tmp_path)) is None


# --- everything relais writes starts it so ---------------------------------------------------------


def test_everything_that_relais_writes_starts_it_isolated(repo: Repo) -> None:
    tasks = json.loads(repo.read(".vscode/tasks.json"))["tasks"]
    recipes = [line.strip() for line in repo.read("relais/relais.mk").splitlines() if "relais.py" in line]

    assert [task["label"] for task in tasks if task["args"][0] != "-I"] == []
    assert recipes
    assert [line for line in recipes if not line.startswith("@python3 -I relais.py ")] == []


def test_the_demo_starts_relais_isolated() -> None:
    sources = "".join((SOURCES / "relais" / "commands" / name).read_text() for name in ("demo.py", "arena.py"))

    assert 'sys.executable, "relais.py"' not in sources
    assert sources.count('sys.executable, "-I", "relais.py"') == 3


def test_the_runs_own_folder_in_the_environment_is_no_fault(repo: Repo) -> None:
    """PWD, OLDPWD and VIRTUAL_ENV name folders in the repo every day."""
    done = started(repo, PYTHON, "relais.py", "status", PWD=str(repo.path), VIRTUAL_ENV=os.path.join(repo.path, ".venv"))

    assert (done.returncode, done.stderr) == (0, "")
