"""Patch tasks: git understands the patch, the result is judged as a tree, and only then anything is written."""

from __future__ import annotations

import pytest
from helpers import Claude, Repo, a_task

NEW_FILES = {"scope": {"allow_new_files": True}}
EVERYWHERE = {"scope": {"allow_new_files": True, "allowed_globs": ["**"]}}
EDIT = "--- a/src/app.py\n+++ b/src/app.py\n@@ -1,3 +1,3 @@\n-one\n+ONE\n two\n three\n"


def created(path: str, content: str = "x", mode: str = "100644") -> str:
    return (
        f"diff --git a/{path} b/{path}\nnew file mode {mode}\n--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+{content}\n"
    )


def renamed(kind: str, source: str, target: str) -> str:
    return f"diff --git a/{source} b/{target}\nsimilarity index 100%\n{kind} from {source}\n{kind} to {target}\n"


DELETION = (
    "diff --git a/src/util.py b/src/util.py\ndeleted file mode 100644\n--- a/src/util.py\n+++ /dev/null\n"
    "@@ -1,2 +0,0 @@\n-def double(number):\n-    return 2 * number\n"
)
LINK = created("src/link", "/etc/passwd", "120000") + "\\ No newline at end of file\n"

PATCHES: dict[str, tuple[str, dict[str, object], str]] = {
    "an edit": (EDIT, {}, "SUCCESS"),
    "an edit without a final newline": (EDIT.rstrip("\n"), {}, "SUCCESS"),
    "a deletion": (DELETION, {}, "SUCCESS"),
    "a new program": (created("src/new/tool.sh", mode="100755"), NEW_FILES, "SUCCESS"),
    "a mode": ("diff --git a/src/app.py b/src/app.py\nold mode 100644\nnew mode 100755\n", {}, "SUCCESS"),
    "a rename in scope": (renamed("rename", "src/util.py", "src/moved.py"), NEW_FILES, "SUCCESS"),
    "a rename from outside": (
        renamed("rename", "docs/guide.md", "src/guide.md"),
        NEW_FILES,
        "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED",
    ),
    "a new file where none is allowed": (created("src/new.py"), {}, "STOP_SCOPE_VIOLATION_NEW_FILE"),
    "a file outside": (created("tmp/x"), NEW_FILES, "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED"),
    "an absolute path": (created("/tmp/x"), EVERYWHERE, "STOP_PATCH_REJECTED"),
    "a path upwards": (created("../../evil"), EVERYWHERE, "STOP_PATCH_REJECTED"),
    "git's own folder": (created(".git/hooks/post-commit"), EVERYWHERE, "STOP_PATCH_REJECTED"),
    "git's own folder, shouting": (created(".GIT/config"), EVERYWHERE, "STOP_PATCH_REJECTED"),
    "a link": (LINK, EVERYWHERE, "STOP_PATCH_REJECTED"),
    "a submodule": (
        "diff --git a/src/sub b/src/sub\nnew file mode 160000\n--- /dev/null\n+++ b/src/sub\n@@ -0,0 +1 @@\n"
        "+Subproject commit 1111111111111111111111111111111111111111\n",
        EVERYWHERE,
        "STOP_PATCH_REJECTED",
    ),
    "a copy of a file of the person's": (renamed("copy", ".env", "src/got"), EVERYWHERE, "STOP_PATCH_APPLY_FAILED"),
    "a copy from outside the repo": (renamed("copy", "../secret", "src/got"), EVERYWHERE, "STOP_PATCH_REJECTED"),
    "a forbidden path": (created(".env.local"), EVERYWHERE, "STOP_SCOPE_VIOLATION_FORBIDDEN"),
    "the runner's own": (created("relais/GOAL.md.new"), EVERYWHERE, "STOP_RUNNER_OWNED_MUTATION"),
    "an ignored file that is there": (created("notes.log"), EVERYWHERE, "STOP_PATCH_APPLY_FAILED"),
    "other words than the file's": (EDIT.replace("-one", "-uno"), {}, "STOP_PATCH_APPLY_FAILED"),
    "prose": ("Just change the first line.", {}, "STOP_PATCH_APPLY_FAILED"),
    "a header inside a hunk": (
        "--- a/src/app.py\n+++ b/src/app.py\n@@ -1,3 +1,4 @@\n one\n++++ b/../../evil\n two\n three\n",
        {},
        "SUCCESS",
    ),
}


@pytest.mark.parametrize("name", PATCHES)
def test_a_patch_is_judged_before_it_is_written(name: str, repo: Repo, claude: Claude) -> None:
    patch, changes, code = PATCHES[name]
    claude.plays({"says": a_task(builder={"mode": "patch", "patch": patch}, **changes)})
    before, head = repo.tree(), repo.head

    done = repo.relais("run")

    assert repo.report["code"] == code, done.stdout + done.stderr
    assert repo.status == ""
    assert repo.report["budgets"]["builder_calls"] == 1
    assert repo.state["budgets"]["patch_attempts"] == 1
    assert claude.count == 1
    assert (repo.tree() == before, repo.head == head) == (code != "SUCCESS",) * 2


def test_a_patch_writes_what_git_would_have_written(repo: Repo, claude: Claude) -> None:
    patch = EDIT + DELETION + created("src/new/tool.sh", mode="100755")
    claude.plays({"says": a_task(builder={"mode": "patch", "patch": patch}, **NEW_FILES)})

    repo.relais("run")

    assert repo.read("src/app.py") == "ONE\ntwo\nthree\n"
    assert not (repo.path / "src/util.py").exists()
    assert (repo.path / "src/new/tool.sh").stat().st_mode & 0o111
    assert repo.report["blast_radius"] == {"files_touched": 3, "lines_added": 2, "lines_deleted": 3, "new_files": 1}


def test_a_milestone_has_only_so_many_patch_attempts(repo: Repo, claude: Claude) -> None:
    repo.configure({"builder": {"patch": {"max_patch_attempts_per_milestone": 1}}})
    refused = a_task(builder={"mode": "patch", "patch": "nonsense"})
    claude.plays({"says": refused}, {"says": refused}, {"says": refused})
    repo.relais("run")

    repo.relais("run")

    assert repo.report["code"] == "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID"
    assert "patch attempts" in claude.calls[-1]["stdin"]
