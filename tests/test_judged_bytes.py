"""What is committed is what was scanned: bytes, names, links, modes; whoever else writes meanwhile."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from helpers import Claude, Document, Repo, a_result, a_task

from relais.judge import rollback
from relais.rules.fence import hops
from relais.rules.programs import is_builders
from relais.text.git_output import counted_hunks

SWAPPED = Path(__file__).resolve().with_name("swapped.py")
SECRET = "AKIA" + "IOSFODNN7EXAMPLE"
NEW_FILES = {"scope": {"allow_new_files": True}}
KINDS = ("same size", "secret", "link", "mode", "delete")
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="LOUD: extended attributes and namespaces are Linux's; not tested here")


def says(**changes: Any) -> Document:
    return {"says": a_task(**changes)}


def does(writes: dict[str, str] | None = None, **turn: Any) -> Document:
    return {"says": a_result(), "writes": writes or {}, **turn}


def every_object(repo: Repo) -> bytes:
    """The content of all objects in the repository, reachable or not."""
    done = subprocess.run(
        ["git", "cat-file", "--batch-all-objects", "--batch"], cwd=repo.path, env=repo.env, capture_output=True, check=True, timeout=60
    )
    return done.stdout


def test_no_time_that_a_builder_gives_a_file_keeps_it_from_being_looked_at(repo: Repo, claude: Claude) -> None:
    """After 2262 nanoseconds do not fit into 64 bits."""
    late = "import os; os.utime('docs/guide.md', (1e10, 1e10)); os.utime('src/app.py', (1e10, 1e10)); open('.env', 'w').write('stolen')"
    claude.plays(says(), does(EDIT, python=late))

    repo.relais("run")

    assert (repo.report["code"], repo.report["rollback"]["ok"]) == ("STOP_SCOPE_VIOLATION_FORBIDDEN", True), repo.report
    assert (repo.status, repo.read(".env")) == ("", "KEY=1\n")


def test_a_bug_in_the_rollback_itself_leaves_what_a_recovery_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    def odd(*_: object) -> list[str]:
        raise ValueError

    monkeypatch.setattr(rollback, "roll_back", odd)
    run: Any = SimpleNamespace(rollback=None)

    with pytest.raises(ValueError):
        rollback.attempted_rollback(run, "bug")

    assert run.rollback == {"ok": False}


# --- 3: a second writer at every effect ---------------------------------------------------------


def succeeds(repo: Repo, claude: Claude) -> None:
    claude.plays(says(), does(EDIT))


def is_verified(repo: Repo, claude: Claude) -> None:
    claude.plays(says(verification={"fast": ["ok"]}), does(EDIT))


def is_reviewed(repo: Repo, claude: Claude) -> None:
    repo.configure({"review": {"enabled": True, "criteria": []}})
    if repo.status:  # the scene may be set again in a copy of itself
        repo.commit("a reviewer")
    verdict = {"criterion": "The change does what the task's intent says, and nothing else.", "verdict": "pass", "evidence": "seen"}
    claude.plays(says(), does(EDIT), {"says": {"summary": "fine", "criteria": [verdict]}})


def is_rescued(repo: Repo, claude: Claude) -> None:
    claude.plays(says(verification={"fast": ["fail"]}), does(EDIT))


EDIT = {"src/app.py": "one\nof these two lines is changed, and it is long enough\n"}
SCENES = {"success": succeeds, "verify": is_verified, "review": is_reviewed, "rescue": is_rescued}


def tick_with_second_writer(repo: Repo, number: int, kind: str) -> list[str]:
    """One tick; the effects that came after its builder."""
    notes = repo.path.parent / "notes"
    notes.write_text("")
    subprocess.run(
        [sys.executable, "-I", str(SWAPPED), str(notes), str(number), kind, "src/app.py", "relais.py", "run"],
        cwd=repo.path,
        env=repo.env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=120,
    )
    return notes.read_text().splitlines()


def hold_the_promises(repo: Repo, base: str) -> None:
    """No secret in git's store, a commit as it was judged and told, and a tree that is the commit, or is named."""
    report = repo.report
    assert SECRET.encode() not in every_object(repo)
    if report["verdict"] == "success":
        rows = [line.split("\t") for line in repo.git("diff", "--numstat", base, "HEAD").splitlines()]
        told = report["blast_radius"]
        assert [(int(added), int(deleted)) for added, deleted, _ in rows] == [(told["lines_added"], told["lines_deleted"])]
        committed = repo.git("show", "HEAD:src/app.py")
        assert committed in (EDIT["src/app.py"], EDIT["src/app.py"].swapcase())
    else:
        assert report["verdict"] == "stop"
        assert repo.head == base


def begin_again(repo: Repo, kept: Path) -> None:
    """The repository as it was copied to `kept`, at the same place, and no vault."""
    shutil.rmtree(repo.path)
    shutil.rmtree(repo.env["XDG_STATE_HOME"])
    shutil.copytree(kept, repo.path, symlinks=True)


@pytest.mark.parametrize("kind", KINDS)
def test_3_a_file_swapped_at_the_first_look_at_it_is_no_success(kind: str, repo: Repo, claude: Claude) -> None:
    """Between the survey and the scan there is no effect, so the writer comes between the scan and git."""
    succeeds(repo, claude)
    base, kept = repo.head, repo.path.parent / "kept"
    shutil.copytree(repo.path, kept, symlinks=True)
    effects = tick_with_second_writer(repo, 0, kind)
    first_process = effects.index("subprocess.Popen") + 1
    assert repo.report["code"] == "SUCCESS"
    begin_again(repo, kept)
    succeeds(repo, claude)

    tick_with_second_writer(repo, first_process, kind)

    assert repo.report["code"] == "STOP_INTERRUPTED"
    assert "src/app.py" in repo.report["error"]["detail"]
    hold_the_promises(repo, base)


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES)
def test_3_no_swap_at_any_effect_brings_an_unscanned_byte_into_the_repository(scene: str, repo: Repo, claude: Claude) -> None:
    """The kinds of swap take turns."""
    SCENES[scene](repo, claude)
    base, kept = repo.head, repo.path.parent / "kept"
    shutil.copytree(repo.path, kept, symlinks=True)
    effects = tick_with_second_writer(repo, 0, KINDS[0])
    codes = set()
    for number in range(1, len(effects) + 1):
        begin_again(repo, kept)
        SCENES[scene](repo, claude)
        tick_with_second_writer(repo, number, KINDS[number % len(KINDS)])
        hold_the_promises(repo, base)
        codes.add(repo.report["code"])

    assert len(effects) > 20
    assert "STOP_INTERRUPTED" in codes


# --- 4: filters that a builder can write --------------------------------------------------------

SHOUTS = "#!/bin/sh\ntr a-z A-Z\n"
BETRAYS = "#!/bin/sh\ntouch {proof}\ntr a-z A-Z\n"


def a_filtered_project(repo: Repo, command: str) -> None:
    repo.write("tools/shout", SHOUTS)
    (repo.path / "tools/shout").chmod(0o755)
    repo.write("src/loud.txt", "hello\n")
    repo.write(".gitattributes", "*.txt filter=shout\n")
    repo.git("config", "filter.shout.clean", command)
    repo.commit("a filter")


FILTERS = {
    "by a path": "./tools/shout",
    "without a dot": "tools/shout",
    "absolute": "{root}/tools/shout",
    "an interpreter": "sh tools/shout",
    "a module": "python3 -m tools.shout",
    "behind a pipe": "cat|./tools/shout",
    "behind a semicolon": "true;./tools/shout",
    "a variable": "$PWD/tools/shout",
    "an option's file": "sed --file=tools/shout",
    "an assignment": "X=1 cat",
}


@pytest.mark.parametrize("command", FILTERS.values(), ids=FILTERS)
def test_4_a_filter_in_the_repo_is_refused_where_nothing_confines_it(command: str, tmp_path: Path) -> None:
    root = str(tmp_path)

    assert is_builders(command.format(root=root), root, lambda name: f"/usr/bin/{name}" if "/" not in name else os.path.join(root, name))


@pytest.mark.parametrize("command", ["git-lfs clean -- %f", '"git-crypt" clean', "tr a-z A-Z", "/usr/bin/jq .", "nbstripout"])
def test_4_a_filter_outside_the_repo_is_the_persons(command: str, tmp_path: Path) -> None:
    assert not is_builders(command, str(tmp_path), lambda name: name if "/" in name else f"/usr/bin/{name}")


def test_4_the_refusal_names_the_setting_and_no_builder_is_paid(repo: Repo, claude: Claude) -> None:
    a_filtered_project(repo, "./tools/shout")
    claude.plays(says(), does())

    assert repo.relais("run").returncode == 20

    assert repo.blocked["code"] == "BLOCKED_MISSING_CONFIG"
    assert "filter.shout.clean" in repo.blocked["reason"]
    assert claude.count == 0


@LINUX
@pytest.mark.parametrize("verdict", ["success", "rescue"])
def test_4_a_filter_that_the_builder_rewrote_runs_only_confined(verdict: str, repo: Repo, claude: Claude, tmp_path: Path) -> None:
    repo.configure({"runner": {"sandbox": "on"}})
    a_filtered_project(repo, "./tools/shout")
    proof = tmp_path / "home" / "proof"
    writes = {"tools/shout": BETRAYS.format(proof=proof), "src/loud.txt": "goodbye\n"}
    claude.plays(says(scope={"allowed_globs": ["src/**", "tools/**"]}, verification={"fast": ["fail"] if verdict == "rescue" else []}), does(writes))

    done = repo.relais("run")

    assert not proof.exists()
    assert done.returncode == (10 if verdict == "rescue" else 0), done.stderr
    place = "HEAD" if verdict == "success" else repo.report["rollback"]["rescue_ref"]
    assert repo.git("cat-file", "blob", f"{place}:src/loud.txt") == "GOODBYE\n"
    if verdict == "rescue":
        assert repo.report["rollback"]["ok"] is True


@LINUX
@pytest.mark.parametrize("sandbox", ["on", "off"])
def test_4_a_rescue_is_applied_through_a_filter_of_the_repo_only_confined(sandbox: str, repo: Repo, claude: Claude, tmp_path: Path) -> None:
    """Rejected work may hold the filter itself: bringing it back must not run it with all that the person can do."""
    repo.configure({"runner": {"sandbox": "on"}})
    a_filtered_project(repo, "./tools/shout")
    repo.git("config", "filter.shout.smudge", "./tools/shout")
    proof = tmp_path / "home" / "proof"
    writes = {"src/a.txt": "a\n", "tools/shout": BETRAYS.format(proof=proof), "z.txt": "z\n"}
    scope = {"allowed_globs": ["src/**", "tools/**", "*.txt"], "allow_new_files": True}
    claude.plays(says(scope=scope, verification={"fast": ["fail"]}), does(writes))
    repo.relais("run")
    repo.configure({"runner": {"sandbox": sandbox}})

    done = repo.relais("rescue", "apply")

    assert not proof.exists()
    assert done.returncode == (0 if sandbox == "on" else 20), done.stdout + done.stderr
    if sandbox == "on":
        assert (repo.read("z.txt"), repo.read("tools/shout")) == ("Z\n", writes["tools/shout"])
    else:
        assert "filter.shout" in done.stderr
        assert not (repo.path / "z.txt").exists()


def test_4_a_signing_program_in_the_repo_is_refused(repo: Repo, claude: Claude) -> None:
    repo.git("config", "commit.gpgsign", "true")
    repo.git("config", "gpg.program", "./tools/sign")
    claude.plays(says(), does())

    assert repo.relais("run").returncode == 20

    assert "gpg.program" in repo.blocked["reason"]


# --- 19: links, hop by hop -----------------------------------------------------------------------


def test_19_every_hop_of_a_link_is_known() -> None:
    links = {"src/out": "../..", "src/near": "data", "src/round": "round", "src/far": "/etc", "src/data/up": "../../docs"}

    def leads(target: str) -> list[str]:
        return list(hops("src/new", target, links.get))

    assert leads("data/x") == ["src/data/x"]
    assert leads("near/x") == ["src/data/x", "src/data/x"]
    assert leads("out/x")[-1].startswith("..")
    assert leads("far/passwd")[-1] == "/etc"
    assert leads("near/up/guide.md")[-1] == "docs/guide.md"
    assert leads("round")[-1] == "/"
    assert leads("../../x") == ["../x"]
    assert leads("..") == ["."]


LEADS_OUT = {
    "through one that was there": ("os.symlink('there/secret', 'src/new')", "../../home"),
    "through one of the same tick": ("os.symlink('b/secret', 'src/new'); os.symlink('data', 'src/b'); os.symlink('../../../home', 'src/data/secret')", ""),
    "by two dots behind a link": ("os.symlink('there/../../../home', 'src/new')", "data"),
}


@pytest.mark.parametrize(("does_it", "there"), LEADS_OUT.values(), ids=LEADS_OUT)
def test_19_a_link_is_judged_by_where_it_really_ends(does_it: str, there: str, repo: Repo, claude: Claude) -> None:
    repo.write("src/data/x", "x\n")
    if there:
        os.symlink(there, repo.path / "src/there")
    repo.commit("links")
    claude.plays(says(scope={"allowed_globs": ["src/**"], **NEW_FILES["scope"]}), does(python=f"import os\n{does_it}"))

    assert repo.relais("run").returncode == 10

    assert repo.report["code"] in ("STOP_SCOPE_VIOLATION_FORBIDDEN", "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED")
    assert not os.path.lexists(repo.path / "src/new")


def test_19_a_link_that_stays_in_scope_at_every_hop_is_work_like_any_other(repo: Repo, claude: Claude) -> None:
    repo.write("src/data/x", "x\n")
    os.symlink("data", repo.path / "src/there")
    repo.commit("links")
    claude.plays(says(**NEW_FILES), does(python="import os\nos.symlink('there/x', 'src/new')"))

    assert repo.relais("run").returncode == 0, repo.report


# --- 22: deep folders ----------------------------------------------------------------------------

DEEP = {"150 levels": "/".join(["d"] * 150), "2,000 bytes": "/".join(["e" * 100] * 20)}


@pytest.mark.parametrize("folder", DEEP.values(), ids=DEEP)
def test_22_what_a_builder_does_to_a_deep_tracked_file_is_seen_and_undone(folder: str, repo: Repo, claude: Claude) -> None:
    repo.write(f"docs/{folder}/kept.txt", "kept\n")
    repo.commit("deep")
    claude.plays(says(), does({f"docs/{folder}/kept.txt": "taken\n"}))

    assert repo.relais("run").returncode == 10

    assert repo.report["code"] == "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED"
    assert repo.read(f"docs/{folder}/kept.txt") == "kept\n"
    assert repo.report["rollback"]["ok"] is True


def test_22_a_tracked_file_too_deep_to_be_looked_at_is_refused_by_name(repo: Repo, claude: Claude) -> None:
    folder = "/".join(["f" * 200] * 18)
    repo.write(f"{folder}/kept.txt", "kept\n")
    repo.commit("too deep")
    claude.plays(says(), does())

    assert repo.relais("run").returncode == 20

    assert "too deep" in repo.blocked["reason"]


# --- 29: secrets beside the text of a file -------------------------------------------------------

ENCODED = {"writes": {}, "python": f"open('src/a.u16', 'wb').write('key {SECRET}\\n'.encode('utf-16'))"}


def test_29_a_file_that_git_stores_in_another_encoding_is_scanned_as_it_is_stored(repo: Repo, claude: Claude) -> None:
    repo.write(".gitattributes", "*.u16 working-tree-encoding=UTF-16\n")
    repo.commit("an encoding")
    claude.plays(says(**NEW_FILES), does(**ENCODED))

    assert repo.relais("run").returncode == 10

    assert repo.report["code"] == "STOP_SECRET_DETECTED"
    assert SECRET.encode() not in every_object(repo)


HIDING_PLACES = {
    "a name": {"writes": {f"src/{SECRET}.py": "x\n"}},
    "a folder's name": {"writes": {f"src/{SECRET}/a.py": "x\n"}},
    "a link's target": {"python": f"import os\nos.symlink('{SECRET}', 'src/link')"},
    "UTF-16": {"python": f"open('src/a.txt', 'wb').write('key {SECRET}\\n'.encode('utf-16'))"},
    "UTF-16, no mark, big end first": {"python": f"open('src/a.txt', 'wb').write('key {SECRET}\\n'.encode('utf-16-be'))"},
}


@pytest.mark.parametrize("turn", HIDING_PLACES.values(), ids=HIDING_PLACES)
def test_29_a_secret_is_found_where_it_hides(turn: Document, repo: Repo, claude: Claude) -> None:
    claude.plays(says(**NEW_FILES), does(**{"writes": None, **turn}))

    done = repo.relais("run")

    assert (done.returncode, repo.report["code"]) == (10, "STOP_SECRET_DETECTED")
    assert SECRET.encode() not in every_object(repo)
    assert SECRET not in done.stdout + done.stderr + json.dumps(repo.report)


def test_29_what_a_filter_brings_to_light_is_scanned_too(repo: Repo, claude: Claude) -> None:
    repo.write(".gitattributes", "*.low filter=up\n")
    repo.git("config", "filter.up.clean", "tr a-z A-Z")
    repo.commit("conversions")
    claude.plays(says(**NEW_FILES), does({"src/a.low": f"{SECRET.lower()}\n"}))

    assert repo.relais("run").returncode == 10

    assert repo.report["code"] == "STOP_SECRET_DETECTED"
    assert SECRET.encode() not in every_object(repo)


# --- 30: what counts as changed ------------------------------------------------------------------


def test_30_a_nul_hides_no_lines(repo: Repo, claude: Claude) -> None:
    claude.plays(says(**NEW_FILES), does({"src/data.bin": "\0" + "line\n" * 2000}))

    assert repo.relais("run").returncode == 10

    assert repo.report["code"] == "STOP_DIFF_TOO_LARGE"
    assert repo.report["diff"]["lines_changed"] == 2000


BIG = "".join(f"line number {number} of a large file\n" for number in range(160_000))


@pytest.mark.parametrize("is_binary", [False, True], ids=["text", "binary"])
def test_a_one_line_edit_of_a_large_file_is_a_small_change(is_binary: bool, repo: Repo, claude: Claude) -> None:
    repo.write("src/large.dat", ("\0" if is_binary else "") + BIG)
    repo.commit("a large file")
    edit = "text = open('src/large.dat').read()\nopen('src/large.dat', 'w').write(text.replace('number 77777 ', 'seven ', 1))"
    claude.plays(says(), does(python=edit))

    assert repo.relais("run").returncode == 0, repo.report

    assert repo.report["diff"]["lines_changed"] == 2


def test_a_sparse_file_counts_as_all_that_it_adds(repo: Repo, claude: Claude) -> None:
    claude.plays(says(**NEW_FILES), does(python="open('src/sparse', 'wb').truncate(5_000_000)"))

    assert repo.relais("run").returncode == 10

    assert repo.report["code"] == "STOP_DIFF_TOO_LARGE"


def test_what_is_larger_than_the_disk_fills_no_history(repo: Repo, claude: Claude) -> None:
    claude.plays(says(), does(python="import os; os.truncate('src/app.py', 1 << 40)"))
    assert repo.relais("run").returncode == 10
    claude.plays(says(intent="another"), does(EDIT))

    assert repo.relais("run").returncode == 0, repo.report


def test_hunks_are_counted_by_their_newlines_and_bytes() -> None:
    patch = b"--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n one\n-two\n+++ three\n\\ No newline at end of file\n"

    assert counted_hunks(patch) == (0, 1, 8)
    assert counted_hunks(b"@@ -0,0 +1 @@\n+new\n") == (1, 0, 4)


# --- 23: what lstat does not tell ----------------------------------------------------------------

# version 2; user rw, group rw, mask rwx, others rw: what setfacl -d would write.
OPEN_LIST = "(struct.pack('<I', 2) + b''.join(struct.pack('<HHI', tag, perm, 0xFFFFFFFF) for tag, perm in ((1, 7), (4, 7), (16, 7), (32, 7))))"
MARKING = {
    "a default access list": (f"os.setxattr('docs', 'system.posix_acl_default', {OPEN_LIST})", "docs"),
    "the root's default access list": (f"os.setxattr('.', 'system.posix_acl_default', {OPEN_LIST})", "."),
    "the root's mode": ("os.chmod('.', 0o777)", "."),
    "an attribute of a file": ("os.setxattr('src/util.py', 'user.note', b'x')", "src/util.py"),
    "an attribute of an ignored file": ("os.setxattr('.env', 'user.note', b'x')", ".env"),
}
AS_ROOT = {
    "another owner": ("os.chown('src/util.py', 65534, 65534)", "src/util.py"),
    "another owner of a folder": ("os.chown('docs', 65534, 65534)", "docs"),
    "a capability": ("os.setxattr('src/util.py', 'security.capability', struct.pack('<IIIII', 0x2000001, 1 << 13, 0, 0, 0))", "src/util.py"),
}


def worn(path: Path) -> tuple[int, int, int, dict[str, bytes]]:
    seen = path.stat()
    return seen.st_mode, seen.st_uid, seen.st_gid, {name: os.getxattr(path, name) for name in os.listxattr(path)}


@LINUX
@pytest.mark.parametrize(("does_it", "where"), [*MARKING.values(), *(AS_ROOT.values() if os.geteuid() == 0 else ())], ids=[*MARKING, *(AS_ROOT if os.geteuid() == 0 else ())])
def test_23_owner_access_and_attributes_are_seen_and_undone(does_it: str, where: str, repo: Repo, claude: Claude) -> None:
    target = repo.path / where
    try:
        os.setxattr(target, "user.probe", b"x")
        os.removexattr(target, "user.probe")
    except OSError:
        pytest.skip("LOUD: this file system has no extended attributes: not tested here")
    before = worn(target)
    claude.plays(says(scope={"allowed_globs": ["**"]}), does({"src/app.py": "x\n"}, python=f"import os, struct\n{does_it}"))

    assert repo.relais("run").returncode == 10

    assert repo.report["code"].startswith("STOP_SCOPE_VIOLATION")
    assert worn(target) == before
    assert repo.report["rollback"]["ok"] is True


FIXES = {
    "a file": "docs/guide.md",
    "a folder": "docs",
    "the work": "src/app.py",
    "an ignored file": ".env",
    "git's description": ".git/description",
    "git's branches": ".git/refs/heads",
}


@LINUX
@pytest.mark.parametrize("path", FIXES.values(), ids=FIXES)
@pytest.mark.parametrize("flag", ["i", "a"])
def test_23_what_was_fixed_so_that_nobody_can_change_it_is_seen_and_undone(flag: str, path: str, repo: Repo, claude: Claude) -> None:
    repo.write("probe.log", "")
    if subprocess.run(["chattr", f"+{flag}", "probe.log"], cwd=repo.path, capture_output=True, check=False).returncode:
        pytest.skip("LOUD: only root, and not on every file system: not tested here")
    subprocess.run(["chattr", f"-{flag}", "probe.log"], cwd=repo.path, check=True)
    claude.plays(says(), does(EDIT, runs=[["chattr", f"+{flag}", path]]))
    try:
        repo.relais("run")
    finally:
        fixed = subprocess.run(["lsattr", "-d", path], cwd=repo.path, capture_output=True, text=True, check=True).stdout.split()[0]
        subprocess.run(["chattr", "-i", "-a", path], cwd=repo.path, check=True)

    assert repo.report["code"] == "STOP_SCOPE_VIOLATION_FORBIDDEN", repo.report
    assert (repo.report["rollback"]["ok"], flag in fixed, repo.status) == (True, False, "")


@LINUX
@pytest.mark.parametrize("over", ["docs", "node_modules/lib"])
def test_what_is_mounted_in_the_repo_is_not_moved_away(over: str, repo: Repo, claude: Claude, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "diary").write_text("dear diary\n")
    place = repo.path / over
    claude.plays(says(), does(EDIT, runs=[["mount", "--bind", str(theirs), over]]))
    try:
        repo.relais("run")
        if f" {place} " not in Path("/proc/self/mountinfo").read_text():
            pytest.skip("LOUD: nothing can be mounted here: not tested")
        assert repo.relais("recover", "--undo").returncode == 10
        assert str(place) in repo.report["error"]["detail"]
        assert os.listdir(theirs) == ["diary"]
    finally:
        subprocess.run(["umount", str(place)], capture_output=True, check=False)

    assert repo.relais("recover", "--undo").returncode == 0
    assert (repo.status, os.listdir(theirs)) == ("", ["diary"])


@LINUX
def test_23_what_the_person_has_given_to_a_folder_stops_nobody(repo: Repo, claude: Claude) -> None:
    exec(f"import os, struct\nos.setxattr({str(repo.path / 'src')!r}, 'system.posix_acl_default', {OPEN_LIST})", {})
    os.setxattr(repo.path / "src/app.py", "user.note", b"mine")
    claude.plays(says(**NEW_FILES), does({"src/new.py": "x\n", "src/app.py": "y\n"}))

    assert repo.relais("run").returncode == 0, repo.report


@pytest.mark.parametrize("code", [0, 10])
def test_a_link_in_the_place_of_a_folder_is_committed_or_rescued_like_any_other_work(code: int, repo: Repo, claude: Claude) -> None:
    repo.write("src/old/mod.py", "old\n")
    repo.write("src/new/mod.py", "new\n")
    repo.commit("two packages")
    checks = {"fast": ["fail"] if code else []}
    claude.plays(
        {"says": a_task(scope={"allow_new_files": True}, verification=checks)},
        {"says": a_result(), "python": "import os, shutil; shutil.rmtree('src/old'); os.symlink('new', 'src/old')"},
    )

    assert repo.relais("run").returncode == code, repo.report

    commit = repo.report["rollback"]["rescue_ref"] if code else "HEAD"
    assert repo.git("ls-tree", "-r", "--name-only", commit, "src/old", "src/new").split() == ["src/new/mod.py", "src/old"]
    assert (repo.status, repo.read("src/old/mod.py")) == ("", "old\n" if code else "new\n")
