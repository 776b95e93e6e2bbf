"""Section 5, the sandbox: what the kernel refuses a builder, and what an honest one does not notice."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers import FAKE_CLAUDE, FAKE_PROGRAM, RELAIS, Claude, Repo, a_result, a_task, an_environment
from test_config_keys import shows

from relais.world.sandbox import SANDBOXES, Places, seatbelt

EDIT = {"src/app.py": "one\n2\nthree\n"}
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="LOUD: namespaces and Landlock are Linux's; not tested on this machine")
pytestmark = LINUX

# Each attempt is a line of Python; what it raised, or that it raised nothing, is noted where the agent keeps its state.
PROBE = """
import json, os, shutil, signal, socket, subprocess, sys, ctypes
libc = ctypes.CDLL(None, use_errno=True)
def fails(value):
    if value:
        raise OSError(value, "refused")
def run(*argv):
    fails(subprocess.run(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode)
def mount(*args):
    fails(libc.mount(*args) and ctypes.get_errno())
outcomes = {}
for attempt in ATTEMPTS:
    try:
        exec(attempt)
        outcomes[attempt] = "allowed"
    except OSError as problem:
        outcomes[attempt] = "refused"
    except Exception as problem:
        outcomes[attempt] = repr(problem)
with open(NOTE, "w") as file:
    json.dump(outcomes, file)
"""
HOME = "os.environ['HOME']"
REFUSED = [
    f"open({HOME} + '/.bashrc', 'w')",
    f"open({HOME} + '/.gitconfig', 'a')",
    f"os.remove({HOME} + '/.gitconfig')",
    f"os.mkdir({HOME} + '/new')",
    "open('/etc/relais-was-here', 'w')",
    "open('/usr/local/relais-was-here', 'w')",
    "open('../beside', 'w')",
    "open('.git/config', 'a')",
    "open('.git/hooks/post-commit', 'w')",
    "os.rename('.git', 'git')",
    "os.rename('.git/config', 'src/config')",
    "run('git', 'add', '-A')",
    "run('git', 'commit', '--allow-empty', '-m', 'x')",
    "open('relais/STATE.json', 'w')",
    "open('relais/new', 'w')",
    "os.rename('relais', 'elsewhere')",
    "os.chmod('relais/STATE.json', 0o777)",
    "os.utime('relais/STATE.json')",
    "open('relais.config.json', 'a')",
    "os.remove('relais.config.json')",
    "os.replace('src/util.py', 'relais.config.json')",
    "open('relais.py', 'a')",
    "os.chmod('relais.py', 0o600)",
    "os.link('relais.config.json', 'src/hard')",
    f"os.link({HOME} + '/.gitconfig', 'src/hard')",
    "os.symlink('../relais/STATE.json', 'src/soft'); open('src/soft', 'a')",
    "run('umount', '.git')",
    "run('mount', '-o', 'remount,rw,bind', '.git')",
    "mount(None, b'.git', None, 32 | 4096, None)",
    "mount(b'none', b'/', None, 0x40000 | 0x4000, None)",
    "fails(libc.umount2(os.fsencode(os.path.abspath('.git')), 2) and ctypes.get_errno())",
    "run('unshare', '-rm', 'sh', '-c', 'umount .git && echo > .git/config')",
    "run('unshare', '-rm', 'sh', '-c', 'mount -o remount,rw,bind .git && echo > .git/config')",
    "os.kill(RUNNER, signal.SIGKILL)",
    "os.kill(RUNNER, 0)",
    "open(f'/proc/{RUNNER}/mem', 'rb')",
    "os.listdir(f'/proc/{RUNNER}/root/')",
    "os.readlink(f'/proc/{RUNNER}/cwd')",
    "fails(libc.ptrace(16, RUNNER, 0, 0) and ctypes.get_errno())",
    "os.setuid(1)",
    "os.mknod('src/device', 0o60600, os.makedev(8, 0))",
    "os.chroot('/')",
    "open('/proc/sys/kernel/core_pattern', 'w')",
    "open('/proc/sysrq-trigger', 'w')",
    "[open(f'/proc/1/fd/{name}', 'w') for name in os.listdir('/proc/1/fd')]",
]
ALLOWED = [
    "open('src/app.py', 'w').write('two\\\\n')",
    "open('top', 'w'); os.rename('top', 'top2'); os.remove('top2')",
    "os.mkdir('folder'); open('folder/x', 'w'); shutil.rmtree('folder')",
    "open('src/x~', 'w'); os.replace('src/x~', 'src/app.py'); open('src/app.py', 'w').write('two\\\\n')",
    "open(os.environ['TMPDIR'] + '/x', 'w')",
    f"open({HOME} + '/.claude/state.json', 'w'); os.replace({HOME} + '/.claude/state.json', {HOME} + '/.claude/state2.json')",
    f"open({HOME} + '/.cache/x', 'w')",
    "open('/dev/null', 'w').write('x')",
    "open('/dev/shm/relais-test', 'w')",
    "run('git', 'status')",
    "run('git', 'log', '-1')",
    "run(sys.executable, '-c', 'print(1)')",
    "socket.socket().bind(('127.0.0.1', 0))",
    "os.fork() or os._exit(0)",
    "os.write(os.openpty()[0], b'x')",
    "open('/dev/ptmx', 'r+b', buffering=0).close()",
    "os.urandom(4), open('/dev/urandom', 'rb').read(1), open('/dev/zero', 'rb').read(1)",
]


def builder(claude: Claude, attempts: list[str], **more: Any) -> dict[str, Any]:
    head = f"ATTEMPTS = {attempts!r}\nNOTE = {str(claude.notes_dir / 'outcomes.json')!r}\nimport os\nRUNNER = {os.getpid()}\n"
    return {"says": a_result(), "python": head + PROBE, **more}


def outcomes(claude: Claude) -> dict[str, str]:
    noted: dict[str, str] = json.loads((claude.notes_dir / "outcomes.json").read_text())
    return noted


@pytest.fixture
def confined(repo: Repo) -> Repo:
    repo.configure({"runner": {"sandbox": "on"}})
    (Path(repo.env["HOME"]) / ".cache").mkdir(exist_ok=True)
    repo.commit("confine")
    return repo


def test_the_kernel_refuses_what_is_outside_the_fence_and_allows_what_is_inside(confined: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task(scope={"allow_new_files": True})}, builder(claude, [*REFUSED, *ALLOWED]))

    confined.relais("run")

    assert outcomes(claude) == {**dict.fromkeys(REFUSED, "refused"), **dict.fromkeys(ALLOWED, "allowed")}
    assert (confined.report["code"], confined.report["sandbox"]) == ("STOP_SCOPE_VIOLATION_FORBIDDEN", "namespaces")
    assert confined.report["scope"]["violations"] == ["src/soft (link to ../relais/STATE.json)"], "all else was refused"


def test_a_builder_has_no_hold_on_the_persons_terminal(confined: Repo, claude: Claude) -> None:
    """7: it cannot write to it, listen to it, or stop it."""
    leader, follower = os.openpty()
    attempts = [f"open({os.ttyname(follower)!r}, {mode!r})" for mode in ("w", "r")] + ["open('/dev/tty', 'w')"]
    claude.plays({"says": a_task()}, builder(claude, attempts))
    try:
        confined.relais("run")
    finally:
        os.close(leader)
        os.close(follower)

    assert outcomes(claude) == dict.fromkeys(attempts, "refused")


def test_it_holds_for_another_user_too() -> None:
    """Unprivileged, which is how most people run it."""
    python = next((p for p in ("/usr/bin/python3", "/usr/local/bin/python3") if os.path.exists(p)), None)
    if os.geteuid() != 0 or python is None:
        pytest.skip("LOUD: needs root, to become somebody else, and a Python that everybody may run")
    folder = Path(tempfile.mkdtemp(prefix="relais-user-", dir="/var/tmp"))
    try:
        claude = Claude(folder / "bin", folder / "home/.claude/fake")
        claude.install()
        command = folder / "bin/claude"
        command.write_text(command.read_text().replace(sys.executable, python).replace(str(FAKE_PROGRAM), str(folder / "fake_claude.py")))
        shutil.copy(FAKE_CLAUDE, folder)
        repo = Repo(folder / "repo", an_environment(folder / "home", folder / "bin"))
        (folder / "home/.cache").mkdir()
        for path in ("src/app.py", "src/util.py"):
            repo.write(path, "one\n")
        shutil.copy(RELAIS, repo.path)
        repo.git("init", "-q")
        repo.commit("first")
        assert repo.relais("init", "--goal", "x", "--commit").returncode == 0
        claude.plays({"says": a_task(scope={"allow_new_files": True})}, builder(claude, [*REFUSED, *ALLOWED]))
        for path in [folder, *folder.rglob("*")]:
            os.chown(path, 12345, 12345, follow_symlinks=False)

        done = subprocess.run(
            [python, "relais.py", "run", "--json"], cwd=repo.path, env=repo.env, user=12345, group=12345, extra_groups=[],
            capture_output=True, timeout=60, check=False,
        )  # fmt: skip

        assert json.loads(done.stdout)["sandbox"] == "namespaces", done.stderr
        assert not (folder / "home/.cache/x").exists(), "what a builder writes into a cache is thrown away"
        assert outcomes(claude) == {**dict.fromkeys(REFUSED, "refused"), **dict.fromkeys(ALLOWED, "allowed")}
    finally:
        shutil.rmtree(folder)


def test_nothing_survives_it_and_the_report_counts_what_was_ended(confined: Repo, claude: Claude) -> None:
    leaves = "import subprocess; [subprocess.Popen(['setsid', 'nohup', 'sleep', '98765'], stdout=-3, stderr=-3) for _ in range(3)]"
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT, "python": leaves})

    confined.relais("run")

    assert confined.report["code"] == "SUCCESS"
    assert "3 processes outlived the builder and were ended" in confined.report["budgets"]["warnings"]
    assert not [path for path in Path("/proc").glob("[0-9]*/cmdline") if b"98765" in path.read_bytes()]


def test_an_orphan_that_ended_in_time_is_not_said_to_have_outlived_it(confined: Repo, claude: Claude) -> None:
    leaves = "import subprocess, time; subprocess.run(['sh', '-c', 'sleep 0.1 &']); time.sleep(0.4)"
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT, "python": leaves})

    confined.relais("run")

    assert confined.report["code"] == "SUCCESS"
    assert confined.report["budgets"]["warnings"] == []


@shows("runner.sandbox")
@pytest.mark.parametrize(("setting", "expected"), [("auto", "namespaces"), ("on", "namespaces"), ("off", "none")])
def test_the_report_says_what_confined_the_builder(setting: str, expected: str, repo: Repo, claude: Claude) -> None:
    repo.configure({"runner": {"sandbox": setting}})
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT})

    repo.relais("run")

    assert (repo.report["code"], repo.report["sandbox"]) == ("SUCCESS", expected)
    assert ("not confined" in repo.read("relais/REPORT.md")) is (expected == "none")


def unable(repo: Repo, *, but: str = "") -> None:
    """This machine as one on which nothing can confine, or only this kind of sandbox can."""
    source = RELAIS.read_text("utf-8")
    kinds = f"SANDBOXES = {{{but!r}: {'bubblewrap' if but == 'bwrap' else but}}} or {{" if but else "SANDBOXES = {} and {"
    source = source.replace("SANDBOXES = {", kinds, 1)
    (repo.path / "relais.py").write_text(source)
    repo.commit("a poorer machine")


@pytest.mark.parametrize(("setting", "status"), [("on", 20), ("auto", 0)])
def test_where_nothing_confines_only_a_person_who_insists_is_refused(setting: str, status: int, repo: Repo, claude: Claude) -> None:
    unable(repo)
    repo.configure({"runner": {"sandbox": setting}})
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT})

    done = repo.relais("run")
    doctor = repo.relais("doctor")

    assert done.returncode == status, done.stderr
    assert ("FAIL  sandbox" in doctor.stdout) is (setting == "on")
    assert "a builder can write wherever you can" in doctor.stdout
    assert claude.count == (0 if setting == "on" else 2)


@shows("verification.sandbox")
@pytest.mark.parametrize(("is_confined", "expected"), [(False, "SUCCESS"), (True, "STOP_VERIFY_FAILED_FAST")])
def test_checks_can_be_confined_too(is_confined: bool, expected: str, confined: Repo, claude: Claude, tmp_path: Path) -> None:
    writes = {"id": "writes", "cmd": sys.executable, "args": ["-c", f"open({str(tmp_path / 'outside')!r}, 'w')"]}
    confined.configure({"verification": {"sandbox": is_confined, "templates": [writes]}})
    claude.plays({"says": a_task(verification={"fast": ["writes"]})}, {"says": a_result(), "writes": EDIT})

    confined.relais("run")

    assert confined.report["code"] == expected


@shows("verification.network")
@pytest.mark.parametrize(("network", "expected"), [(True, "SUCCESS"), (False, "STOP_VERIFY_FAILED_FAST")])
def test_checks_can_be_cut_off_from_the_network(network: bool, expected: str, confined: Repo, claude: Claude) -> None:
    """A server of ours on loopback: from a network of its own, a check cannot reach it."""
    import socket

    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        code = f"import socket; socket.create_connection(('127.0.0.1', {server.getsockname()[1]}), 5)"
        calls = {"id": "calls", "cmd": sys.executable, "args": ["-c", code]}
        confined.configure({"verification": {"sandbox": True, "network": network, "templates": [calls]}})
        claude.plays({"says": a_task(verification={"fast": ["calls"]})}, {"says": a_result(), "writes": EDIT})

        confined.relais("run")

    assert confined.report["code"] == expected


# --- the kinds --------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def bwrap() -> Iterator[None]:
    if not shutil.which("bwrap") and os.geteuid() == 0:
        subprocess.run(["apt-get", "install", "-y", "-q", "bubblewrap"], capture_output=True, check=False)
    if not shutil.which("bwrap"):
        pytest.skip("LOUD: bubblewrap is not here and cannot be installed")
    return


def attempts_with(kind: str, folder: Path) -> set[str]:
    """What a shell could write with this kind of sandbox."""
    inside, outside = folder / "repo", folder / "outside"
    (inside / "kept").mkdir(parents=True)
    outside.mkdir()
    places = Places((str(inside),), (str(inside / "kept"),))
    targets = [inside / "may", inside / "kept/x", outside / "x", Path.home() / "x"]
    script = "; ".join(f"echo > {target}" for target in targets)
    env = {**os.environ, "PWD": str(folder)}
    subprocess.run([*SANDBOXES[kind](places), "/bin/sh", "-c", script], capture_output=True, cwd=folder, env=env, check=False)
    return {str(target.relative_to(folder)) if target.is_relative_to(folder) else "home" for target in targets if target.exists()}


def test_namespaces(tmp_path: Path) -> None:
    assert attempts_with("namespaces", tmp_path / "x") == {"repo/may"}


@pytest.mark.usefixtures("bwrap")
def test_bubblewrap(tmp_path: Path) -> None:
    assert attempts_with("bwrap", tmp_path / "x") == {"repo/may"}


def hidden_with(kind: str, folder: Path) -> list[str]:
    """What a shell gets of a key, of what lies open inside of something hidden, and of a program in a writable place."""
    for name in ("repo/tools/bin", "home/.ssh", "state/vault/scratch"):
        (folder / name).mkdir(parents=True)
    for name in ("home/.ssh/id", "home/.netrc", "state/vault/kept", "repo/tools/bin/lint"):
        (folder / name).write_text("here")
    places = Places(
        (f"{folder}/repo", f"{folder}/state/vault/scratch"),
        (f"{folder}/repo/tools/bin",),
        private=(f"{folder}/home",),
        hidden=(f"{folder}/home/.ssh", f"{folder}/home/.netrc", f"{folder}/state"),
        scratch=f"{folder}/state/vault/scratch",
        environment={"LD_DEBUG_OUTPUT": "told"},
    )
    attempts = [
        "cat home/.ssh/id",
        "cat home/.netrc",
        "cat state/vault/kept",
        "echo > state/vault/new",
        "mv repo/tools repo/other",
        "echo > state/vault/scratch/x",
        'test "$LD_DEBUG_OUTPUT" = told',
    ]
    script = "; ".join(f"({attempt}) > {folder}/repo/out 2> /dev/null && grep -q here {folder}/repo/out && echo '{attempt}'" for attempt in attempts[:3])
    script += "; " + "; ".join(f"({attempt}) 2> /dev/null && echo '{attempt}'" for attempt in attempts[3:])
    env = {**os.environ, "PWD": str(folder)}
    done = subprocess.run([*SANDBOXES[kind](places), "/bin/sh", "-c", script], capture_output=True, text=True, cwd=folder, env=env, check=False)
    return done.stdout.splitlines() or [done.stderr]


LEFT_OPEN = ["echo > state/vault/scratch/x", 'test "$LD_DEBUG_OUTPUT" = told']


def test_namespaces_hide_and_hold(tmp_path: Path) -> None:
    assert hidden_with("namespaces", tmp_path / "x") == LEFT_OPEN


@pytest.mark.usefixtures("bwrap")
def test_bubblewrap_hides_and_holds_the_same(tmp_path: Path) -> None:
    assert hidden_with("bwrap", tmp_path / "x") == LEFT_OPEN


@pytest.mark.usefixtures("bwrap")
def test_bubblewrap_closes_what_has_no_place_on_disk_and_tells_of_nobody_who_ended_in_time(confined: Repo, claude: Claude) -> None:
    """Keyrings, sockets without a file, and the kernel's settings, which root owns whatever its powers."""
    unable(confined, but="bwrap")
    refused = [
        "fails(libc.syscall(250 if os.uname().machine == 'x86_64' else 219, 0, ctypes.c_int(-3), 1) < 0)",
        "open('/proc/sys/kernel/core_pattern', 'w')",
        "socket.socket(socket.AF_UNIX).connect('\\0relais-bwrap-test')",
    ]
    claude.plays({"says": a_task()}, builder(claude, refused, writes=EDIT))
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("\0relais-bwrap-test")
        server.listen()

        confined.relais("run")

    if ctypes_landlock_version() < 6:
        refused.pop()
    assert {attempt: outcomes(claude)[attempt] for attempt in refused} == dict.fromkeys(refused, "refused")
    assert (confined.report["code"], confined.report["sandbox"]) == ("SUCCESS", "bwrap")
    assert confined.report["budgets"]["warnings"] == []


def test_landlock_guards_only_what_is_outside(tmp_path: Path) -> None:
    if ctypes_landlock_version() < 1:
        pytest.skip("LOUD: this kernel has no Landlock")
    assert attempts_with("landlock", tmp_path / "x") == {"repo/may", "repo/kept/x"}


def test_landlock_leaves_root_no_powers(tmp_path: Path) -> None:
    """With them it could make a device of the whole disk in the repo, and write to it there."""
    if ctypes_landlock_version() < 1 or os.geteuid() != 0:
        pytest.skip("LOUD: this kernel has no Landlock, or we are not root")
    look = [*SANDBOXES["landlock"](Places((str(tmp_path),))), "grep", "^Cap", "/proc/self/status"]

    said = subprocess.run(look, capture_output=True, text=True, cwd=tmp_path, check=True).stdout

    assert {line.split()[1].strip("0") for line in said.splitlines()} == {""}


def ctypes_landlock_version() -> int:
    import ctypes

    return int(ctypes.CDLL(None).syscall(444, None, 0, 1))


def test_the_profile_for_macos_lets_the_last_match_win() -> None:
    program, option, profile = seatbelt(Places(("/r", '/t "x"'), ("/r/.git",), network=False))

    assert (program, option) == ("sandbox-exec", "-p")
    assert profile.split("\n") == [
        "(version 1)",
        "(allow default)",
        "(deny file-write*)",
        '(allow file-write* (subpath "/dev"))',
        '(allow file-write* (subpath "/r"))',
        '(allow file-write* (subpath "/t \\"x\\""))',
        '(deny file-write* (subpath "/r/.git"))',
        "(deny network*)",
    ]


def test_what_is_tried_once_is_believed_until_the_machine_starts_again(confined: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT})
    confined.relais("run")
    vaults = list((Path(confined.env["XDG_STATE_HOME"]) / "relais").iterdir())
    probe = next(path / "probe" for path in vaults if (path / "probe").exists())
    before = probe.stat().st_ctime_ns

    assert confined.relais("status", "--preflight").returncode == 0

    assert probe.stat().st_ctime_ns == before


def test_a_command_that_is_not_there_is_127_in_a_jail_too(confined: Repo, claude: Claude) -> None:
    missing = {"id": "missing", "cmd": "no-such-check", "args": []}
    confined.configure({"verification": {"sandbox": True, "templates": [missing]}})
    claude.plays({"says": a_task(verification={"fast": ["missing"]})}, {"says": a_result(), "writes": EDIT})

    confined.relais("run")

    assert confined.report["verification"]["runs"][0]["exit_code"] == 127


