"""What the checks see is the judged tree plus what was there before the tick; what that costs; and what comes back how."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from helpers import Claude, Document, Repo, a_result, a_task, as_plain_user, run_by_a_plain_user

from relais.contract.config import VOLATILE_GLOBS
from relais.rules.tools import repair_commands, volatile_matcher
from relais.world.files import fresh_folder

OLD = 1_600_000_000
ANOTHER = {"intent": "try again"}  # the very same task would not be carried out twice


def a_project(repo: Repo, *checks: list[str], ignored: str = "build/\ndist/\n*.egg-info/\n.tox/\n*.so\n") -> None:
    """Checks c1, c2 … are required; what is ignored is ignored and committed so."""
    repo.write(".gitignore", repo.read(".gitignore") + ignored)
    templates = [{"id": f"c{number}", "cmd": argv[0], "args": argv[1:]} for number, argv in enumerate(checks, 1)]
    required = [template["id"] for template in templates]
    repo.configure({"verification": {"templates": templates, "required_fast": required, "baseline": False}})
    repo.commit("a project")


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def runs(repo: Repo, claude: Claude, code: int, task: Document | None = None, **turn: Any) -> Document:
    claude.plays({"says": a_task(**(task or {}))}, {"says": a_result(), "writes": {"src/app.py": "new\n"}, **turn})
    done = repo.relais("run")
    assert done.returncode == code, (repo.report, done.stdout, done.stderr)
    return repo.report


def old(repo: Repo, path: str, content: str = "old\n") -> None:
    repo.write(path, content)
    os.utime(repo.path / path, (OLD, OLD))


def mtime(repo: Repo, path: str) -> int:
    return int((repo.path / path).stat().st_mtime)


def inside(path: str) -> list[str]:
    return python(f"import os, sys; sys.exit(os.path.lexists({path!r}))")


# --- 6: what the builder leaves in volatile folders decides nothing -------------------------------

PLANTS = [
    "evil.egg-info/entry_points.txt",
    "dist/conftest.py",
    ".tox/py/lib/site-packages/evil.pth",
    "src/__pycache__/app.cpython-311.pyc",
    "src/build/deep/down/x.mk",
    "src/app.so",
]


@pytest.mark.parametrize("path", PLANTS)
def test_6_no_check_sees_what_the_builder_left_in_a_volatile_folder(path: str, repo: Repo, claude: Claude) -> None:
    a_project(repo, inside(path))

    report = runs(repo, claude, 0, writes={"src/app.py": "new\n", path: "evil\n"})

    assert report["byproducts"]["set_aside"] == 1
    assert not (repo.path / path).exists(), "nor does any check of a later tick"


def test_6_a_plugin_of_the_builders_does_not_turn_red_into_green(repo: Repo, claude: Claude) -> None:
    """The check imports whatever lies in build/, as entry points and included makefiles do."""
    check = "import sys, glob; [exec(open(p).read()) for p in glob.glob('build/*.py')]; sys.exit('new' in open('src/app.py').read())"
    a_project(repo, python(check))
    plugin = {"src/app.py": "new\n", "build/plugin.py": "import os; os._exit(0)\n"}

    assert runs(repo, claude, 10, writes=plugin)["code"] == "STOP_VERIFY_FAILED_FAST"
    assert runs(repo, claude, 10, ANOTHER)["code"] == "STOP_VERIFY_FAILED_FAST", "nor in the next tick"


def test_6_what_a_check_made_of_rejected_code_is_gone_in_the_next_tick(repo: Repo, claude: Claude) -> None:
    """The first check installs what the work says; the second fails. The next tick must not find it."""
    build = "import os; os.makedirs('build', exist_ok=True); open('build/out', 'a').write(open('src/app.py').read())"
    a_project(repo, python(build), python("import sys; sys.exit('bad' in open('build/out').read())"))

    assert runs(repo, claude, 10, writes={"src/app.py": "bad\n"})["verification"]["runs"][1]["exit_code"] == 1
    assert not (repo.path / "build").exists()
    runs(repo, claude, 0, ANOTHER, writes={"src/app.py": "good\n"})
    assert repo.read("build/out") == "good\n", "what checks made of committed work stays"


def test_6_set_aside_also_where_no_check_runs(repo: Repo, claude: Claude) -> None:
    a_project(repo)

    runs(repo, claude, 0, writes={"src/app.py": "new\n", "build/plugin.py": "evil\n"})

    assert not (repo.path / "build").exists()


def test_6_new_work_beside_new_by_products_is_committed(repo: Repo, claude: Claude) -> None:
    a_project(repo, inside("src/new/build/deep"), ignored="*.o\n")
    work = {"src/new/a.py": "work\n", "src/new/build/main.py": "work\n"}
    writes = {**work, "src/new/build/a.o": "x", "src/new/build/deep/b.o": "x", "src/new/b.log": "x"}

    runs(repo, claude, 0, {"scope": {"allow_new_files": True}}, writes=writes)

    assert repo.git("show", "--name-only", "--format=").split() == list(work)
    assert sorted(path for path in writes if (repo.path / path).exists()) == list(work)


def test_6_what_is_set_aside_lies_outside_the_repo_until_the_next_tick_has_ended(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    a_project(repo)
    runs(repo, claude, 0, writes={"src/app.py": "1\n", "build/x": "one\n"})
    asides = list((tmp_path / "home/.local/state/relais").glob("*/aside/*/build"))

    assert [(folder / "x").read_text() for folder in asides] == ["one\n"]
    runs(repo, claude, 0, writes={"src/app.py": "2\n", "build/x": "two\n"})
    assert [folder.exists() for folder in asides] == [False]


# --- what was there before comes back, as it was ---------------------------------------------------

HARM = {
    "changed": "open('build/lib/out', 'a').write('more')",
    "deleted": "import os; os.unlink('build/lib/out')",
    "all deleted": "import shutil; shutil.rmtree('build')",
    "replaced": "import os; os.rename('build/lib', 'build/x'); open('build/lib', 'w').close()",
    "newer than it is": "import os; os.utime('build/lib/out', (4e9, 4e9))",
    "another mode": "import os; os.chmod('build/lib/out', 0o600)",
    "closed": "import os; os.chmod('build/lib', 0)",
}


@pytest.mark.parametrize("harm", HARM.values(), ids=HARM)
@pytest.mark.parametrize("code", [0, pytest.param(10, marks=pytest.mark.slow)], ids=["committed", "rolled back"])
def test_6_by_products_of_before_are_there_for_the_checks_with_their_old_time(harm: str, code: int, repo: Repo, claude: Claude) -> None:
    look = f"import os; s = os.stat('build/lib/out'); assert (int(s.st_mtime), s.st_mode & 0o777, s.st_size) == ({OLD}, 0o644, 4), s"
    a_project(repo, python(look), ["true"] if code == 0 else ["false"])
    old(repo, "build/lib/out")
    old(repo, "build/notes of mine.txt", "mine\n")

    report = runs(repo, claude, code, python=harm)

    assert [run["exit_code"] for run in report["verification"]["runs"]] == [0, int(code > 0)]
    assert (repo.read("build/lib/out"), mtime(repo, "build/lib/out")) == ("old\n", OLD)
    assert repo.read("build/notes of mine.txt") == "mine\n"
    assert sorted(os.listdir(repo.path / "build")) == ["lib", "notes of mine.txt"]
    assert repo.status == ""


def test_6_a_link_in_place_of_the_folder_is_an_offence_and_nothing_is_lost(repo: Repo, claude: Claude) -> None:
    """`build/` in a .gitignore does not mean a link."""
    a_project(repo, ["true"])
    old(repo, "build/lib/out")

    report = runs(repo, claude, 10, python="import os, shutil; shutil.rmtree('build'); os.symlink('src', 'build')")

    assert (report["code"], report["rollback"]["ok"]) == ("STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", True)
    assert (repo.read("build/lib/out"), mtime(repo, "build/lib/out")) == ("old\n", OLD)
    assert not (repo.path / "build").is_symlink()


def test_6_nothing_is_brought_back_through_a_link_that_leads_out_of_the_repo(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    """Else a confined builder could have the runner, which nothing confines, write to ~/.ssh."""
    a_project(repo, ["true"])
    old(repo, "build/lib/keys", "of an earlier check\n")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "keys").write_text("the person's own\n")

    runs(repo, claude, 0, python=f"import os, shutil; shutil.rmtree('build/lib'); os.symlink({str(tmp_path / 'outside')!r}, 'build/lib')")
    runs(repo, claude, 10, ANOTHER, python=f"import os, shutil; shutil.rmtree('build'); os.symlink({str(tmp_path / 'outside')!r}, 'build')")

    assert {path.name: path.read_text() for path in (tmp_path / "outside").iterdir()} == {"keys": "the person's own\n"}
    assert (repo.read("build/lib/keys"), mtime(repo, "build/lib/keys")) == ("of an earlier check\n", OLD)


FILE_FOR_FOLDER = "import shutil; shutil.rmtree('build'); open('build', 'w').write('a file now')"


@pytest.mark.parametrize(("globs", "check", "code"), [(["src/**"], "true", 10), (["**"], "false", 10), (["**"], "true", 0)])
def test_6_a_file_in_place_of_the_folder_costs_nothing_that_a_rollback_could_bring_back(globs: list[str], check: str, code: int, repo: Repo, claude: Claude) -> None:
    a_project(repo, [check])
    old(repo, "build/deep/out.o")

    report = runs(repo, claude, code, {"scope": {"allowed_globs": globs, "allow_new_files": True}}, writes={}, python=FILE_FOR_FOLDER)

    if code:
        assert repo.read("build/deep/out.o") == "old\n"
        assert mtime(repo, "build/deep/out.o") == OLD
    else:
        assert repo.read("build") == "a file now"
        assert [warning for warning in report["budgets"]["warnings"] if "had to make way for the work: build/deep/out.o" in warning]


def test_6_what_has_no_copy_is_set_aside_and_named(repo: Repo, claude: Claude) -> None:
    """Touched in place, it may be the person's: it is kept in quarantine, and no check takes it for built."""
    a_project(repo, inside("build/large"))
    repo.write("build/large", b"x" * (9 << 20))
    repo.write("build/other", b"y" * (9 << 20))

    report = runs(repo, claude, 0, python="import os; open('build/large', 'a').write('evil'); os.unlink('build/other')")

    kept = repo.quarantine("byproducts/build/large")
    assert kept.read_bytes() == b"x" * (9 << 20) + b"evil"
    assert "build/other" in " ".join(report["budgets"]["warnings"])


def test_6_a_rollback_without_a_copy_of_build_output_is_complete(repo: Repo, claude: Claude) -> None:
    a_project(repo, ["false"])
    repo.write("build/large", b"x" * (9 << 20))

    report = runs(repo, claude, 10, deletes=["build/large"])

    assert report["rollback"]["ok"] is True


def test_6_an_environment_of_which_a_part_has_no_copy_is_set_aside_as_a_whole(repo: Repo, claude: Claude) -> None:
    """The tool that made it would take half of it for a whole one."""
    a_project(repo, inside(".tox"))
    repo.write(".tox/py/lib/large.so", b"x" * (9 << 20))
    repo.write(".tox/py/pyvenv.cfg", "x")

    runs(repo, claude, 0, deletes=[".tox/py/lib/large.so"])



def test_6_a_note_that_vouches_for_missing_output_goes_with_it(repo: Repo, claude: Claude) -> None:
    """`tsc --incremental` believes its note, and would not write the file again."""
    a_project(repo, inside("tsconfig.tsbuildinfo"), ignored="dist/\n*.tsbuildinfo\n")
    repo.write("dist/large.js", b"x" * (9 << 20))
    repo.write("tsconfig.tsbuildinfo", "{}")

    runs(repo, claude, 0, deletes=["dist/large.js"])


def test_6_packages_are_no_by_products_whatever_their_folders_are_called() -> None:
    is_volatile = volatile_matcher(VOLATILE_GLOBS)
    yes = ["build/x", "a/dist/x", ".tox/py/lib/node_modules/a/x", "node_modules/.cache/x", ".venv/lib/a/__pycache__/a.pyc", "x.egg-info/y"]
    no = ["node_modules/a/dist/index.js", ".venv/lib/site-packages/build/env.py", "web/node_modules/b/build/x", "venv/x.egg-info/y", "src/x"]

    assert [path for path in yes if not is_volatile(path)] == []
    assert [path for path in no if is_volatile(path)] == []


def test_6_a_package_that_the_builder_changed_is_a_stop(repo: Repo, claude: Claude) -> None:
    repo.write("node_modules/lib/dist/index.js", "good\n")

    assert runs(repo, claude, 10, writes={"node_modules/lib/dist/index.js": "evil\n"})["code"].startswith("STOP_SCOPE")
    assert repo.read("node_modules/lib/dist/index.js") == "good\n"


# --- what git ignores is not committed, and decides nothing either ---------------------------------


def test_6_ignored_work_in_scope_is_kept_from_the_checks_and_named(repo: Repo, claude: Claude) -> None:
    a_project(repo, inside("src/scratch"), ignored="scratch/\n*.local\n")
    repo.write("src/mine.local", "mine\n")
    writes = {"src/app.py": "new\n", "src/scratch/conftest.py": "evil\n", "src/mine.local": "theirs\n"}

    report = runs(repo, claude, 0, {"scope": {"allow_new_files": True}}, writes=writes)

    assert repo.git("show", "--name-only", "--format=").split() == ["src/app.py"]
    assert repo.read("src/mine.local") == "mine\n"
    warnings = " ".join(report["budgets"]["warnings"])
    assert "src/scratch/conftest.py" in warnings
    assert "src/mine.local" in warnings
    assert repo.quarantine("ignored/src/mine.local").read_text() == "theirs\n"


LEFT_BEHIND = {
    "at the top": ["app", "lib.custom"],
    "in a new folder": ["out/a.custom", "out/deep/b.custom"],
    "a link beside its target": ["lib.custom.1"],
}


@pytest.mark.parametrize("allow_new_files", [True, False])
@pytest.mark.parametrize("paths", LEFT_BEHIND.values(), ids=LEFT_BEHIND)
def test_6_what_a_build_in_the_tree_leaves_behind_is_set_aside_and_the_work_is_committed(
    paths: list[str], allow_new_files: bool, repo: Repo, claude: Claude
) -> None:
    a_project(repo, *map(inside, paths), ignored="/app\n*.custom\n*.custom.*\n")
    before = repo.tree()
    links = "import os; os.path.lexists('lib.custom.1') and (os.rename('lib.custom.1', 'lib.custom.1.2'), os.symlink('lib.custom.1.2', 'lib.custom.1'))"

    writes = {"src/app.py": "new\n", "src/left.custom": "x", **dict.fromkeys(paths, "built\n")}
    task = {"scope": {"allow_new_files": allow_new_files, "allowed_globs": ["src/*.py"]}}
    report = runs(repo, claude, 0, task, writes=writes, python=links)

    assert repo.git("show", "--name-only", "--format=").split() == ["src/app.py"]
    assert set(repo.tree()) == set(before), "no empty folder either"
    assert f"new and ignored by git, so set aside, not committed and not shown to the checks: {paths[0]}" in str(report["budgets"]["warnings"])


STILL_OFFENCES = {
    "changed": ("STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", {"mine.custom": "theirs\n"}),
    "forbidden": ("STOP_SCOPE_VIOLATION_FORBIDDEN", {"a.env": "x"}),
    "a package": ("STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", {"venv/lib/evil.py": "x"}),
    "by a rule of the builder's": ("STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", {".gitignore": "*.hidden\n", "x.hidden": "x"}),
}


@pytest.mark.parametrize(("code", "writes"), STILL_OFFENCES.values(), ids=STILL_OFFENCES)
def test_6_what_was_there_is_forbidden_is_installed_or_was_hidden_by_the_builder_is_no_left_over(
    code: str, writes: dict[str, str], repo: Repo, claude: Claude
) -> None:
    repo.configure({"scope": {"control_files_allowed": [".gitignore"]}})
    a_project(repo, ignored="*.custom\n*.env\nvenv/\n")
    repo.write("mine.custom", "mine\n")
    before = repo.tree()

    task = {"scope": {"allow_new_files": True, "allowed_globs": ["src/**", ".gitignore"], "forbidden_globs": ["**/*.env"]}}
    report = runs(repo, claude, 10, task, writes={"src/app.py": "new\n", **writes})

    assert report["code"] == code, report["error"]
    assert repo.tree() == before


# --- one check does not feed the next ---------------------------------------------------------------


@pytest.mark.parametrize("harm", ["open('src/pkg', 'w').write('a file now')", "os.symlink('app.py', 'src/pkg')"])
def test_6_work_in_the_place_of_a_folder_with_the_persons_ignored_files_is_a_stop(harm: str, repo: Repo, claude: Claude) -> None:
    repo.write("src/pkg/mod.py", "x\n")
    repo.commit("a package")
    repo.write("src/pkg/trace.log", "of the person's\n")

    report = runs(repo, claude, 10, {"scope": {"allow_new_files": True}}, writes={}, python=f"import os, shutil; shutil.rmtree('src/pkg'); {harm}")

    assert (report["code"], report["scope"]["violations"]) == ("STOP_SCOPE_VIOLATION_FORBIDDEN", ["src/pkg/trace.log"])
    assert (report["rollback"]["ok"], repo.read("src/pkg/trace.log"), repo.status) == (True, "of the person's\n", "")


def test_6_an_ignored_file_in_scope_that_was_deleted_comes_back_and_the_report_says_so(repo: Repo, claude: Claude) -> None:
    repo.write("src/trace.log", "of the person's\n")

    report = runs(repo, claude, 0, writes={}, deletes=["src/trace.log"])

    assert "ignored by git, so it came back, deleted though it was: src/trace.log" in report["budgets"]["warnings"]
    assert repo.read("src/trace.log") == "of the person's\n"


def test_6_a_check_that_changes_the_work_is_noticed_before_the_next_one(repo: Repo, claude: Claude) -> None:
    a_project(repo, python("open('src/util.py', 'w').write('fixed')"), python("import sys; sys.exit('fixed' in open('src/util.py').read())"))

    report = runs(repo, claude, 0)

    assert "c1 changed src/util.py: put back" in report["budgets"]["warnings"]


def test_6_a_check_may_leave_ignored_files_for_the_next_one(repo: Repo, claude: Claude) -> None:
    a_project(repo, python("open('made.log', 'w').write('x')"), ["test", "-e", "made.log"])

    runs(repo, claude, 0)

    assert not (repo.path / "made.log").exists()


# --- 46, times: nothing that was built looks newer than what it should be built from ----------------

MAKEFILE = "build/out: src/app.py\n\tmkdir -p build\n\tcp src/app.py build/out\n"


@pytest.mark.parametrize("trick", ["import os; os.utime('src/app.py', (1e9, 1e9))", "import os; os.utime('build/out', (4e9, 4e9))"], ids=["an old source", "a new build"])
def test_46_no_time_that_the_builder_sets_makes_an_old_build_look_fresh(trick: str, repo: Repo, claude: Claude) -> None:
    a_project(repo, ["make", "-s"], ["cmp", "build/out", "src/app.py"])
    repo.write("Makefile", MAKEFILE)
    repo.commit("a makefile")
    subprocess.run(["make"], cwd=repo.path, env=repo.env, capture_output=True, check=True)

    runs(repo, claude, 0, python=trick)

    assert repo.read("build/out") == "new\n"
    assert repo.git("diff-files") == "", "the index knows the new times"


@pytest.mark.parametrize("trick", ["open('build/planted', 'w')", "import os; os.utime('build', (4e9, 4e9))"], ids=["touched by setting aside", "in the future"])
def test_46_a_folder_that_is_a_target_does_not_look_fresh(trick: str, repo: Repo, claude: Claude) -> None:
    """`make` compares the folder's own time, and moving something out of it makes that new."""
    a_project(repo, ["make", "-s"], ["cmp", "build/out", "src/app.py"])
    repo.write("Makefile", "build: src/app.py\n\tmkdir -p build\n\tcp src/app.py build/out\n\ttouch build\n")
    repo.commit("a makefile")
    subprocess.run(["make"], cwd=repo.path, env=repo.env, capture_output=True, check=True)

    runs(repo, claude, 0, python=trick)

    assert repo.read("build/out") == "new\n"


def test_46_unchecked_bytecode_of_the_builders_is_not_run(repo: Repo, claude: Claude) -> None:
    """The check reads no PYTHONPYCACHEPREFIX (-E), so that Python believes what lies beside the source."""
    repo.write("src/mod.py", "VALUE = 1\n")
    a_project(repo, [sys.executable, "-E", "-B", "-c", "import sys; sys.path.insert(0, 'src'); import mod; sys.exit(mod.VALUE != 2)"])
    forge = (
        "import py_compile, pathlib; pathlib.Path('x.py').write_text('VALUE = 2')\n"
        "import importlib.util as u; target = u.cache_from_source('src/mod.py').rpartition('/')[2]\n"
        "pathlib.Path('src/__pycache__').mkdir(exist_ok=True)\n"
        "py_compile.compile('x.py', 'src/__pycache__/' + target, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)\n"
        "import os; os.unlink('x.py')"
    )

    assert runs(repo, claude, 10, python=forge)["code"] == "STOP_VERIFY_FAILED_FAST"


# --- N1: tools that write a .gitignore into a folder of their own ------------------------------------

HONEST_RULES = {
    "coverage html": {"htmlcov/.gitignore": "# Created by coverage.py\n*\n", "htmlcov/index.html": "x"},
    "tox": {".tox/.gitignore": "*\n", ".tox/py/.gitignore": "*\n", ".tox/py/pyvenv.cfg": "x"},
    "ruff in a package": {"src/.ruff_cache/.gitignore": "*\n", "src/.ruff_cache/1/x": "x"},
    "below what is ignored": {"build/venv/.gitignore": "*\n", "build/venv/x": "x"},
    "a tool nobody knows": {"docs/build/.gitignore": "*\n", "docs/build/index.html": "x"},
}


@pytest.mark.parametrize("files", HONEST_RULES.values(), ids=HONEST_RULES)
def test_n1_a_tool_may_write_an_ignore_rule_into_a_new_folder_of_its_own(files: dict[str, str], repo: Repo, claude: Claude) -> None:
    a_project(repo, ignored="build/\n" if "build/venv/x" in files else "")

    runs(repo, claude, 0, writes={"src/app.py": "new\n", **files})

    assert not [path for path in files if (repo.path / path).exists()]
    assert repo.status == ""


def test_n1_a_tool_may_write_its_ignore_rule_again(repo: Repo, claude: Claude) -> None:
    """What a check of an earlier tick made is still there, ignored by itself alone."""
    page = {"docs/build/.gitignore": "*\n", "docs/build/index.html": "old"}
    for path, text in page.items():
        repo.write(path, text)

    runs(repo, claude, 0, python="import shutil; shutil.rmtree('docs/build')", writes={"src/app.py": "1\n"})
    assert repo.read("docs/build/index.html") == "old"
    runs(repo, claude, 0, writes={"src/app.py": "2\n", **page, "docs/build/.gitignore": "# new\n*\n"})
    assert repo.read("docs/build/.gitignore") == "*\n"


HIDING_RULES = {
    "at the top": {".gitignore": "*\n"},
    "beside work": {"src/.gitignore": "*\n", "src/hidden.py": "x"},
    "a folder of work that has a by-product's name": {"src/build/.gitignore": "*\n", "src/build/hidden.py": "x"},
    "a folder that was there": {"dist/.gitignore": "*\n", "dist/hidden.py": "x"},
}


@pytest.mark.parametrize("files", HIDING_RULES.values(), ids=HIDING_RULES)
def test_n1_an_ignore_rule_that_could_hide_work_is_still_an_offence(files: dict[str, str], repo: Repo, claude: Claude) -> None:
    repo.write("dist/kept.py", "tracked\n")
    a_project(repo, ignored="")
    before = repo.tree()

    report = runs(repo, claude, 10, {"scope": {"allow_new_files": True}}, writes={"src/app.py": "new\n", **files})

    assert report["code"] == "STOP_SCOPE_VIOLATION_FORBIDDEN"
    assert repo.tree() == before


# --- N2: what is closed, and what was put back ---------------------------------------------------------


def test_n2_a_closed_folder_left_in_a_scratch_folder_is_in_nobodys_way() -> None:
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o777)
        scratch = Path(place, "scratch")

        def twice() -> None:
            for _ in range(2):
                fresh_folder(str(scratch))
                (scratch / "tmp/a/b").mkdir(parents=True)
                (scratch / "tmp/a").chmod(0)

        assert as_plain_user(twice) == 0
        assert os.listdir(place) == ["scratch"]


def test_n2_what_resists_in_a_scratch_folder_is_moved_out_of_the_way() -> None:
    """As a plain user, in a folder that somebody else left there."""
    if os.geteuid() != 0:
        pytest.skip("LOUD: only root can leave something as somebody else; not tested here")
    with tempfile.TemporaryDirectory() as place:
        os.chown(place, 65534, 65534)
        (Path(place) / "scratch/theirs").mkdir(parents=True)

        assert as_plain_user(lambda: assert_empty(fresh_folder(f"{place}/scratch"))) == 0
        assert len(os.listdir(place)) == 2


def assert_empty(folder: str) -> None:
    assert os.listdir(folder) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="as somebody else than root, all the tests above say it")
def test_6_a_plain_user_gets_into_a_folder_that_the_builder_closed(repo: Repo, claude: Claude) -> None:
    a_project(repo, ["test", "-e", "build/lib/out"])
    old(repo, "build/lib/out")
    repo.write("build/lib/large", b"x" * (9 << 20))
    turn = {"says": a_result(), "writes": {"src/app.py": "new\n"}, "chmods": {"build/lib": "0"}}

    with run_by_a_plain_user(repo, turn) as plain:
        assert plain.report["code"] == "SUCCESS"
        assert (plain.read("build/lib/out"), mtime(plain, "build/lib/out")) == ("old\n", OLD)
        assert (plain.path / "build/lib/large").exists(), "what has no copy is not given up for that"


def test_n2_what_the_baseline_run_did_to_git_and_was_undone_is_no_failed_rollback(repo: Repo, claude: Claude) -> None:
    hook = "import sys; base = 'one' in open('src/app.py').read(); base and open('.git/hooks/pre-push', 'w').write('x'); sys.exit(1)"
    a_project(repo, python(hook))
    repo.configure({"verification": {"baseline": True}})
    repo.commit()

    report = runs(repo, claude, 10)

    assert (report["code"], report["rollback"]["ok"]) == ("STOP_VERIFY_FAILED_FAST", True)
    assert "already broken" in report["error"]["detail"]
    assert not (repo.path / ".git/hooks/pre-push").exists()


# --- 8: hard links into stores ------------------------------------------------------------------------

STORED = "node_modules/.pnpm/lib@1/node_modules/lib/index.js"
SHARED_HARM = {
    "rewritten": f"open({STORED!r}, 'w').write('evil')",
    "appended to": f"open({STORED!r}, 'a').write('evil')",
    "another mode": f"import os; os.chmod({STORED!r}, 0o777)",
    "replaced": f"import os; open('node_modules/x', 'w').write('evil'); os.replace('node_modules/x', {STORED!r})",
    "deleted": f"import os; os.unlink({STORED!r})",
    "read-only and rewritten": f"import os; open({STORED!r}, 'w').write('evil'); os.chmod({STORED!r}, 0o444)",
}


def linked_from_a_store(repo: Repo, path: str, content: bytes) -> Path:
    store = Path(repo.env["HOME"], "store", os.path.basename(path))
    store.parent.mkdir(exist_ok=True)
    store.write_bytes(content)
    store.chmod(0o644)
    (repo.path / path).parent.mkdir(parents=True, exist_ok=True)
    os.link(store, repo.path / path)
    return store


@pytest.mark.parametrize("harm", SHARED_HARM.values(), ids=SHARED_HARM)
def test_8_a_rollback_mends_the_store_that_a_file_is_linked_from(harm: str, repo: Repo, claude: Claude) -> None:
    store = linked_from_a_store(repo, STORED, b"good\n")

    report = runs(repo, claude, 10, python=harm)

    assert report["rollback"]["ok"] is True
    assert [(path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) for path in (store, repo.path / STORED)] == [(b"good\n", 0o644)] * 2
    if "write(" in harm and "replace" not in harm:
        assert "evil" in (repo.quarantine("tree") / STORED).read_text()


def test_8_a_by_product_that_is_linked_elsewhere_is_mended_with_its_old_time(repo: Repo, claude: Claude) -> None:
    a_project(repo, ["grep", "-q", "good", "build/out"])
    backup = linked_from_a_store(repo, "build/out", b"good\n")
    os.utime(backup, (OLD, OLD))

    runs(repo, claude, 0, python="open('build/out', 'w').write('evil')")

    assert (backup.read_bytes(), int(backup.stat().st_mtime)) == (b"good\n", OLD)


def test_8_without_a_copy_the_stop_names_the_file_and_what_mends_the_store(repo: Repo, claude: Claude) -> None:
    linked_from_a_store(repo, STORED, b"x" * (9 << 20))

    report = runs(repo, claude, 10, python=f"open({STORED!r}, 'a').write('evil')")

    assert (report["code"], report["rollback"]["ok"]) == ("STOP_INTERRUPTED", False)
    assert STORED in report["error"]["detail"]
    assert "pnpm store prune && pnpm install --force" in report["error"]["detail"]


def test_8_every_store_has_its_command_and_the_rest_a_way_to_be_found() -> None:
    assert repair_commands([(STORED, 1), ("node_modules/a/x", 2), (".venv/lib/python3/site-packages/a.py", 3), ("data/x", 4), ("data/x", 4)]) == [
        "pnpm store prune && pnpm install --force",
        "npm cache verify && npm ci",
        "uv cache clean && uv sync --reinstall",
        "find ~ -xdev -inum 4",
    ]


def test_what_two_checks_do_to_the_same_file_is_put_back_however_long_its_name_is(repo: Repo, claude: Claude) -> None:
    longest = "docs/" + "n" * 255
    repo.write(longest, "as it was\n")
    a_project(repo, *[python(f"open({longest!r}, 'w').write('x')")] * 2)

    runs(repo, claude, 0)

    assert repo.read(longest) == "as it was\n"


# --- 24: earlier runs ----------------------------------------------------------------------------------

IN_QUARANTINE = "next(p for p in glob.glob('relais/history/*/quarantine/.*/*/tree') if os.path.isdir(p))"
MEDDLING = {
    "deleted": f"os.unlink({IN_QUARANTINE} + '/README.md')",
    "planted": f"open({IN_QUARANTINE} + '/conftest.py', 'w').write('evil')",
    "rewritten": f"open({IN_QUARANTINE} + '/README.md', 'w').write('evil')",
}


@pytest.mark.parametrize("who", ["builder", pytest.param("check", marks=pytest.mark.slow)])
@pytest.mark.parametrize("meddling", MEDDLING.values(), ids=MEDDLING)
def test_24_what_is_done_to_the_quarantine_of_an_earlier_run_is_seen_and_undone(meddling: str, who: str, repo: Repo, claude: Claude) -> None:
    code = f"import glob, os; {meddling}"
    a_project(repo, *([python(code)] if who == "check" else []))
    runs(repo, claude, 10, writes={"README.md": "rejected\n"})
    quarantine = repo.quarantine("tree")
    assert os.listdir(quarantine) == ["README.md"]

    report = runs(repo, claude, 10, ANOTHER, **({"python": code} if who == "builder" else {}))

    assert (report["code"], report["rollback"]["ok"]) == ("STOP_RUNNER_OWNED_MUTATION", True)
    assert "/quarantine/" in report["error"]["detail"]
    assert (os.listdir(quarantine), (quarantine / "README.md").read_text()) == (["README.md"], "rejected\n")


@pytest.mark.parametrize("who", ["builder", "check"])
def test_24_what_is_done_deep_in_a_run_too_old_for_a_copy_is_seen_and_named(who: str, repo: Repo, claude: Claude) -> None:
    oldest = "relais/history/20200101T000000Z-0000"
    meddle = f"import glob, os, time; os.unlink('{oldest}/quarantine/tree/a/b'); time.sleep(0.05)"
    # Nor does it help to give the journal, by which the time of the tick is known to others, another one.
    meddle += f"; [os.utime(path) for path in glob.glob({repo.env['XDG_STATE_HOME']!r} + '/relais/*/journal')]"
    a_project(repo, *([python(meddle)] if who == "check" else []))
    repo.write(f"{oldest}/quarantine/tree/a/b", "rejected\n")
    for number in range(1, 21):
        repo.write(f"relais/history/20200101T0000{number:02}Z-0000/report.json", "{}")

    report = runs(repo, claude, 10, **({"python": meddle} if who == "builder" else {}))

    assert report["code"] == "STOP_RUNNER_OWNED_MUTATION"
    assert oldest in report["error"]["detail"]


# --- 46, tool by tool: what was built from rejected code is stale, and no time makes an old build fresh ----


class Tool(NamedTuple):
    """A project of one source whose build makes an output that holds the source's word."""

    files: Mapping[str, str]
    source: str
    build: list[str]
    output: str
    ignored: str = "build/\n"
    set_up: tuple[list[str], ...] = ()
    granularity: float = 0  # seconds within which the tool takes two times for the same


def rust() -> Tool:
    sysroot = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True, check=True, cwd="/", env=REAL).stdout.strip()
    files = {
        "Cargo.toml": '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n[profile.dev]\ndebug = false\n',
        ".cargo/config.toml": f'[build]\nrustc = "{sysroot}/bin/rustc"\n',
    }
    return Tool(files, "src/main.rs", [f"{sysroot}/bin/cargo", "build", "-q", "--offline"], "target/debug/app", "target/\nCargo.lock\n")


def typescript() -> Tool:
    settings = '{"compilerOptions": {"incremental": true, "outDir": "dist", "types": []}, "include": ["src"]}\n'
    files = {"tsconfig.json": settings}
    fetch = ["npm", "install", "--silent", "--no-save", "--no-package-lock", "typescript@5"]
    tsc = ["node", "node_modules/typescript/bin/tsc"]
    return Tool(files, "src/main.ts", tsc, "dist/main.js", "dist/\n*.tsbuildinfo\n", (fetch,))


def webpack() -> Tool:
    """With a cache on disk, in a folder of by-products."""
    settings = "module.exports = {mode: 'none', entry: './src/main.js', cache: {type: 'filesystem'}};\n"
    fetch = ["npm", "install", "--silent", "--no-save", "--no-package-lock", "webpack@5", "webpack-cli@5"]
    return Tool({"webpack.config.js": settings}, "src/main.js", ["node", "node_modules/webpack/bin/webpack.js"], "dist/main.js", "dist/\n", (fetch,))


REAL = dict(os.environ)
COMPILED = "build/app: src/main.c\n\tmkdir -p build\n\t{} -c -o build/main.o src/main.c\n\tcc -o build/app build/main.o\n"
ANT = '<project name="x" default="all"><target name="all"><mkdir dir="build"/><javac srcdir="src" destdir="build" includeantruntime="false"/></target></project>\n'
COPIED = "builddir = build\nrule copy\n  command = cp $in $out\nbuild build/out: copy src/main.txt\n"
CMAKE = """\
cmake_minimum_required(VERSION 3.10)
project(app NONE)
add_custom_command(OUTPUT out COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/src/main.txt out DEPENDS ${CMAKE_SOURCE_DIR}/src/main.txt)
add_custom_target(all_of_it ALL DEPENDS out)
"""
TOOLS: dict[str, Callable[[], Tool]] = {
    "ninja": lambda: Tool({"build.ninja": COPIED}, "src/main.txt", ["ninja"], "build/out"),
    "cmake": lambda: Tool({"CMakeLists.txt": CMAKE}, "src/main.txt", ["cmake", "--build", "build"], "build/out", set_up=(["cmake", "-B", "build"],)),
    "rustc": rust,
    "npm": typescript,
    "npm, webpack": webpack,
    "make": lambda: Tool({"Makefile": COMPILED.format("cc")}, "src/main.c", ["make", "-s"], "build/app"),
    "ccache": lambda: Tool({"Makefile": COMPILED.format("ccache cc")}, "src/main.c", ["make", "-s"], "build/app"),
    "go": lambda: Tool({"go.mod": "module x\n"}, "src/main.go", ["go", "build", "-o", "build/app", "./src"], "build/app"),
    "ant": lambda: Tool({"build.xml": ANT}, "src/Main.java", ["ant", "-q"], "build/Main.class", granularity=1.1),
    "gradle": lambda: Tool(
        {"build.gradle": "apply plugin: 'java'\nsourceSets.main.java.srcDirs = ['src']\n"},
        "src/Main.java",
        ["gradle", "-q", "--offline", "--no-daemon", "-g", ".gradle/home", "classes"],
        "build/classes/java/main/Main.class",
        "build/\n.gradle/\n",
    ),
}
WORDS = {
    ".rs": 'fn main() {{ println!("{}"); }}\n',
    ".ts": 'console.log("{}");\n',
    ".js": 'console.log("{}");\n',
    ".c": '#include <stdio.h>\nint main(void) {{ return puts("{}") < 0; }}\n',
    ".go": 'package main\n\nfunc main() {{ println("{}") }}\n',
    ".java": 'class Main {{ String word = "{}"; }}\n',
}


def text_of(tool: Tool, word: str) -> str:
    return WORDS.get(os.path.splitext(tool.source)[1], "{}\n").format(word)


@pytest.mark.slow
@pytest.mark.outside
@pytest.mark.parametrize("program", TOOLS)
def test_46_every_tool_builds_from_what_is_there_and_from_nothing_else(program: str, repo: Repo, claude: Claude) -> None:
    if shutil.which(program.partition(",")[0]) is None:
        pytest.skip(f"LOUD: no {program} here; its build is not tested")
    tool = TOOLS[program]()

    def built(*argv: str) -> bool:
        return subprocess.run(argv, cwd=repo.path, env=repo.env, capture_output=True, timeout=300, check=False).returncode == 0

    for path, text in {**tool.files, tool.source: text_of(tool, "base-word")}.items():
        repo.write(path, text)
    a_project(repo, tool.build, ["grep", "-q", "good-word", tool.output], ignored=f"{tool.ignored}.cargo/\n")
    if not all(built(*argv) for argv in (*tool.set_up, tool.build)):
        pytest.skip(f"LOUD: {program} cannot build here; not tested")

    bad = {"python": f"import subprocess; subprocess.run({tool.build!r}, capture_output=True)", "writes": {tool.source: text_of(tool, "bad-word")}}
    assert runs(repo, claude, 10, **bad)["code"] == "STOP_VERIFY_FAILED_FAST"
    assert built(*tool.build)
    assert b"base-word" in (repo.path / tool.output).read_bytes(), "what was built from rejected code is stale"

    time.sleep(tool.granularity)
    tricks = f"import os; os.utime({tool.source!r}, (1e9, 1e9)); os.utime({tool.output!r}, (4e9, 4e9))"
    assert runs(repo, claude, 0, ANOTHER, writes={tool.source: text_of(tool, "good-word")}, python=tricks)["code"] == "SUCCESS"
    assert b"good-word" in (repo.path / tool.output).read_bytes()


@pytest.mark.slow
def test_6_rejected_tests_are_not_collected_by_the_next_ticks_check(repo: Repo, claude: Claude) -> None:
    """pytest takes every test that it finds below the repo, and what was rejected lies there in quarantine."""
    repo.write("tests/test_a.py", "def test_good(): pass\n")
    a_project(repo, [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"], ignored="")
    rejected = {"tests/test_bad.py": "def test_bad(): assert False\n", "conftest.py": "raise SystemExit\n"}

    assert runs(repo, claude, 10, writes=rejected)["code"].startswith("STOP_SCOPE")
    assert (repo.quarantine("tree") / "tests/test_bad.py").exists()
    runs(repo, claude, 0, ANOTHER)


@pytest.mark.slow
def test_46_pytests_cache_is_not_the_builders_to_fill(repo: Repo, claude: Claude) -> None:
    """`--lf` runs only what failed last; a builder that writes down what failed chooses the tests."""
    repo.write("tests/test_a.py", "def test_good(): pass\ndef test_bad(): assert not open('src/app.py').read() == 'new\\n'\n")
    a_project(repo, [sys.executable, "-m", "pytest", "-q", "--lf", "tests"], ignored="")
    cache = {".pytest_cache/v/cache/lastfailed": '{"tests/test_a.py::test_good": true}', ".pytest_cache/.gitignore": "*\n"}

    assert runs(repo, claude, 10, writes={"src/app.py": "new\n", **cache})["code"] == "STOP_VERIFY_FAILED_FAST"
