"""Git's own folder during a tick: what may change is a list; what gc, fetch and the person do meanwhile costs nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers import Claude, Repo, a_result, a_task, run_by_a_plain_user

FORBIDDEN, MOVED, SUCCESS = "STOP_SCOPE_VIOLATION_FORBIDDEN", "STOP_HEAD_MOVED", "SUCCESS"
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="LOUD: namespaces are Linux's; not tested on this machine")
PRELUDE = """
import os, re, shutil, subprocess, zlib
from hashlib import sha1
from pathlib import Path
def git(*args, **more):
    return subprocess.run(["git", *args], check=True, capture_output=True, text=True, **more).stdout.strip()
def write(path, content):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_bytes(content if isinstance(content, bytes) else content.encode())
def loose(kind, body):
    content = kind + b" %d\\0" % len(body) + body
    name = sha1(content).hexdigest()
    write(f".git/objects/{name[:2]}/{name[2:]}", zlib.compress(content))
    return name
"""


def plays(claude: Claude, does: str = "", *, edits: bool = True, **task: object) -> None:
    """A builder that changes the app and does this besides."""
    turn: dict[str, object] = {"says": a_result(), "python": f"{PRELUDE}\n{does}"}
    claude.plays({"says": a_task(**task)}, {**turn, "writes": {"src/app.py": "new\n"}} if edits else turn)


def whole(repo: Repo) -> str:
    """What `git fsck` complains of; a ref, an object, an index of any worktree that is broken or missing."""
    done = subprocess.run(["git", "fsck", "--full", "--no-dangling"], cwd=repo.path, env=repo.env, capture_output=True, text=True, timeout=120, check=False)
    lines = (done.stdout + done.stderr).splitlines()
    return "\n".join(line for line in lines if not line.startswith(("Checking", "Verifying", "notice:")))


def packed(repo: Repo) -> None:
    repo.git("repack", "-adq")
    repo.git("prune-packed")


def warnings(repo: Repo) -> str:
    return "\n".join(repo.report["budgets"]["warnings"])


# --- 15, 16, 17, 18: what git would choke on ---------------------------------------------------------

PACK = "next(Path('.git/objects/pack').glob('*.pack'))"
CHOKES = {
    "15-rev-of-the-persons-pack": f"write({PACK}.with_suffix('.rev'), b'RIDX' + bytes(60))",
    "15-rev-as-a-permutation-of-the-right-one": f"""
right = {PACK}.with_suffix('.rev')
git('-c', 'pack.writeReverseIndex=true', 'index-pack', str({PACK}))
content = right.read_bytes()
body = content[:12] + content[16:20] + content[12:16] + content[20:-20]
os.chmod(right, 0o644); write(right, body + sha1(body).digest())
""",
    "15-mtimes-beside-the-persons-pack": f"write({PACK}.with_suffix('.mtimes'), b'MTME' + bytes(60))",
    "15-multi-pack-index": "write('.git/objects/pack/multi-pack-index', b'MIDX' + bytes(60))",
    "15-commit-graph": "write('.git/objects/info/commit-graph', b'CGPH' + bytes(60))",
    "16-folder-multi-pack-index": "os.mkdir('.git/objects/pack/multi-pack-index')",
    "16-folder-alternates": "os.mkdir('.git/objects/info/alternates')",
    "16-folder-commit-graph": "os.mkdir('.git/objects/info/commit-graph')",
    "16-folder-with-an-objects-name": "os.makedirs('.git/objects/ab/' + 'c' * 38)",
    "16-folder-with-a-packs-name": "os.mkdir('.git/objects/pack/pack-' + 'a' * 40 + '.idx')",
    "16-folder-index.lock": "os.mkdir('.git/index.lock')",
    "16-folder-shallow": "os.mkdir('.git/shallow')",
    "alternates": "write('.git/objects/info/alternates', '/nonexistent\\n')",
    "promisor": f"write({PACK}.with_suffix('.promisor'), '')",
    "17-tree-cut-short": "loose(b'tree', b'100644 a\\0' + bytes(10))",
    "17-tree-of-a-bad-mode": "loose(b'tree', b'1x0644 a\\0' + bytes(20))",
    "17-tree-with-dot-git": "loose(b'tree', b'100644 .GIT\\0' + bytes(20))",
    "17-tree-out-of-order": "loose(b'tree', b'100644 b\\0' + bytes(20) + b'100644 a\\0' + bytes(20))",
    "17-commit-without-a-tree": "loose(b'commit', b'author a <a> 1 +0000\\n\\nx')",
    "17-tag-of-nothing": "loose(b'tag', b'tag x\\n')",
    "17-unknown-type": "loose(b'blub', b'x')",
    "17-size-that-lies": "c = b'blob 9\\0x'; n = sha1(c).hexdigest(); write(f'.git/objects/{n[:2]}/{n[2:]}', zlib.compress(c))",
    "17-bytes-behind-the-end": "c = b'blob 1\\0y'; n = sha1(c).hexdigest(); write(f'.git/objects/{n[:2]}/{n[2:]}', zlib.compress(c) + b'more')",
    "17-malformed-and-packed": """
name = loose(b'tree', b'100644 .git\\0' + bytes.fromhex(git('rev-parse', 'HEAD:README.md')))
git('pack-objects', '-q', '.git/objects/pack/pack', input=name + '\\n'); os.unlink(f'.git/objects/{name[:2]}/{name[2:]}')
""",
    "18-garbage-under-remotes": "write('.git/refs/remotes/origin/main', 'garbage')",
    "18-remote-of-a-missing-object": "write('.git/refs/remotes/origin/main', 'a' * 40 + '\\n')",
    "18-bad-name-under-remotes": "write('.git/refs/remotes/origin/a..b', git('rev-parse', 'HEAD') + '\\n')",
    "18-file-where-a-folder-of-refs-is": "write('.git/refs/remotes/origin/main/x', git('rev-parse', 'HEAD') + '\\n')",
    "18-fifo-under-remotes": "os.makedirs('.git/refs/remotes/o'); os.mkfifo('.git/refs/remotes/o/x')",
    "packed-refs-with-garbage": "open('.git/packed-refs', 'a').write('garbage\\n')",
    "packed-refs-with-a-second-head": "open('.git/packed-refs', 'a').write('# more\\n')",
    "packed-refs-out-of-order": "head, *rows = open('.git/packed-refs').readlines(); write('.git/packed-refs', ''.join([head, *rows[::-1]]))",
    "packed-refs-with-one-twice": "rows = open('.git/packed-refs').readlines(); write('.git/packed-refs', ''.join([*rows, rows[-1]]))",
    "packed-refs-that-take-a-commit-for-a-tag": "head, row, *rows = open('.git/packed-refs').readlines(); write('.git/packed-refs', ''.join([head, row, '^' + git('rev-parse', 'HEAD~') + '\\n', *rows]))",
    "folders-in-which-git-cannot-write": "[os.mkdir(f, 0o500) for f in (f'.git/objects/{n:02x}' for n in range(256)) if not os.path.exists(f)]",
    "a-folder-in-which-everybody-can-write": "loose(b'blob', b'x'); [os.chmod(f, 0o777) for f in Path('.git/objects').glob('??')]",
}  # fmt: skip


@pytest.mark.parametrize("does", CHOKES.values(), ids=CHOKES)
def test_what_git_would_choke_on_is_an_offence_and_moved_away(does: str, repo: Repo, claude: Claude) -> None:
    repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
    repo.git("pack-refs", "--all")
    packed(repo)
    before = repo.git("for-each-ref")
    plays(claude, does)

    repo.relais("run")

    assert repo.report["code"] in (FORBIDDEN, MOVED), repo.report
    assert repo.report["rollback"]["ok"] is True
    assert whole(repo) == ""
    assert repo.git("for-each-ref", "refs/heads", "refs/tags", "refs/remotes") == before
    repo.git("gc", "-q", "--prune=now")
    repo.git("clone", "-q", "--no-local", str(repo.path), str(repo.path.parent / "clone"))


def test_a_pack_that_git_only_touched_is_not_read_object_by_object(repo: Repo, claude: Claude) -> None:
    """Git touches a pack when an object that is in it is written again: in a large repository that is every day's work."""
    packed(repo)
    log, real = repo.path.parent / "gits", shutil.which("git")
    (claude.bin_dir / "git").write_text(f'#!/bin/sh\necho "$*" >> {log}\nexec {real} "$@"\n')
    (claude.bin_dir / "git").chmod(0o755)
    plays(claude, f"os.utime({PACK})")

    repo.relais("run")

    assert repo.report["code"] == "SUCCESS"
    assert "commit-tree" in log.read_text(), "this is the git that relais asks"
    assert "verify-pack" not in log.read_text()


def test_a_tag_is_not_said_to_stand_for_something_else(repo: Repo, claude: Claude) -> None:
    for name in ("v1", "v2"):
        repo.git("commit", "-q", "--allow-empty", "-m", name)
        repo.git("tag", "-a", name, "-m", name)
    repo.git("pack-refs", "--all")
    before = repo.git("show-ref", "-d")
    plays(claude, "p = Path('.git/packed-refs'); one, two = re.findall(r'(?m)^\\^(.*)$', p.read_text()); p.write_text(p.read_text().replace('^' + two, '^' + one))")

    repo.relais("run")

    assert repo.report["code"] == FORBIDDEN, repo.report
    assert repo.git("show-ref", "-d", "--heads", "--tags") == before


@pytest.mark.parametrize("note", ["keep", "promisor", "mtimes"])
def test_what_nobody_can_make_again_stays_with_its_pack(note: str, repo: Repo, claude: Claude) -> None:
    packed(repo)
    (pack,) = (repo.path / ".git/objects/pack").glob("*.pack")
    pack.with_suffix(f".{note}").write_text("mine\n" if note == "keep" else "")
    plays(claude, f"{PACK}.with_suffix('.{note}').unlink()")

    repo.relais("run")

    assert (repo.report["code"], repo.report["rollback"]["ok"]) == (FORBIDDEN, True), repo.report
    assert pack.with_suffix(f".{note}").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="LOUD: only root can give files away; not tested as this user")
@pytest.mark.parametrize("path", ["config", "refs/heads/side", "objects/pack", "hooks"])
def test_what_is_given_away_in_gits_folder_is_taken_back(path: str, repo: Repo, claude: Claude) -> None:
    repo.git("branch", "side")
    plays(claude, f"os.chown('.git/{path}', 65534, 65534)")

    repo.relais("run")

    assert (repo.report["code"], repo.report["rollback"]["ok"]) == (FORBIDDEN, True), repo.report
    assert (repo.path / ".git" / path).stat().st_uid == 0


def test_the_mode_of_gits_own_folder_counts_where_that_lies_elsewhere(repo: Repo, claude: Claude) -> None:
    linked = Repo(repo.path.parent / "linked", repo.env)
    repo.git("worktree", "add", "-q", "-b", "linked", str(linked.path))
    plays(claude, f"os.chmod({str(repo.path / '.git')!r}, 0o777)")

    linked.relais("run")

    assert (linked.report["code"], linked.report["rollback"]["ok"]) == (FORBIDDEN, True), linked.report
    assert (repo.path / ".git").stat().st_mode & 0o022 == 0


def test_an_object_that_is_closed_to_us_is_moved_away_and_keeps_nothing_from_being_put_back(repo: Repo) -> None:
    closes = f"{PRELUDE}\nname = loose(b'blob', b'x'); os.chmod(f'.git/objects/{{name[:2]}}/{{name[2:]}}', 0)"
    turn = {"says": a_result(), "writes": {"docs/guide.md": "x\n"}, "python": closes}

    with run_by_a_plain_user(repo, turn) as plain:
        assert (plain.report["code"], plain.report["rollback"]["ok"]) == (FORBIDDEN, True), plain.report
        assert plain.read("docs/guide.md") == "# Guide\n"


CLOSED = {
    "git's folder": ".git",
    "refs": ".git/refs",
    "branches": ".git/refs/heads",
    "relais": "relais",
    "the vault": "../.local/state/relais/*",
}


@pytest.mark.parametrize("path", CLOSED.values(), ids=CLOSED)
def test_a_folder_that_is_closed_to_us_keeps_nothing_from_being_put_back(path: str, repo: Repo) -> None:
    turn = {"says": a_result(), "writes": {"docs/guide.md": "x\n"}, "python": f"import glob, os\nfor path in glob.glob({path!r}): os.chmod(path, 0)"}

    with run_by_a_plain_user(repo, turn) as plain:
        assert (plain.report["verdict"], plain.report["rollback"]["ok"]) == ("stop", True), plain.report
        assert plain.read("docs/guide.md") == "# Guide\n"
        assert (plain.path / ".git/refs/heads/main").stat().st_mode & 0o600 == 0o600


@pytest.mark.parametrize("does", ["os.mkdir('.git/packed-refs')", "shutil.rmtree('.git/refs'); write('.git/refs', '')", "shutil.rmtree('.git/refs/heads'); write('.git/refs/heads', '')"])
def test_what_stands_in_the_place_of_refs_is_moved_away(does: str, repo: Repo, claude: Claude) -> None:
    before = repo.git("for-each-ref")
    plays(claude, does)

    repo.relais("run")

    assert (repo.report["code"], repo.report["rollback"]["ok"]) == (FORBIDDEN, True), repo.report
    assert repo.git("for-each-ref", "refs/heads") == before
    assert whole(repo) == ""


@pytest.mark.slow
@pytest.mark.parametrize("is_kept", [True, False], ids=["deleted", "written into"])
def test_a_pack_too_large_to_copy_is_said_to_be_back_only_if_it_is(is_kept: bool, repo: Repo, claude: Claude) -> None:
    repo.write("large", os.urandom(140 << 20))
    repo.commit("large")
    packed(repo)
    write_into = f"os.chmod({PACK}, 0o644); f = open({PACK}, 'r+b'); f.seek(70 << 20); f.write(b'damage'); f.close()"
    plays(claude, f"{PACK}.unlink()" if is_kept else write_into)

    repo.relais("run")

    assert repo.report["rollback"]["ok"] is is_kept, repo.report
    assert (whole(repo) == "") is is_kept
    assert is_kept or ".pack" in repo.report["error"]["detail"]


# --- what gc, fetch and maintenance leave ---------------------------------------------------------------

HONEST = {
    "gc": "git('gc', '-q')",
    "gc-prune-now": "git('gc', '-q', '--prune=now')",
    "repack-ad": "git('repack', '-adq')",
    "repack-with-everything": "git('-c', 'pack.writeReverseIndex=true', 'repack', '-adqb', '--write-midx')",
    "prune-packed": "git('repack', '-q'); git('prune-packed')",
    "pack-refs": "git('pack-refs', '--all')",
    "commit-graph": "git('commit-graph', 'write', '--reachable')",
    "commit-graph-split": "git('commit-graph', 'write', '--reachable', '--split')",
    "multi-pack-index": "git('repack', '-q'); git('multi-pack-index', 'write')",
    "fetch": "git('fetch', '-q', 'origin')",
    "fetch-packs": "git('-c', 'fetch.unpackLimit=1', 'fetch', '-q', 'origin')",
    "prefetch": "git('fetch', '-q', '--prefetch', '--no-tags', 'origin', '+refs/heads/*:refs/prefetch/remotes/origin/*')",
    "fetch-prune": "git('update-ref', 'refs/remotes/origin/old', 'HEAD'); git('fetch', '-q', '--prune', 'origin')",
    "temporary-pack": "write('.git/objects/pack/tmp_pack_Ab1', 'x'); write('.git/objects/ab/tmp_obj_Ab1', 'x'); write('.git/gc.pid', '1 x')",
    "temporary-lists": "write('.git/info/refs_Ab12Cd', 'x'); write('.git/objects/info/packs_Ab12Cd', 'x'); write('.git/sharedindex_Ab12Cd', 'x')",
    "maintenance-of-loose-objects": "git('maintenance', 'run', '--task=loose-objects'); git('update-server-info')",
    "status": "os.utime('README.md', (4e9, 4e9)); git('status')",
    "update-server-info": "git('update-server-info')",
}  # fmt: skip


def with_a_remote(repo: Repo) -> None:
    """A remote that has gone on: a commit and a tag more than here, and work here that nothing but a reflog names."""
    origin = Repo(repo.path.parent / "origin", repo.env)
    repo.git("clone", "-q", "--bare", str(repo.path), str(origin.path))
    repo.git("remote", "add", "origin", str(origin.path))
    repo.git("fetch", "-q")
    tree = origin.git("rev-parse", "HEAD^{tree}").strip()
    ahead = origin.git("commit-tree", "-p", "HEAD", "-m", "ahead", tree).strip()
    origin.git("update-ref", "refs/heads/main", ahead)
    origin.git("update-ref", "refs/heads/side", ahead)
    origin.git("tag", "v2", ahead)
    repo.git("commit", "-q", "--allow-empty", "-m", "reset away")
    repo.git("reset", "-q", "--hard", "HEAD~1")


@pytest.mark.parametrize("is_stopped", [False, True], ids=["success", "stopped"])
@pytest.mark.parametrize("does", HONEST.values(), ids=HONEST)
def test_45_what_git_does_to_its_own_folder_is_no_offence_and_costs_no_object(does: str, is_stopped: bool, repo: Repo, claude: Claude) -> None:
    with_a_remote(repo)
    objects = set(repo.git("rev-list", "--objects", "--all", "--reflog").split())
    plays(claude, does, verification={"fast": ["fail"] if is_stopped else []})

    repo.relais("run")

    assert repo.report["code"] == ("STOP_VERIFY_FAILED_FAST" if is_stopped else SUCCESS), repo.report
    assert repo.report.get("rollback", {"ok": True})["ok"] is True
    assert whole(repo) == ""
    assert repo.status == ""
    assert objects <= set(repo.git("rev-list", "--objects", "--all", "--reflog").split())
    assert not [path for path in (repo.path / ".git").rglob("*") if path.name.startswith("tmp_")]


@pytest.mark.parametrize("does", ["fetch -q --depth=1", "fetch -q --unshallow", "fetch -q --deepen=1"])
def test_45_a_fetch_that_moves_where_history_begins_leaves_no_commit_without_its_parents(does: str, repo: Repo, claude: Claude) -> None:
    with_a_remote(repo)
    repo.git("-C", "../origin", "update-ref", "refs/heads/main", repo.git("-C", "../origin", "commit-tree", "-p", "main", "-m", "far", "main^{tree}").strip())
    shallow = Repo(repo.path.parent / "shallow", repo.env)
    repo.git("clone", "-q", "--depth=1", f"file://{repo.path}", str(shallow.path))
    shallow.git("remote", "set-url", "origin", f"file://{repo.path.parent}/origin")
    plays(claude, f"git(*{does.split()!r})")

    shallow.relais("run")

    assert shallow.report["code"] == SUCCESS, shallow.report
    assert whole(shallow) == ""
    assert shallow.git("rev-parse", "origin/main") == repo.git("-C", "../origin", "rev-parse", "main")


def test_45_a_gc_whose_packs_replaced_all_loose_objects_lets_the_next_tick_go_on(repo: Repo, claude: Claude) -> None:
    plays(claude, "git('gc', '-q')", verification={"fast": ["fail"]})
    repo.relais("run")
    plays(claude, intent="again", task_id="t-2")

    repo.relais("run")

    assert repo.report["code"] == SUCCESS
    assert whole(repo) == ""


@pytest.mark.parametrize("is_stopped", [False, True], ids=["success", "stopped"])
def test_45_a_prune_just_before_the_tree_is_made_takes_nothing_from_it(is_stopped: bool, repo: Repo, claude: Claude) -> None:
    """Git writes no blob a second time that a builder's own `git add` has written; to a prune it is rubbish."""
    git, once = shutil.which("git"), repo.path.parent / "once"
    wrapper = claude.bin_dir / "git"
    wrapper.write_text(f"""#!/bin/sh
case " $* " in *" write-tree "*) mkdir {once} 2>/dev/null && env -i PATH="$PATH" {git} -C {repo.path} prune --expire=now;; esac
exec {git} "$@"
""")
    wrapper.chmod(0o755)
    plays(claude, "git('hash-object', '-w', 'src/app.py')", verification={"fast": ["fail"] if is_stopped else []})

    repo.relais("run")

    assert once.exists()
    assert repo.report["code"] == ("STOP_VERIFY_FAILED_FAST" if is_stopped else SUCCESS), repo.report
    assert whole(repo) == ""


LARGE_FILES = """#!/bin/sh
# What git-lfs does when git asks it to clean a file.
mkdir -p .git/lfs/tmp && cat > .git/lfs/tmp/$$ && oid=$(sha256sum .git/lfs/tmp/$$ | cut -d' ' -f1)
folder=.git/lfs/objects/$(echo $oid | cut -c1-2)/$(echo $oid | cut -c3-4)
mkdir -p $folder && mv .git/lfs/tmp/$$ $folder/$oid && echo "oid sha256:$oid"
"""


@pytest.mark.parametrize("does", ["", "git('add', 'src/app.py')"], ids=["left", "added by the builder"])
@pytest.mark.parametrize("is_stopped", [False, True], ids=["success", "stopped"])
def test_45_what_git_lfs_keeps_in_the_git_folder_is_no_offence(is_stopped: bool, does: str, repo: Repo, claude: Claude) -> None:
    program = claude.bin_dir / "git-lfs"
    program.write_text(LARGE_FILES)
    program.chmod(0o755)
    repo.git("config", "filter.large.clean", "git-lfs clean -- %f")
    repo.write(".gitattributes", "src/*.py filter=large\n")
    repo.git("add", "--renormalize", ".")
    repo.commit("large files")
    plays(claude, does, verification={"fast": ["fail"] if is_stopped else ["ok"]})

    repo.relais("run")

    assert repo.report["code"] == ("STOP_VERIFY_FAILED_FAST" if is_stopped else SUCCESS), repo.report
    assert repo.report.get("rollback", {"ok": True})["ok"] is True
    place = repo.report["rollback"]["rescue_ref"] if is_stopped else "HEAD"
    name = repo.git("cat-file", "blob", f"{place}:src/app.py").strip().partition("oid sha256:")[2]
    assert (repo.path / f".git/lfs/objects/{name[:2]}/{name[2:4]}/{name}").read_text() == "new\n"


def test_45_a_large_file_that_is_not_what_its_name_says_is_moved_away(repo: Repo, claude: Claude) -> None:
    plays(claude, f"write('.git/lfs/objects/ab/cd/abcd{'0' * 60}', 'x')")

    repo.relais("run")

    assert repo.report["code"] == FORBIDDEN
    assert not list((repo.path / ".git/lfs").rglob("abcd*"))


# --- 13, 14: other worktrees ------------------------------------------------------------------------------


def with_a_worktree(repo: Repo) -> Path:
    folder = repo.path.parent / "other"
    repo.git("branch", "release")
    repo.git("worktree", "add", "-q", "-b", "side", str(folder))
    (folder / "README.md").write_text("staged there\n")
    subprocess.run(["git", "add", "README.md"], cwd=folder, env=repo.env, check=True)
    repo.git("-C", str(folder), "update-ref", "ORIG_HEAD", "HEAD")
    return folder


def test_13_a_lone_head_of_a_worktree_vouches_for_no_branch(repo: Repo, claude: Claude) -> None:
    repo.git("branch", "release")
    before = repo.git("rev-parse", "release")
    plays(claude, "write('.git/worktrees/w/HEAD', 'ref: refs/heads/release\\n'); write('.git/refs/heads/release', git('commit-tree', 'HEAD^{tree}', '-m', 'evil') + '\\n')")

    repo.relais("run")

    assert repo.report["code"] in (FORBIDDEN, MOVED)
    assert repo.git("rev-parse", "release") == before
    assert not (repo.path / ".git/worktrees").exists()


def test_13_nor_does_the_rewritten_head_of_one_that_is_there(repo: Repo, claude: Claude) -> None:
    with_a_worktree(repo)
    before = repo.git("rev-parse", "release")
    plays(claude, "write('.git/worktrees/other/HEAD', 'ref: refs/heads/release\\n'); git('update-ref', '-d', 'refs/heads/release')")

    repo.relais("run")

    assert repo.report["code"] == MOVED
    assert repo.git("rev-parse", "release") == before


@pytest.mark.parametrize("does", [
    "os.unlink('.git/worktrees/other/index')",
    "write('.git/worktrees/other/index', b'DIRC' + bytes(40))",
    "write('.git/worktrees/other/HEAD', 'garbage')",
    "write('.git/worktrees/other/HEAD', 'ref: refs/heads/nowhere\\n')",
    "os.unlink('.git/worktrees/other/HEAD')",
    "os.unlink('.git/worktrees/other/ORIG_HEAD')",
    "write('.git/worktrees/other/ORIG_HEAD', 'a' * 40 + '\\n')",
    "os.unlink('.git/worktrees/other/logs/HEAD')",
    "write('.git/worktrees/other/logs/HEAD', '')",
    "shutil.rmtree('.git/worktrees/other')",
])  # fmt: skip
def test_14_what_is_destroyed_in_another_worktrees_folder_comes_back(does: str, repo: Repo, claude: Claude) -> None:
    other = with_a_worktree(repo)
    staged = repo.git("-C", str(other), "diff", "--cached", "--name-only")
    plays(claude, does)

    repo.relais("run")

    assert repo.report["code"] == FORBIDDEN, repo.report
    assert repo.git("-C", str(other), "diff", "--cached", "--name-only") == staged == "README.md\n"
    assert repo.git("-C", str(other), "rev-parse", "--abbrev-ref", "HEAD", "ORIG_HEAD").startswith("side\n")
    assert whole(repo) == ""


def test_14_what_the_person_does_in_another_worktree_is_left_and_told(repo: Repo, claude: Claude) -> None:
    """Nothing confines this builder, so it may as well have done it: all of it is whole, and the report says it."""
    other = with_a_worktree(repo)
    plays(claude, f"git('commit', '-qam', 'there', cwd={str(other)!r})")

    repo.relais("run")

    assert repo.report["code"] == SUCCESS
    assert repo.git("log", "-1", "--format=%s", "side") == "there\n"
    assert repo.git("-C", str(other), "status", "--porcelain") == ""
    assert "another worktree" in warnings(repo)


def test_14_no_commit_is_lost_with_a_branch_that_another_worktree_has_checked_out(repo: Repo, claude: Claude) -> None:
    other = with_a_worktree(repo)
    repo.git("-C", str(other), "commit", "-qm", "there")
    repo.git("pack-refs", "--all")
    theirs = repo.git("rev-parse", "side").strip()
    plays(claude, "git('update-ref', 'refs/heads/side', 'HEAD'); write('.git/logs/refs/heads/side', '')")

    repo.relais("run")

    assert repo.report["code"] == SUCCESS, repo.report
    assert "refs/relais/kept/" in warnings(repo)
    assert theirs in repo.git("rev-list", "--all")
    assert theirs in repo.read(".git/logs/refs/heads/side")


# --- submodules --------------------------------------------------------------------------------------------


def with_a_submodule(repo: Repo) -> None:
    library = Repo(repo.path.parent / "library", repo.env)
    library.write("lib.py", "lib = 1\n")
    library.git("init", "-q")
    library.commit("a library")
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library.path), "lib")
    repo.commit("with a library")


@pytest.mark.parametrize("does", ["git('-C', 'lib', 'gc', '-q')", "git('-C', 'lib', 'repack', '-adq')", "os.utime('lib/lib.py', (4e9, 4e9)); git('status')"])
def test_a_gc_in_a_submodule_is_no_offence(does: str, repo: Repo, claude: Claude) -> None:
    with_a_submodule(repo)
    plays(claude, does)

    repo.relais("run")

    assert repo.report["code"] == SUCCESS, repo.report
    assert repo.git("-C", "lib", "fsck", "--full", "--no-dangling") == ""


@pytest.mark.parametrize("does", ["shutil.rmtree('.git/modules/lib/objects')", "os.mkdir('.git/modules/lib/objects/pack/multi-pack-index')", "git('-C', 'lib', 'branch', 'evil')"])
def test_damage_in_a_submodules_git_folder_is_undone(does: str, repo: Repo, claude: Claude) -> None:
    with_a_submodule(repo)
    plays(claude, does)

    repo.relais("run")

    assert repo.report["code"] == FORBIDDEN, repo.report
    assert repo.git("-C", "lib", "fsck", "--full", "--no-dangling") == ""
    assert repo.git("-C", "lib", "branch", "--list", "evil") == ""


# --- 40, 47: nothing becomes unreachable, nothing is folded in silence ---------------------------------------


def test_40_of_two_stashes_made_meanwhile_none_becomes_unreachable(repo: Repo, claude: Claude) -> None:
    other = with_a_worktree(repo)
    stash = f"""
for text in ("first", "second"):
    write({str(other)!r} + "/README.md", text + "\\n"); git("stash", "-q", cwd={str(other)!r})
"""
    plays(claude, stash, edits=False)

    repo.relais("run")

    assert repo.report["code"] == MOVED
    kept = repo.git("for-each-ref", "--format=%(objectname)", "refs/relais/kept").split()
    assert {repo.git("show", f"{value}:README.md") for value in kept} >= {"first\n", "second\n"}
    assert "refs/relais/kept" in warnings(repo)


@pytest.mark.parametrize("edits", [True, False], ids=["with-work", "empty"])
def test_47_a_commit_of_the_builders_own_is_in_the_report(edits: bool, repo: Repo, claude: Claude) -> None:
    plays(claude, "git('commit', '-qam', 'mine \\x1b[31m alone', '--allow-empty')", edits=edits)

    repo.relais("run")

    assert repo.report["code"] == SUCCESS
    told = next(line for line in repo.report["budgets"]["warnings"] if "alone" in line)
    assert "\x1b" not in told and "commit" in told
    assert "alone" in repo.read("relais/REPORT.md")
    assert repo.git("log", "--format=%s", "-1") != "mine"


# --- where nobody but the person could write ------------------------------------------------------------------


@pytest.fixture
def confined(repo: Repo) -> Repo:
    """Agents and checks in a jail of the kernel's, in which git's folder is read-only."""
    repo.configure({"runner": {"sandbox": "auto"}, "verification": {"sandbox": "auto"}})
    repo.commit("confined")
    if "sandbox        namespaces" not in repo.relais("doctor").stdout:
        pytest.skip("LOUD: no namespaces here")
    return repo


def meanwhile(repo: Repo, claude: Claude, start: Callable[..., subprocess.Popen[str]], *commands: list[str], **task: object) -> None:
    """A tick whose builder waits until the person has typed these."""
    signal = repo.path.parent / "home" / ".claude" / "go"
    wait = f"import os, time\nopen({str(signal)!r} + '.ready', 'w').close()\nend = time.monotonic() + 60\nwhile not os.path.exists({str(signal)!r}) and time.monotonic() < end: time.sleep(0.01)"
    claude.plays({"says": a_task(**task)}, {"says": a_result(), "writes": {"src/app.py": "new\n"}, "python": wait})
    process = start("run")
    from helpers import until

    until(lambda: os.path.exists(f"{signal}.ready"), 60)
    for command in commands:
        repo.git(*command)
    signal.touch()
    process.wait(timeout=120)


@LINUX
@pytest.mark.parametrize("is_stopped", [False, True], ids=["success", "stopped"])
def test_stash_tag_branch_and_work_elsewhere_are_left_alone_where_git_was_read_only(is_stopped: bool, confined: Repo, claude: Claude, start: Callable[..., subprocess.Popen[str]]) -> None:
    other = with_a_worktree(confined)
    typed = [["tag", "v9"], ["branch", "new"], ["update-ref", "refs/notes/x", "HEAD"], ["-C", str(other), "stash", "-q"], ["branch", "-D", "release"]]
    typed += [["-C", str(other), "commit", "-q", "--allow-empty", "-m", "there"], ["config", "alias.x", "status"], ["worktree", "add", "-q", "-b", "third", str(other.parent / "third")]]
    (other / "README.md").write_text("stashed there\n")

    meanwhile(confined, claude, start, *typed, verification={"fast": ["fail"] if is_stopped else []})

    assert confined.report["code"] == ("STOP_VERIFY_FAILED_FAST" if is_stopped else SUCCESS), confined.report
    refs = confined.git("for-each-ref", "--format=%(refname)").split()
    assert {"refs/tags/v9", "refs/heads/new", "refs/notes/x", "refs/stash", "refs/heads/third"} <= set(refs)
    assert "refs/heads/release" not in refs
    assert confined.git("log", "-1", "--format=%s", "side") == "there\n"
    assert confined.git("config", "alias.x") == "status\n"
    assert whole(confined) == ""
    assert confined.report.get("rollback", {"ok": True})["ok"] is True


@LINUX
def test_a_commit_of_the_persons_on_the_branch_itself_is_kept_and_not_folded(confined: Repo, claude: Claude, start: Callable[..., subprocess.Popen[str]]) -> None:
    meanwhile(confined, claude, start, ["commit", "-q", "--allow-empty", "-m", "theirs"])

    assert confined.report["code"] == MOVED
    kept = confined.git("for-each-ref", "--format=%(subject)", "refs/relais/kept")
    assert kept == "theirs\n"
    assert "refs/relais/kept" in warnings(confined)


# --- beside a git that never stops --------------------------------------------------------------------------

NEVER_STOPS = """
import itertools, os, subprocess, sys, time
commands = ["gc -q", "status", "fetch -q origin", "repack -adq", "commit-graph write --reachable", "gc -q --prune=now", "status",
            "multi-pack-index write", "pack-refs --all", "prune --expire=now", "repack -Adq", "maintenance run --task=prefetch --task=loose-objects"]
end = time.monotonic() + float(sys.argv[2])
for command in itertools.cycle(commands):
    subprocess.run(["git", *command.split()], cwd=sys.argv[1], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if os.path.exists(sys.argv[3]) or time.monotonic() > end:
        break
"""
TICKS = (
    ("SUCCESS", {"writes": {"src/app.py": "tick {0}\n"}}, []),
    ("STOP_VERIFY_FAILED_FAST", {"writes": {"src/app.py": "tick {0}\n", "src/util.py": "tick {0}\n"}}, ["fail"]),
    ("SUCCESS", {"writes": {"src/app.py": "tick {0}\n"}, "python": "import subprocess; subprocess.run(['git', 'commit', '-qam', 'own'])"}, ["ok"]),
    ("STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", {"writes": {"README.md": "tick {0}\n"}}, []),
)  # fmt: skip


def ticks_beside_it(repo: Repo, claude: Claude, rounds: int) -> None:
    with_a_remote(repo)
    stop = repo.path.parent / "stop"
    other = subprocess.Popen([sys.executable, "-c", NEVER_STOPS, str(repo.path), "600", str(stop)], env=repo.env, stdin=subprocess.DEVNULL)
    try:
        for number in range(rounds):
            code, turn, checks = TICKS[number % len(TICKS)]
            writes = {path: text.format(number) for path, text in turn["writes"].items()}
            task = a_task(task_id=f"t-{number}", intent=f"tick {number}", verification={"fast": checks})
            claude.plays({"says": task}, {"says": a_result(), **turn, "writes": writes})

            repo.relais("run", timeout=300)

            assert repo.report["code"] == code, (number, repo.report.get("error"), repo.report["scope"], warnings(repo))
            assert repo.report.get("rollback", {"ok": True})["ok"] is True
            assert repo.git("rev-list", "--objects", "--all", "--quiet") == ""
    finally:
        stop.touch()
        other.wait(timeout=300)
    assert whole(repo) == ""
    assert repo.status == ""


def test_45_ticks_beside_a_git_that_never_stops(repo: Repo, claude: Claude) -> None:
    ticks_beside_it(repo, claude, len(TICKS))


@pytest.mark.slow
def test_45_many_ticks_beside_a_git_that_never_stops(repo: Repo, claude: Claude) -> None:
    ticks_beside_it(repo, claude, 40)


def test_no_ref_is_put_back_through_a_link_that_leads_out_of_the_repo(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "main").write_text("the person's own\n")
    before = repo.head
    harm = f"import os, shutil; shutil.rmtree('.git/refs/heads'); os.symlink({str(tmp_path / 'outside')!r}, '.git/refs/heads')"
    claude.plays({"says": a_task()}, {"says": a_result(), "python": harm})

    assert repo.relais("run").returncode == 10

    assert {path.name: path.read_text() for path in (tmp_path / "outside").iterdir()} == {"main": "the person's own\n"}
    assert (repo.report["rollback"]["ok"], repo.head) == (True, before)
    assert not (repo.path / ".git/refs/heads").is_symlink()
