"""The vault belongs to one repository and one runner: by a word and an inode, in a place of nobody else's, under a seal."""

from __future__ import annotations

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from helpers import PROGRAM, PYTHON, Claude, Document, Repo, a_result, a_task

from relais.world.claim import is_safe_folder
from relais.world.host import digest_of
from relais.world.vault import Vault, sealed, unsealed

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="LOUD: namespaces are Linux's; not tested on this machine")
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="LOUD: only root can give folders away; not tested as this user")
EDIT = {"src/app.py": "one\n2\nthree\n"}
KILLS = f"import os\nos.kill(os.getppid(), {int(signal.SIGKILL)})\n"


def vaults(repo: Repo) -> Path:
    return Path(repo.env["XDG_STATE_HOME"], "relais")


def cut_off(repo: Repo, claude: Claude) -> None:
    """A tick whose builder changes a tracked and an ignored file and kills its runner."""
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": {**EDIT, ".env": "KEY=stolen\n"}, "python": KILLS})
    assert repo.relais("run").returncode == -signal.SIGKILL


def good_tick(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": {"src/util.py": "x = 1\n"}})
    done = repo.relais("run")
    assert done.returncode == 0, done.stdout + done.stderr


def word_of(repo: Repo) -> str:
    return (repo.path / ".git/relais-id").read_text().strip()


def moved(repo: Repo, to: Path) -> Repo:
    repo.path.rename(to)
    return Repo(to, repo.env)


# --- 20: whose vault --------------------------------------------------------------------------------


def test_20_a_word_in_the_git_folder_names_the_vault(repo: Repo, claude: Claude) -> None:
    good_tick(repo, claude)
    word = word_of(repo)
    good_tick_again = {"says": a_task(task_id="t-2")}, {"says": a_result(), "writes": {"src/util.py": "x = 2\n"}}
    claude.plays(*good_tick_again)

    assert repo.relais("run").returncode == 0
    assert word_of(repo) == word
    assert [path.parent.name for path in vaults(repo).glob("*/data")] == [word]
    assert repo.status == ""


def clone_over_a_cut_off_run(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    """A fresh clone stands where a repository was whose tick was cut off."""
    cut_off(repo, claude)
    old = moved(repo, tmp_path / "old")
    old.git("clone", "-q", str(old.path), str(repo.path))
    shutil.rmtree(old.path)
    shutil.copy(PROGRAM, repo.path)
    repo.write(".env", "KEY=new\n")


def test_20_a_fresh_clone_at_the_same_path_gets_nothing_of_the_old_one(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    clone_over_a_cut_off_run(repo, claude, tmp_path)
    tree, git_dir, head = repo.tree(), repo.git_dir_tree(), repo.head

    blocked, refused = repo.relais("run"), repo.relais("recover")

    for done in (blocked, refused):
        assert done.returncode == 20
        assert "recover --adopt" in done.stdout + done.stderr
        assert "recover --anew" in done.stdout + done.stderr
    assert (repo.tree(), repo.git_dir_tree(), repo.head) == (tree, git_dir, head)

    assert repo.relais("recover", "--anew").returncode == 0

    assert (repo.tree(), repo.git_dir_tree(), repo.head) == (tree, git_dir, head)
    good_tick(repo, claude)
    assert list(vaults(repo).glob("*/journal")), "the old run is left where it was"


def test_20_a_clone_that_is_adopted_by_mistake_keeps_its_refs_and_configuration(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    clone_over_a_cut_off_run(repo, claude, tmp_path)
    tree, git_dir = repo.tree(), repo.git_dir_tree()

    refused = repo.relais("recover", "--adopt")

    assert refused.returncode == 20, refused.stdout
    assert "recover --keep" in refused.stderr
    assert (repo.tree(), repo.git_dir_tree()) == (tree, git_dir)
    repo.relais("recover", "--undo")
    assert repo.git_dir_tree() == git_dir


def test_20_a_repository_that_moved_is_recovered_where_it_is(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    tree, head = repo.tree(), repo.head
    cut_off(repo, claude)
    there = moved(repo, tmp_path / "elsewhere")

    done = there.relais("recover", "--undo")

    assert done.returncode == 0, done.stdout + done.stderr
    assert (there.tree(), there.head, there.status) == (tree, head, "")


def test_20_a_repository_brought_back_from_a_backup_is_adopted(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    tree, head = repo.tree(), repo.head
    cut_off(repo, claude)
    subprocess.run(["cp", "-a", str(repo.path), str(tmp_path / "backup")], check=True)
    shutil.rmtree(repo.path)
    subprocess.run(["cp", "-a", str(tmp_path / "backup"), str(repo.path)], check=True)

    first, asked = repo.relais("recover"), repo.relais("recover", "--adopt")
    done = repo.relais("recover", "--undo")

    assert (first.returncode, asked.returncode) == (20, 20)
    assert "recover --adopt" in first.stderr
    assert "recover --undo" in asked.stderr
    assert done.returncode == 0, done.stdout + done.stderr
    assert (repo.tree(), repo.head, repo.status) == (tree, head, "")


def test_20_a_copy_does_not_take_the_originals_run(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    cut_off(repo, claude)
    subprocess.run(["cp", "-a", str(repo.path), str(tmp_path / "copy")], check=True)
    copy = Repo(tmp_path / "copy", repo.env)
    tree = copy.tree()

    refused = copy.relais("recover", "--adopt")

    assert refused.returncode == 20
    assert f"recover -C {repo.path}" in refused.stderr
    assert copy.tree() == tree
    assert copy.relais("recover", "--anew").returncode == 0
    assert copy.tree() == tree
    assert repo.relais("recover", "--undo").returncode == 0
    assert repo.read(".env") == "KEY=1\n"
    assert word_of(copy) != word_of(repo)


def test_20_a_copy_of_a_sound_repository_gets_a_vault_of_its_own_silently(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    good_tick(repo, claude)
    shutil.copytree(repo.path, tmp_path / "copy", symlinks=True)
    copy = Repo(tmp_path / "copy", repo.env)
    copy.write(".env", "KEY=of the copy\n")
    claude.plays({"says": a_task()}, {"says": a_result(), "deletes": [".env"]})

    assert copy.relais("run").returncode == 10

    assert copy.read(".env") == "KEY=of the copy\n"
    assert word_of(copy) != word_of(repo)


@pytest.mark.parametrize("is_bare", [True, pytest.param(False, marks=pytest.mark.slow)], ids=["of a bare repository", "of a work tree"])
def test_20_each_worktree_has_a_vault_of_its_own(is_bare: bool, repo: Repo, claude: Claude, tmp_path: Path) -> None:
    main = repo
    if is_bare:
        repo.git("clone", "-q", "--bare", str(repo.path), str(tmp_path / "bare.git"))
        main = Repo(tmp_path / "bare.git", repo.env)
    trees = [Repo(tmp_path / name, repo.env) for name in ("one", "two")]
    for tree in trees:
        main.git("worktree", "add", "-q", "-b", tree.path.name, str(tree.path))
        shutil.copy(PROGRAM, tree.path)
        tree.write(".env", f"KEY={tree.path.name}\n")
    cut_off(trees[0], claude)

    assert trees[1].relais("recover").stdout.startswith("nothing to recover")
    good_tick(trees[1], claude)
    done = trees[0].relais("recover", "--undo")

    assert done.returncode == 0, done.stdout + done.stderr
    assert [tree.read(".env") for tree in trees] == ["KEY=one\n", "KEY=two\n"]
    assert trees[0].status == ""


def as_before_there_were_words(repo: Repo) -> None:
    """Make an unfinished run's vault what the version before would have left: by path, without a key or a word."""
    (folder,) = [path.parent for path in vaults(repo).glob("*/journal")]
    key = (folder / "key").read_bytes()
    by_path = vaults(repo) / digest_of(os.fsencode(repo.path)).hex()[:16]
    shutil.rmtree(by_path)
    folder.rename(by_path)
    import marshal

    for name in ("journal", "kept"):
        document = unsealed((by_path / name).read_bytes(), key)
        document = document[0] if name == "kept" else {k: v for k, v in document.items() if k != "boot"}
        content = marshal.dumps(document)
        (by_path / name).write_bytes(digest_of(content) + content)
    for name in ("key", "owner", "alive"):
        (by_path / name).unlink()
    (repo.path / ".git/relais-id").unlink()


def test_20_an_unfinished_run_of_the_version_before_is_recoverable_once(repo: Repo, claude: Claude) -> None:
    tree, head = repo.tree(), repo.head
    cut_off(repo, claude)
    as_before_there_were_words(repo)

    first = repo.relais("run")
    assert "recover --adopt" in first.stdout + first.stderr
    assert repo.relais("recover", "--adopt").returncode == 20
    done = repo.relais("recover", "--undo")

    assert done.returncode == 0, done.stdout + done.stderr
    assert (repo.tree(), repo.head, repo.status) == (tree, head, "")
    good_tick(repo, claude)


@pytest.mark.parametrize("word", [b"../../../etc\n", *(pytest.param(word, marks=pytest.mark.slow) for word in (b"", b"\xff" * 40, b"0" * 20 + b"\n"))])
def test_20_a_word_that_is_none_makes_a_new_one(word: bytes, repo: Repo, claude: Claude) -> None:
    repo.write(".git/relais-id", word)

    good_tick(repo, claude)

    assert len(word_of(repo)) == 20
    assert (vaults(repo) / word_of(repo) / "data").exists()


@pytest.mark.parametrize("does", ["open('.git/relais-id', 'w').write('0' * 20)", pytest.param("os.unlink('.git/relais-id')", marks=pytest.mark.slow)])
def test_20_the_word_is_put_back_when_a_builder_reaches_for_it(does: str, repo: Repo, claude: Claude) -> None:
    good_tick(repo, claude)
    word = word_of(repo)
    claude.plays({"says": a_task(task_id="t-2")}, {"says": a_result(), "python": f"import os\n{does}"})

    done = repo.relais("run")

    assert done.returncode == 10, done.stdout
    assert word_of(repo) == word


def test_asking_about_a_repository_leaves_no_word_in_it(repo: Repo) -> None:
    for command in (["status"], ["status", "--preflight"], ["history", "--html"], ["doctor"]):
        repo.relais(*command)

    assert not (repo.path / ".git/relais-id").exists()


# --- 41: the place ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "uid", "is_safe"),
    [(0o755, 0, True), (0o1777, 0, True), (0o777, 0, False), (0o755, os.geteuid(), True), (0o700, 4242, False), (0o1777, 4242, False)],
)
def test_41_folders_that_only_we_and_root_can_change(mode: int, uid: int, is_safe: bool) -> None:
    assert is_safe_folder(stat.S_IFDIR | mode, uid, 0) is is_safe


def test_41_a_folder_of_a_foreign_group_is_not_ours_alone() -> None:
    assert not is_safe_folder(stat.S_IFDIR | 0o775, 0, os.getegid() + 4242)
    assert is_safe_folder(stat.S_IFDIR | 0o775, os.geteuid(), os.getegid())
    assert not is_safe_folder(stat.S_IFLNK | 0o777, 0, 0)


def open_to_all(place: Path) -> None:
    place.chmod(0o777)


def another_persons(place: Path) -> None:
    os.chown(place, 4242, 4242)


@pytest.mark.parametrize("spoil", [open_to_all, pytest.param(another_persons, marks=AS_ROOT)])
@pytest.mark.parametrize("variable", ["XDG_STATE_HOME", "TMPDIR"])
def test_41_a_vault_below_a_folder_that_others_can_change_is_refused(variable: str, spoil: Callable[[Path], None], repo: Repo, claude: Claude, tmp_path: Path) -> None:
    (tmp_path / "shared/inner").mkdir(parents=True)
    spoil(tmp_path / "shared")
    env = {variable: str(tmp_path / "shared/inner")}
    if variable == "TMPDIR":
        env |= {"XDG_STATE_HOME": "", "HOME": "/dev/null"}
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT})

    done = repo.relais("run", env=env)

    assert (done.returncode, repo.report["code"]) == (20, "BLOCKED_MISSING_CONFIG")
    assert str(tmp_path / "shared") in done.stdout + done.stderr
    assert claude.count == 0


def test_41_a_vault_in_the_repository_is_refused(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT})

    done = repo.relais("run", env={"XDG_STATE_HOME": str(repo.path / "node_modules")})

    assert done.returncode == 20
    assert "in the repository" in done.stdout + done.stderr
    assert not (repo.path / "node_modules/relais").exists()


def test_41_a_link_in_the_place_of_the_vaults_is_refused(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o755)
    vaults(repo).parent.mkdir(parents=True)
    vaults(repo).symlink_to(tmp_path / "elsewhere")
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT})

    assert repo.relais("run").returncode == 20

    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert stat.S_IMODE((tmp_path / "elsewhere").stat().st_mode) == 0o755


# --- 11: the seal ----------------------------------------------------------------------------------

FORGES = """
import glob, hashlib, marshal, os
(folder,) = {{os.path.dirname(path) for path in glob.glob({vaults!r} + "/*/kept")}}
key = open(folder + "/key", "rb").read() if {with_key} else b"guessed"
content = open(folder + "/kept", "rb").read()[32:]
rows, look = marshal.loads(content)
data = open(folder + "/data", "ab")
forged = b"KEY=forged\\n"
entry, _, _, _ = rows["tree/.env"]
rows["tree/.env"] = (entry, data.tell(), len(forged), hashlib.sha1(forged).digest())
data.write(forged)
data.close()
seen = os.lstat(folder + "/data")
import struct
look = struct.pack("<IIQqqQ", seen.st_mode, seen.st_nlink, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino)
body = marshal.dumps((rows, look))
open(folder + "/kept", "wb").write(hashlib.blake2b(body, key=key, digest_size=32).digest() + body)
"""


@pytest.mark.parametrize(("who", "with_key"), [("check", True), pytest.param("check", False, marks=pytest.mark.slow), pytest.param("builder", True, marks=pytest.mark.slow)])
def test_11_a_vault_that_was_forged_in_one_tick_is_not_restored_from_in_the_next(who: str, with_key: bool, repo: Repo, claude: Claude) -> None:
    forges = FORGES.format(vaults=str(vaults(repo)), with_key=with_key)
    if who == "check":
        repo.configure({"verification": {"templates": [{"id": "forge", "cmd": sys.executable, "args": ["-c", forges]}]}})
        repo.commit()
        claude.plays({"says": a_task(verification={"fast": ["forge"]})}, {"says": a_result(), "writes": EDIT})
    else:
        claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT, "python": forges})
    assert repo.relais("run").returncode == 0, repo.report
    claude.plays({"says": a_task(task_id="t-2")}, {"says": a_result(), "deletes": [".env"]})

    repo.relais("run")

    assert repo.report["rollback"]["ok"] is True
    assert repo.read(".env") == "KEY=1\n"


def test_11_what_is_sealed_is_read_with_its_key_only() -> None:
    content = sealed({"a": 1}, b"key")

    assert unsealed(content, b"key") == {"a": 1}
    assert unsealed(content, b"another") is None
    assert unsealed(content, b"") is None
    assert unsealed(content[:-1], b"key") is None


def test_11_a_journal_without_its_seal_is_not_obeyed(repo: Repo, claude: Claude) -> None:
    cut_off(repo, claude)
    (journal,) = vaults(repo).glob("*/journal")
    vault = Vault(str(journal.parent))
    document = {**vault.read("journal"), "settings": {}}
    journal.write_bytes(sealed(document, b"guessed"))

    done = repo.relais("recover", "--undo")

    assert done.returncode == 20
    assert "damaged or forged" in done.stderr
    assert repo.read(".env") == "KEY=stolen\n"


def test_11_the_key_is_for_nobody_else(repo: Repo, claude: Claude) -> None:
    good_tick(repo, claude)

    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in [vaults(repo), *vaults(repo).iterdir(), *vaults(repo).glob("*/key")]}
    assert {path.name: mode & 0o077 for path, mode in modes.items() if mode & 0o077} == {}
    assert len(next(iter(vaults(repo).glob("*/key"))).read_bytes()) == 32


IN_THE_VAULT = """
import glob, os, subprocess
(folder,) = {{os.path.dirname(path) for path in glob.glob({vaults!r} + "/*/key")}}
def plant(path, text, mode="a"):
    os.makedirs(os.path.dirname(f"{{folder}}/{{path}}"), exist_ok=True)
    open(f"{{folder}}/{{path}}", mode).write(text)
{does}
"""
PLANTED = {
    "objects": "plant('objects/info/alternates', '/nonexistent\\n'); plant('objects/ab/' + 'c' * 38, 'garbage')",
    "index": "subprocess.run(['git', 'update-index', '--skip-worktree', 'README.md'], env={**os.environ, 'GIT_INDEX_FILE': folder + '/git/index'}, check=True)",
    "settings": "plant('git/config', '[i18n]\\ncommitEncoding = planted\\n')",
}


@pytest.mark.parametrize("does", PLANTED.values(), ids=PLANTED)
def test_11_nothing_that_a_check_plants_in_our_own_store_comes_into_the_repository(does: str, repo: Repo, claude: Claude) -> None:
    does = IN_THE_VAULT.format(vaults=str(vaults(repo)), does=does)
    repo.configure({"verification": {"templates": [{"id": "plant", "cmd": sys.executable, "args": ["-c", does]}]}})
    repo.commit()
    claude.plays({"says": a_task(verification={"fast": ["plant"]})}, {"says": a_result(), "writes": EDIT})

    assert repo.relais("run").returncode == 0, repo.report

    assert repo.git("fsck", "--full", "--strict", "--no-dangling") == ""
    assert not (repo.path / ".git/objects/info/alternates").exists()
    assert not [line for line in repo.git("ls-files", "-v").splitlines() if not line.startswith("H ")]
    assert "encoding" not in repo.git("cat-file", "-p", "HEAD")


def test_11_no_program_that_a_builder_plants_in_our_own_settings_is_started(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    does = f"""plant('git/config', '[filter "x"]\\nclean = "touch {tmp_path}/ran; cat"\\n'); plant('git/info/attributes', '* filter=x\\n')"""
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT, "python": IN_THE_VAULT.format(vaults=str(vaults(repo)), does=does)})

    assert repo.relais("run").returncode == 0, repo.report

    assert not (tmp_path / "ran").exists()


def test_11_without_the_vault_what_git_holds_comes_back_and_the_rest_is_named(repo: Repo, claude: Claude) -> None:
    does = "import shutil; shutil.rmtree(os.path.dirname(folder))"
    turn = {"says": a_result(), "writes": {**EDIT, "docs/guide.md": "x", ".env": "KEY=stolen\n"}, "python": IN_THE_VAULT.format(vaults=str(vaults(repo)), does=does)}
    claude.plays({"says": a_task()}, turn)

    repo.relais("run")

    assert repo.report["rollback"]["ok"] is False
    assert ".env" in repo.report["error"]["detail"]
    assert repo.status == ""


FORBIDS_THE_RUNNER_TO_WRITE = """
import os, resource
pid = os.getpid()
while "relais.py" not in open(f"/proc/{pid}/cmdline").read():
    pid = int(open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[1])
resource.prlimit(pid, resource.RLIMIT_FSIZE, (100, 100))
"""


@LINUX
def test_a_runner_that_can_write_no_more_leaves_all_that_a_recovery_needs(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT, "python": FORBIDS_THE_RUNNER_TO_WRITE})

    done = repo.relais("run")

    assert (done.returncode, "NOT completely rolled back" in done.stdout) == (10, True)
    assert repo.relais("recover", "--undo").returncode == 0
    assert repo.status == ""
    assert repo.git("for-each-ref", "refs/relais/rescue") != ""


# --- 9, 10: which sandbox works -----------------------------------------------------------------------


def the_note(repo: Repo) -> tuple[Vault, Any]:
    (note,) = vaults(repo).glob("*/sandbox")
    vault = Vault(str(note.parent))
    vault.open()
    return vault, vault.read("sandbox")


@LINUX
def test_10_a_forged_note_of_which_sandbox_works_is_tried_again(repo: Repo, claude: Claude) -> None:
    repo.configure({"runner": {"sandbox": "auto"}})
    repo.commit()
    good_tick(repo, claude)
    vault, note = the_note(repo)
    vault.write("sandbox", ("none", *note[1:]))
    claude.plays({"says": a_task(task_id="t-2")}, {"says": a_result(), "writes": EDIT})

    assert repo.relais("run").returncode == 0

    assert repo.report["sandbox"] == "namespaces"
    assert the_note(repo)[1] == note


@LINUX
@pytest.mark.parametrize("pwd", ["/nowhere", pytest.param(None, marks=pytest.mark.slow)])
def test_09_a_stale_working_folder_costs_no_confinement(pwd: str | None, repo: Repo, claude: Claude, tmp_path: Path) -> None:
    repo.configure({"runner": {"sandbox": "on"}})
    repo.commit()
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT})
    env = {name: value for name, value in repo.env.items() if name != "PWD"} | ({"PWD": pwd} if pwd else {})
    gone = tmp_path / "gone"
    gone.mkdir()
    script = f"import os, sys\nos.chdir({str(gone)!r})\nos.rmdir({str(gone)!r})\nos.execve(sys.argv[1], sys.argv[1:], dict(os.environ))"
    command = [PYTHON, "-c", script, PYTHON, str(repo.path / "relais.py"), "run", "-C", str(repo.path)]

    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, encoding="utf-8", timeout=120, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
    assert repo.report["sandbox"] == "namespaces"


# --- 25, 33: the run's own folder ------------------------------------------------------------------------

PLANTS = """
import glob, os, time
for folder in glob.glob("relais/history/*Z-*"):
    for name in {names!r}:
        {plant}
"""
HOW = {
    "a folder": "os.mkdir(os.path.join(folder, name))",
    "a link": "os.symlink('/etc/passwd', os.path.join(folder, name))",
    "a file": "open(os.path.join(folder, name), 'w').write('{\"code\": \"\\x1b[2J\"}')",
}


@pytest.mark.parametrize("how", ["a folder", pytest.param("a link", marks=pytest.mark.slow), pytest.param("a file", marks=pytest.mark.slow)])
def test_25_what_is_planted_in_the_runs_own_folder_decides_nothing(how: str, repo: Repo, claude: Claude) -> None:
    """What the builder leaves in git's folder is put back before the check: by then the run has a folder for it."""
    names = ("report.json", "report.md", "meta.json", "report.json.tmp", "other.md")
    repo.configure({"verification": {"templates": [{"id": "plant", "cmd": sys.executable, "args": ["-c", PLANTS.format(names=names, plant=HOW[how])]}]}})
    repo.commit()
    leaves = "open('.git/gc.log', 'w').write('x')"
    claude.plays({"says": a_task(verification={"fast": ["plant"]})}, {"says": a_result(), "writes": EDIT, "python": leaves})

    done = repo.relais("run", "--json")

    said: Document = json.loads(done.stdout)
    assert (done.returncode, said["code"], repo.report["code"]) == (0, "SUCCESS", "SUCCESS")
    assert json.loads((repo.history() / "report.json").read_text())["run_id"] == repo.report["run_id"]
    assert "\x1b" not in repo.relais("history", repo.report["run_id"]).stdout
    assert [name for name in names if os.path.lexists(repo.history() / name)] == ["report.json", "report.md", "meta.json"]
    assert len(list(repo.quarantine(".").glob("planted-*/*"))) == len(names)


def test_33_a_history_that_leads_out_of_the_repo_is_not_tidied_up(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    (tmp_path / "elsewhere/milestones").mkdir(parents=True)
    (tmp_path / "elsewhere/milestones/mine.tmp").write_text("mine")
    shutil.rmtree(repo.path / "relais/history", ignore_errors=True)
    (repo.path / "relais/history").symlink_to(tmp_path / "elsewhere")
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT})

    repo.relais("run")

    assert (tmp_path / "elsewhere/milestones/mine.tmp").read_text() == "mine"
    assert sorted(path.name for path in (tmp_path / "elsewhere").iterdir()) == ["milestones"]
