"""Measure 1 of the siege: nothing of the builder's ever runs unconfined. What checks, hooks and agents see, reach and may change."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT, Claude, Document, Repo, a_result, a_task
from test_config_keys import shows
from test_sandbox import EDIT, LINUX, PROBE, builder, outcomes, unable

from relais.agents.confinement import hidden_places
from relais.commands.doctor import CONFINED
from relais.contract.environment import AGENT_VARIABLES, PASSED, passed_on
from relais.contract.places import SECRETS
from relais.rules.denials import Confines, advised
from relais.settings.recipes import AGENTS, agent_named
from relais.world.host import system_home
from relais.world.sandbox import Places, layers

pytestmark = LINUX
HOME = "os.environ['HOME']"


@pytest.fixture
def confined(repo: Repo) -> Repo:
    """As `init` leaves it: nobody has said anything about a sandbox."""
    repo.configure({"runner": {"sandbox": None}, "verification": {"sandbox": None}})
    (Path(repo.env["HOME"]) / ".cache").mkdir(exist_ok=True)
    repo.commit("defaults")
    return repo


def tick(repo: Repo, claude: Claude, code: str, turn: Document | None = None, **verification: Any) -> Document:
    """One tick in which a check runs this Python; the report."""
    repo.write("probe.py", code)
    repo.configure({"verification": {"templates": [{"id": "probe", "cmd": sys.executable, "args": ["probe.py"]}], **verification}})
    repo.commit("a check")
    claude.plays({"says": a_task(verification={"fast": ["probe"]})}, {"says": a_result(), "writes": EDIT, **(turn or {})})
    done = repo.relais("run")
    assert done.returncode in (0, 10), done.stdout + done.stderr
    return repo.report


def said_by_check(repo: Repo) -> Any:
    """The JSON that a check printed as a line of its own."""
    for line in (repo.history() / "verify.log").read_text().splitlines():
        with contextlib.suppress(ValueError):
            return json.loads(line)
    raise AssertionError("it printed no JSON")


def attempted_by_check(repo: Repo, claude: Claude, attempts: list[str], **verification: Any) -> dict[str, str]:
    head = f"ATTEMPTS = {attempts!r}\nNOTE = '/dev/stdout'\nRUNNER = {os.getpid()}\n"
    tick(repo, claude, head + PROBE, **verification)
    noted: dict[str, str] = said_by_check(repo)
    return noted


# --- what a check may do, and what not ----------------------------------------------------------------

# The number of the session's keyring: of what lies in it only the kernel knows.
KEYRING = "fails(libc.syscall(250 if os.uname().machine == 'x86_64' else 219, 0, ctypes.c_int(-3), 1) < 0)"
REFUSED = [
    f"open({HOME} + '/.bashrc', 'w')",
    f"os.mkdir({HOME} + '/new')",
    "open('../beside', 'w')",
    "open('.git/config', 'a')",
    "open('.git/hooks/post-commit', 'w')",
    "open('relais/STATE.json', 'w')",
    "open('relais/out/x', 'w')",
    "open('relais.config.json', 'a')",
    "open('relais.py', 'a')",
    "os.rename('.git', 'git')",
    "os.kill(RUNNER, 0)",
    "open('/proc/sys/kernel/core_pattern', 'w')",
    f"open({HOME} + '/.claude/x', 'w')",
    KEYRING,
]
ALLOWED = [
    "open('src/app.py').read()",
    "os.makedirs('build/x')",
    "open(os.environ['TMPDIR'] + '/x', 'w')",
    f"open({HOME} + '/.cache/x', 'w')",
    "open('/dev/shm/x', 'w')",
    "fails(int(open('/proc/self/oom_score_adj').read()) < 500)",
    "server = socket.socket(); server.bind(('127.0.0.1', 0)); server.listen(); socket.create_connection(server.getsockname(), 5)",
    "local = socket.socket(socket.AF_UNIX); local.bind('build/s'); local.listen(); socket.socket(socket.AF_UNIX).connect('build/s'); os.remove('build/s')",
    "mine = socket.socket(socket.AF_UNIX); mine.bind('\\0relais-own'); mine.listen(); socket.socket(socket.AF_UNIX).connect('\\0relais-own')",
    "os.write(os.openpty()[0], b'x')",
    "run('git', 'log', '-1')",
]


def test_checks_are_confined_unless_somebody_says_otherwise(confined: Repo, claude: Claude) -> None:
    noted = attempted_by_check(confined, claude, [*REFUSED, *ALLOWED])

    assert noted == {**dict.fromkeys(REFUSED, "refused"), **dict.fromkeys(ALLOWED, "allowed")}
    assert not any("unconfined" in warning for warning in confined.report["budgets"]["warnings"])


def test_a_temp_folder_leaves_room_for_the_name_of_a_socket(confined: Repo, claude: Claude) -> None:
    """108 bytes in all: a person's home and state folder take 33 of them, Python's multiprocessing 32."""
    tick(confined, claude, "import json, os; print(json.dumps(os.environ['TMPDIR']))")

    assert len(said_by_check(confined).partition(confined.env["XDG_STATE_HOME"])[2]) <= 108 - 1 - 33 - 32


SEARCH = """
import json, os
found = []
for folder, _, names in os.walk(os.environ["HOME"]):
    for name in names:
        try:
            text = open(os.path.join(folder, name), errors="replace").read()
        except OSError:
            continue
        if "a key of the person" in text:
            found.append(os.path.relpath(os.path.join(folder, name), os.environ["HOME"]))
"""


def keys_everywhere(home: Path) -> list[str]:
    """A file in every place of the table and in every agent's state."""
    states = [path for recipe in AGENTS.values() for path in (*recipe.state, *recipe.copied)]
    planted = []
    for name in [*(name for names in SECRETS.values() for name in names.split()), *states]:
        path = home / name if Path(name).suffix or name in (".netrc", ".npmrc") else home / name / "key"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a key of the person")
        planted.append(str(path.relative_to(home)))
    return planted


def test_keys_and_logins_and_agents_state_are_not_there_for_a_check(confined: Repo, claude: Claude) -> None:
    planted = keys_everywhere(Path(confined.env["HOME"]))

    tick(confined, claude, f"{SEARCH}\nprint(json.dumps(found))")

    assert said_by_check(confined) == []
    assert len(planted) > 60


MOVED = {"XDG_CONFIG_HOME": "config/gh/hosts.yml", "XDG_DATA_HOME": "data/opencode/auth.json", "KUBECONFIG": "kube", "DOCKER_CONFIG": "docker/config.json", "PGPASSFILE": "pgpass"}


def test_keys_that_a_variable_moves_elsewhere_are_not_there_either(confined: Repo, claude: Claude, tmp_path: Path) -> None:
    for name, place in MOVED.items():
        path = tmp_path / "elsewhere" / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a key of the person")
        confined.env[name] = str(tmp_path / "elsewhere" / place.split("/")[0])
    confined.env["KUBECONFIG"] = f"/nowhere:{tmp_path}/elsewhere/kube"
    confined.env["HISTFILE"] = "/dev/null"
    look = SEARCH.replace('os.environ["HOME"]', repr(str(tmp_path / "elsewhere")))

    tick(confined, claude, f"{look}\nprint(json.dumps(found))", environment=["PGPASSFILE"])

    assert said_by_check(confined) == ["pgpass"], "what a check is told of, it is meant to read"


def test_keys_in_the_home_that_the_system_knows_are_hidden_whatever_home_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))

    hidden = list(hidden_places("", is_agent=False))

    assert {f"{tmp_path}/.ssh", f"{system_home()}/.ssh", "/etc/shadow"} <= set(hidden)


@pytest.mark.parametrize("role", ["orchestrator", "builder"])
def test_an_agent_sees_its_own_state_and_no_others(role: str, confined: Repo, claude: Claude) -> None:
    keys_everywhere(Path(confined.env["HOME"]))
    look = {"python": f"{SEARCH}\nopen({str(claude.notes_dir / 'found')!r}, 'w').write(json.dumps(found))"}
    turns = [{"says": a_task()}, {"says": a_result(), "writes": EDIT}]
    turns[role == "builder"].update(look)
    claude.plays(*turns)

    assert confined.relais("run").returncode == 0

    seen = {path.split("/")[0] for path in json.loads((claude.notes_dir / "found").read_text())}
    assert seen == {".claude", ".claude.json", ".config", ".local", ".cache"}
    assert {path for path in json.loads((claude.notes_dir / "found").read_text()) if path.startswith((".config", ".local", ".cache"))} == {
        ".config/claude/key", ".local/state/claude/key", ".cache/claude-cli-nodejs/key"
    }  # fmt: skip


@pytest.mark.parametrize("where", [".local/state", ".cache/state", ".claude/state"])
def test_5_the_vault_is_not_there_whatever_contains_it(where: str, confined: Repo, claude: Claude) -> None:
    confined.env["XDG_STATE_HOME"] = str(Path(confined.env["HOME"]) / where)
    look = f"import os, json; top = {confined.env['XDG_STATE_HOME']!r}; print(json.dumps([path for folder, _, names in os.walk(top) for path in names if 'for-' not in folder]))"

    tick(confined, claude, look)

    assert said_by_check(confined) == []


@shows("verification.sandbox")
@pytest.mark.parametrize(("setting", "expected"), [("on", "STOP_VERIFY_FAILED_FAST"), (True, "STOP_VERIFY_FAILED_FAST"), ("off", "SUCCESS"), (False, "SUCCESS")])
def test_the_words_and_the_older_yes_and_no_confine_checks(setting: object, expected: str, confined: Repo, claude: Claude, tmp_path: Path) -> None:
    assert tick(confined, claude, f"open({str(tmp_path / 'outside')!r}, 'w')", sandbox=setting)["code"] == expected


@pytest.mark.parametrize(("setting", "status"), [("on", 20), ("auto", 0)])
def test_where_nothing_confines_checks_run_and_it_is_said_unless_the_person_insists(setting: str, status: int, repo: Repo, claude: Claude) -> None:
    unable(repo)
    repo.configure({"verification": {"sandbox": setting}})
    claude.plays({"says": a_task(verification={"fast": ["ok"]})}, {"says": a_result(), "writes": EDIT})

    done = repo.relais("run")
    doctor = repo.relais("doctor")

    assert done.returncode == status, done.stderr
    assert ("verification.sandbox is on, but nothing on this machine can confine a check" in done.stderr) is (setting == "on")
    assert ("FAIL  checks" in doctor.stdout) is (setting == "on")
    assert "none: a check can write wherever you can" in doctor.stdout
    if setting == "auto":
        assert "the checks ran the builder's code unconfined: it could do whatever you can" in repo.report["budgets"]["warnings"]


# --- reach ---------------------------------------------------------------------------------------------


@shows("verification.reach.write", "verification.reach.read", "verification.reach.sockets")
def test_what_the_person_opens_to_checks_is_open_and_nothing_beside_it(confined: Repo, claude: Claude, tmp_path: Path) -> None:
    home = Path(confined.env["HOME"])
    for name in ("data", "other", ".docker"):
        (home / name).mkdir()
    (home / ".npmrc").write_text("registry=here")
    (home / ".pgpass").write_text("secret")
    attempts = [
        f"open({HOME} + '/data/x', 'w')",
        f"open({HOME} + '/other/x', 'w')",
        f"fails(open({HOME} + '/.npmrc').read() != 'registry=here')",
        f"fails(open({HOME} + '/.pgpass').read() != 'secret')",
        f"socket.socket(socket.AF_UNIX).connect({HOME} + '/.docker/open.sock')",
        f"socket.socket(socket.AF_UNIX).connect({HOME} + '/.docker/shut.sock')",
    ]
    with socket.socket(socket.AF_UNIX) as one, socket.socket(socket.AF_UNIX) as two:
        for server, name in ((one, "open"), (two, "shut")):
            server.bind(str(home / f".docker/{name}.sock"))
            server.listen()
        reach = {"write": ["~/data"], "read": ["~/.npmrc"], "sockets": ["~/.docker/open.sock"]}
        noted = attempted_by_check(confined, claude, attempts, reach=reach)

    assert list(noted.values()) == ["allowed", "refused"] * 3
    assert (home / "data/x").exists()


OPENING = [
    ("write", "relative", "must be absolute"),
    ("write", "/x/../y", "must be absolute"),
    ("write", "{repo}/.git", "would open"),
    ("write", "{repo}/relais/STATE.json", "would open"),
    ("read", "{vaults}", "would open"),
    ("sockets", "{vaults}/x", "would open"),
    ("write", "~/", "would open"),
    ("read", "~/.cache/data", "name what it leads to"),
    ("write", "/", "would open"),
]


@pytest.mark.parametrize(("key", "path", "words"), OPENING)
def test_an_entry_that_would_open_the_vault_or_the_runners_files_is_refused(key: str, path: str, words: str, confined: Repo) -> None:
    entry = path.format(repo=confined.path, vaults=Path(confined.env["XDG_STATE_HOME"]) / "relais")
    (Path(confined.env["HOME"]) / ".cache/data").symlink_to("../.ssh")
    confined.configure({"verification": {"reach": {key: [entry]}}})

    done = confined.relais("status", "--preflight")

    assert done.returncode == 20
    assert words in done.stdout + done.stderr
    assert f"verification.reach.{key}" in done.stdout + done.stderr


# --- what was denied is said ---------------------------------------------------------------------------

CONFINES = Confines("namespaces", "/w/repo", "/home/me", ("/w/repo", "/home/me/.cache"), ("/home/me/.ssh", "/run/docker.sock", "/w/repo/.git"), ("/home/me/.ssh", "/w/repo/.git"))
TOLD = [
    ("OSError: [Errno 30] Read-only file system: '/home/me/data/x'", ['~/data/x: "~/data" in verification.reach.write would allow it']),
    ("Error: EROFS: read-only file system, open '/home/me/data/x'", ['~/data/x: "~/data" in verification.reach.write would allow it']),
    ("mkdir: cannot create directory ‘/home/me/data/new/x’: Read-only file system", ['~/data/new/x: "~/data" in verification.reach.write would allow it']),
    ("open /home/me/data/x: read-only file system", ['~/data/x: "~/data" in verification.reach.write would allow it']),
    ("touch: cannot touch '/home/me/x': Read-only file system", ["~/x is read-only for checks"]),
    ("sh: 1: cannot create /etc/x: Read-only file system", ["/etc/x is read-only for checks"]),
    ("error: could not write /home/me/.ssh/known_hosts: Read-only file system", ["~/.ssh/known_hosts stays closed to checks"]),
    ("No such file or directory: '/home/me/.ssh/id_rsa'", ["~/.ssh/id_rsa stays closed to checks"]),
    ("fatal: Unable to create '/w/repo/.git/index.lock': Read-only file system", ["/w/repo/.git/index.lock stays closed to checks"]),
    ("[ERROR] Could not create local repository at /home/me/data/m2 -> [Help 1]", ['~/data/m2: "~/data" in verification.reach.write would allow it']),
    ("connect ECONNREFUSED /run/docker.sock", ['/run/docker.sock: "/run/docker.sock" in verification.reach.sockets would allow it']),
    ("No such file or directory: '/home/me/data/x'", []),
    ("Permission denied: '/home/me/data/x'", []),
    ("open '/home/me/.cache/x': read-only file system", []),
    ("nothing at all", []),
    # What would let it leave something for later, asked for by name or by a way round.
    ("Read-only file system: '/home/me/.config/x'", ["~/.config/x is read-only for checks"]),
    ("Read-only file system: '/home/me/.config/autostart/x'", ["~/.config/autostart/x is read-only for checks"]),
    ("Read-only file system: '/home/me/.local/bin/x'", ["~/.local/bin/x is read-only for checks"]),
    ("Read-only file system: '/etc/cron.d/x'", ["/etc/cron.d/x is read-only for checks"]),
    ("Read-only file system: '/../../etc/x'", ["/etc/x is read-only for checks"]),
    ("Read-only file system: '/home/me/data/../.ssh/x'", ["~/.ssh/x stays closed to checks"]),
    ("Read-only file system: '/home/me/.config/app/x'", ['~/.config/app/x: "~/.config/app" in verification.reach.write would allow it']),
]


THERE = {"/home/me/data", "/home/me", "/home/me/.config", "/home/me/.config/autostart", "/home/me/.config/app", "/home/me/.local/bin", "/etc", "/etc/cron.d", "/"}


@pytest.mark.parametrize(("words", "told"), TOLD)
def test_the_words_of_a_check_lead_to_the_entry_that_would_have_allowed_it(words: str, told: list[str]) -> None:
    assert advised(f"some line\n{words}\n", CONFINES, True, THERE.__contains__) == told


def test_a_check_without_network_is_told_so_and_landlock_says_it_in_its_own_words() -> None:
    resolving = "curl: (6) Could not resolve host: example.invalid"

    assert advised(resolving, CONFINES, False, bool) == ["the network: verification.network would allow it"]
    assert advised(resolving, CONFINES, True, bool) == []
    assert advised("Permission denied: '/home/me/data/x'", CONFINES._replace(sandbox="landlock"), True, {"/home/me/data"}.__contains__) != []


def test_what_a_check_was_denied_stands_in_the_report_with_its_entry(confined: Repo, claude: Claude) -> None:
    data = Path(confined.env["HOME"]) / "data"
    data.mkdir()

    report = tick(confined, claude, f"open({str(data / 'x')!r}, 'w')")

    told = '~/data/x: "~/data" in verification.reach.write would allow it'
    assert (report["code"], report["denied"]) == ("STOP_VERIFY_FAILED_FAST", [told])
    assert told in report["error"]["detail"]
    assert tick(confined, claude, f"open({str(data / 'x')!r}, 'w')", reach={"write": ["~/data"]})["code"] == "SUCCESS"


# --- 12: programs that will be started later -------------------------------------------------------------


def a_program_in_its_state(home: Path, claude: Claude) -> Path:
    """The agent as its local installer leaves it: a link on PATH to a script in its state, which starts another file there."""
    local = home / ".claude/local/node_modules/.bin"
    local.mkdir(parents=True)
    shutil.move(claude.bin_dir / "claude", local / "claude")
    (home / ".claude/local/claude").symlink_to("node_modules/.bin/claude")
    (claude.bin_dir / "claude").symlink_to(home / ".claude/local/claude")
    return local / "claude"


SWAPS = [
    f"open({HOME} + '/.claude/local/node_modules/.bin/claude', 'w')",
    f"os.remove({HOME} + '/.claude/local/node_modules/.bin/claude')",
    f"os.replace('src/app.py', {HOME} + '/.claude/local/claude')",
    f"os.rename({HOME} + '/.claude/local', {HOME} + '/.claude/elsewhere')",
    f"os.rename({HOME} + '/.claude', {HOME} + '/.elsewhere')",
    f"os.rename({HOME} + '/.claude/local/node_modules', {HOME} + '/.claude/local/n')",
    f"os.symlink('/bin/true', {HOME} + '/.claude/local/new')",
]


def test_12_a_builder_cannot_replace_the_agents_program_or_a_folder_above_it(confined: Repo, claude: Claude) -> None:
    program = a_program_in_its_state(Path(confined.env["HOME"]), claude)
    before = program.read_text()
    claude.plays({"says": a_task()}, builder(claude, SWAPS, writes=EDIT))

    confined.relais("run")

    assert outcomes(claude) == dict.fromkeys(SWAPS, "refused")
    assert program.read_text() == before


def test_12_a_link_that_no_mount_can_hold_is_refused_before_anybody_is_paid(confined: Repo, claude: Claude) -> None:
    home = Path(confined.env["HOME"])
    shutil.move(claude.bin_dir / "claude", home / "real-claude")
    (home / ".claude/claude").symlink_to(home / "real-claude")
    (claude.bin_dir / "claude").symlink_to(home / ".claude/claude")
    claude.plays({"says": a_task()}, builder(claude, []))

    done = confined.relais("run")

    assert done.returncode == 20
    assert "is a link in a folder that the builder may write to" in done.stderr
    assert claude.count == 0


def test_12_what_path_names_inside_the_repo_is_read_only(confined: Repo, claude: Claude) -> None:
    confined.write("tools/bin/lint", "#!/bin/sh\n")
    confined.commit("a tool")
    confined.env["PATH"] = f"{confined.path}/tools/bin:{confined.env['PATH']}"
    attempts = ["open('tools/bin/lint', 'w')", "os.rename('tools', 'other')", "os.rename('tools/bin', 'tools/other')", "open('tools/new', 'w')"]

    assert list(attempted_by_check(confined, claude, attempts).values()) == ["refused"] * 3 + ["allowed"]


def test_12_what_a_check_left_on_path_in_the_repo_is_started_by_nobody(confined: Repo, claude: Claude) -> None:
    """By-products of checks stay, and a folder of them may come first on PATH."""
    confined.write(".gitignore", confined.read(".gitignore") + "build/\n")
    confined.env["PATH"] = f"{confined.path}/build/bin:{confined.env['PATH']}"
    confined.env["TERM_PROGRAM"] = "vscode"
    script = f"#!/bin/sh\ntouch {confined.path.parent}/started\n"
    code = f"import os; os.makedirs('build/bin')\nfor name in ('claude', 'code'):\n    open('build/bin/' + name, 'w').write({script!r}); os.chmod('build/bin/' + name, 0o755)"
    assert tick(confined, claude, code)["code"] == "SUCCESS"
    assert (confined.path / "build/bin/claude").exists()

    doctor, opened, run = confined.relais("doctor"), confined.relais("open", "report"), confined.relais("run")

    assert "(version not asked)" in doctor.stdout
    assert opened.returncode == 0
    assert run.returncode == 20
    assert "lies among by-products" in run.stderr
    assert not (confined.path.parent / "started").exists()


OBEYED = [
    f"open({HOME} + '/.claude/settings.json', 'w').write('{{}}')",
    f"os.remove({HOME} + '/.claude/settings.json')",
    f"open({HOME} + '/.claude/hooks/start', 'w')",
    f"os.rename({HOME} + '/.claude/plugins', {HOME} + '/.claude/elsewhere')",
    f"open({HOME} + '/.claude/CLAUDE.md', 'w')",
]


@pytest.mark.parametrize("is_there", [True, False])
def test_12_what_the_persons_own_sessions_obey_is_no_builders_to_change(is_there: bool, confined: Repo, claude: Claude) -> None:
    """A hook in an agent's settings runs the next time the person starts that agent, with nothing around it."""
    home = Path(confined.env["HOME"])
    (home / ".claude.json").write_text("mine")
    if is_there:
        (home / ".claude/settings.json").write_text('{"model": "opus"}')
    kept = [f"open({HOME} + '/.claude/.credentials.json', 'w').write('fresh')", f"open({HOME} + '/.claude.json', 'a').write('more')"]
    claude.plays({"says": a_task()}, builder(claude, [*OBEYED, *kept], writes=EDIT))

    confined.relais("run")

    assert outcomes(claude) == {**dict.fromkeys(OBEYED, "refused"), **dict.fromkeys(kept, "allowed")}
    assert (home / ".claude/settings.json").read_text() == ('{"model": "opus"}' if is_there else "{}\n")
    assert (home / ".claude.json").read_text() == "mine"
    assert (home / ".claude/.credentials.json").read_text() == "fresh"


def test_12_folders_between_a_writable_place_and_what_is_guarded_in_it_are_mounts_of_their_own() -> None:
    found = layers(Places(("/h/.state", "/r"), ("/r/.git", "/h/.state/a/b/bin", "/elsewhere"), hidden=("/r/x", "/h/y", "/h/y/z")))

    assert dict(found) == {
        "/h/.state": "writable", "/h/.state/a": "writable", "/h/.state/a/b": "writable", "/h/.state/a/b/bin": "read_only",
        "/r": "writable", "/r/.git": "read_only", "/r/x": "hidden", "/h/y": "hidden",
    }  # fmt: skip
    assert [path.count("/") for path, _ in found] == sorted(path.count("/") for path, _ in found)


# --- Brain and reviewer ----------------------------------------------------------------------------------

READER_REFUSED = ["open('src/app.py', 'a')", "open('new', 'w')", f"open({HOME} + '/new', 'w')", "open('relais/out/x', 'w')"]


def test_a_brain_without_tools_is_confined_too_and_cannot_write_to_the_repo(confined: Repo, claude: Claude) -> None:
    """Whoever put another program in its place would gain nothing."""
    claude.plays({**builder(claude, READER_REFUSED), "says": a_task()}, {"says": a_result(), "writes": EDIT})

    assert confined.relais("run").returncode == 0

    assert outcomes(claude) == dict.fromkeys(READER_REFUSED, "refused")


def test_a_brain_that_reads_does_not_see_what_is_forbidden_or_ignored(confined: Repo, claude: Claude) -> None:
    confined.write("src/secrets.json", "forbidden")
    confined.configure({"orchestrator": {"allowed_tools": "Read"}})
    confined.commit("something secret")
    look = "import os, json\nread = {p: os.path.isfile(p) and open(p).read() for p in ('src/secrets.json', '.env', 'node_modules/lib/index.js', 'src/app.py')}\n"
    note = f"json.dump(read, open({str(claude.notes_dir / 'read')!r}, 'w'))"
    claude.plays({"says": a_task(), "python": look + note}, {"says": a_result(), "writes": EDIT})

    assert confined.relais("run").returncode == 0

    read = json.loads((claude.notes_dir / "read").read_text())
    assert read == {"src/secrets.json": False, ".env": False, "node_modules/lib/index.js": False, "src/app.py": "one\ntwo\nthree\n"}


def test_a_reviewer_is_confined_too(confined: Repo, claude: Claude) -> None:
    confined.configure({"review": {"enabled": True}})
    confined.commit("review")
    criterion = "The change does what the task's intent says, and nothing else."
    review = {"summary": "fine", "criteria": [{"criterion": criterion, "verdict": "pass", "evidence": "x"}]}
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT}, {**builder(claude, READER_REFUSED), "says": review})

    assert confined.relais("run").returncode == 0

    assert outcomes(claude) == dict.fromkeys(READER_REFUSED, "refused")


# --- the environment -------------------------------------------------------------------------------------

FOREIGN_KEYS = {
    name: "secret"
    for name in "OPENAI_API_KEY GEMINI_API_KEY AWS_SECRET_ACCESS_KEY GITHUB_TOKEN NPM_TOKEN SSH_AUTH_SOCK CARGO_REGISTRY_TOKEN DATABASE_URL LD_PRELOAD_X".split()
}


def names_seen(claude: Claude) -> dict[str, Any]:
    return {"python": f"import os, json; open({str(claude.notes_dir / 'names')!r}, 'a').write(json.dumps(sorted(os.environ)) + '\\n')"}


def test_no_child_sees_anothers_keys(confined: Repo, claude: Claude) -> None:
    confined.env.update(FOREIGN_KEYS, ANTHROPIC_API_KEY="own", GOPATH="/go", LANG="C.UTF-8", CLAUDE_CODE_X="1")
    confined.configure({"runner": {"sandbox": "off"}})

    tick(confined, claude, "import os, json; print(json.dumps(sorted(os.environ)))", names_seen(claude))

    hands = set(json.loads((claude.notes_dir / "names").read_text()))
    check = set(said_by_check(confined))
    assert not FOREIGN_KEYS.keys() & (hands | check)
    assert {"ANTHROPIC_API_KEY", "CLAUDE_CODE_X", "GOPATH", "LANG", "HOME", "PATH", "TMPDIR"} <= hands
    assert {"GOPATH", "LANG", "HOME", "PATH", "TMPDIR"} <= check
    assert not {"ANTHROPIC_API_KEY", "CLAUDE_CODE_X"} & check


@shows("runner.environment", "verification.environment")
def test_the_configuration_adds_names_for_agents_and_for_checks(confined: Repo, claude: Claude) -> None:
    confined.env.update(FOREIGN_KEYS)
    confined.configure({"runner": {"environment": ["GITHUB_TOKEN"]}})

    tick(confined, claude, "import os, json; print(json.dumps(sorted(os.environ)))", names_seen(claude), environment=["DATABASE_*"])

    hands, check = set(json.loads((claude.notes_dir / "names").read_text())), set(said_by_check(confined))
    assert FOREIGN_KEYS.keys() & hands == {"GITHUB_TOKEN"}
    assert FOREIGN_KEYS.keys() & check == {"DATABASE_URL"}


@pytest.mark.parametrize("agent", AGENTS)
def test_every_agent_has_its_variables_and_no_child_has_gits(agent: str) -> None:
    prefix = AGENT_VARIABLES[agent].split()[0].rstrip("*")
    env = {f"{prefix}KEY": "own", "GIT_DIR": "/x", "GIT_EXEC_PATH": "/x", "SSH_AUTH_SOCK": "/x"}

    assert passed_on(env, "builder", agent, ["GIT_*"]) == {f"{prefix}KEY": "own"}
    assert all(passed_on(env, who) == {} for who in PASSED)


def test_an_agent_that_reaches_its_model_through_a_cloud_has_that_clouds_login() -> None:
    env = {"CLAUDE_CODE_USE_BEDROCK": "1", "AWS_PROFILE": "x", "GOOGLE_CLOUD_PROJECT": "y"}

    assert passed_on(env, "builder", "claude").keys() == {"CLAUDE_CODE_USE_BEDROCK", "AWS_PROFILE"}
    assert passed_on(env, "builder", "codex") == passed_on(env, "check") == {}


@pytest.mark.parametrize(
    ("argv", "agent"),
    [
        (["claude"], "claude"),
        (["/home/me/.claude/local/claude", "-p"], "claude"),
        (["npx", "-y", "@openai/codex@latest", "exec"], "codex"),
        (["npx", "@anthropic-ai/claude-code"], "claude"),
        (["my-agent", "--dir", "x"], ""),
    ],
)
def test_an_agent_is_known_by_way_of_npx_too(argv: list[str], agent: str) -> None:
    assert agent_named(argv) == agent


def test_what_a_loader_obeys_reaches_the_check_but_neither_its_jail_nor_git(confined: Repo, claude: Claude, tmp_path: Path) -> None:
    """A library of that name would otherwise speak in the jail's own program, before anything is confined."""
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib/libc.so.6").write_text("no library, so that whoever obeys does not even start")
    confined.configure({"verification": {"templates": [{"id": "probe", "cmd": "/bin/ls", "args": []}]}})
    confined.commit("a library")
    claude.plays({"says": a_task(task_kind="verify_only", builder=None, verification={"fast": ["probe"]})})
    starts = f"import os, runpy, sys; os.environ['LD_LIBRARY_PATH'] = {str(tmp_path / 'lib')!r}; sys.argv = ['relais.py', 'run']; runpy.run_path('relais.py', run_name='__main__')"

    done = subprocess.run([sys.executable, "-c", starts], cwd=confined.path, env=confined.env, capture_output=True, text=True, timeout=60, check=False)

    assert done.returncode == 10, done.stdout + done.stderr
    assert "libc.so.6" in confined.report["verification"]["runs"][0]["output_tail"]


# --- 38: hooks ---------------------------------------------------------------------------------------------


def hooked(repo: Repo) -> None:
    repo.write("hooks/pre-commit", "#!/bin/sh\nexit 0\n")
    (repo.path / "hooks/pre-commit").chmod(0o755)
    repo.configure({"git": {"run_hooks": True}})
    repo.commit("hooks")
    repo.git("config", "core.hooksPath", "hooks")


def test_38_a_hook_that_the_builder_wrote_into_the_repo_runs_confined(confined: Repo, claude: Claude) -> None:
    hooked(confined)
    home = Path(confined.env["HOME"])
    (home / ".ssh").mkdir()
    (home / ".ssh/id").write_text("key")
    script = f"#!/bin/sh\ncat {home}/.ssh/id\necho > {home}/reached\necho > .git/config\nexit 1\n"
    claude.plays({"says": a_task(scope={"allowed_globs": ["hooks/**"]})}, {"says": a_result(), "writes": {"hooks/pre-commit": script}})

    confined.relais("run")

    assert confined.report["code"] == "STOP_VERIFY_FAILED_SLOW"
    assert not (home / "reached").exists()
    assert "key" not in (confined.history() / "verify.log").read_text()


def test_38_an_honest_hook_reads_the_index_makes_objects_and_changes_the_message(confined: Repo, claude: Claude) -> None:
    hooked(confined)
    confined.write("hooks/pre-commit", "#!/bin/sh\ngit diff --cached --quiet && exit 1\ngit write-tree && echo x | git hash-object -w --stdin\n")
    confined.write("hooks/commit-msg", "#!/bin/sh\necho 'Reviewed-by: hook' >> \"$1\"\n")
    (confined.path / "hooks/commit-msg").chmod(0o755)
    confined.commit("better hooks")
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT})

    done = confined.relais("run")

    assert done.returncode == 0, done.stdout + done.stderr
    assert "Reviewed-by: hook" in confined.git("log", "-1", "--format=%B")


# --- a jail that cannot be entered ---------------------------------------------------------------------------


def test_10_a_jail_that_cannot_be_entered_names_itself_and_nothing_is_run(confined: Repo, claude: Claude, tmp_path: Path) -> None:
    """The note says that the strongest kind works, which it does; but not behind another root, where no users can be made up."""
    if os.geteuid() != 0:
        pytest.skip("LOUD: needs root, to have another root")
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT})
    assert confined.relais("run").returncode == 0
    other = tmp_path / "other"
    other.mkdir()
    script = f"mount --rbind / {other} && exec chroot {other} sh -c 'cd {confined.path} && exec {sys.executable} relais.py run'"

    done = subprocess.run(["unshare", "-m", "sh", "-c", script], env=confined.env, capture_output=True, text=True, timeout=60, check=False)

    assert done.returncode == 10, done.stdout + done.stderr
    assert "the sandbox did not hold: cannot confine" in confined.report["error"]["detail"]
    assert claude.count == 2, "those of the first tick"


# --- 7, 36, 44: doors ------------------------------------------------------------------------------------------


def test_36_an_entry_may_name_a_socket_by_way_of_a_link(confined: Repo, claude: Claude) -> None:
    home = Path(confined.env["HOME"])
    (home / "link").symlink_to(".docker")
    (home / ".docker").mkdir()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(home / ".docker/s"))
        server.listen()
        attempts = [f"socket.socket(socket.AF_UNIX).connect({HOME} + '/.docker/s')"]
        noted = attempted_by_check(confined, claude, attempts, reach={"sockets": ["~/link/s"]})

    assert list(noted.values()) == ["allowed"]


def test_36_sockets_of_other_programs_are_closed_with_and_without_a_file(confined: Repo, claude: Claude, tmp_path: Path) -> None:
    """One beside the repo, in the folder that everybody uses; one that has no file at all."""
    place = f"/tmp/relais-{os.getpid()}.sock"
    attempts = [f"socket.socket(socket.AF_UNIX).connect({place!r})", f"socket.socket(socket.AF_UNIX).connect('\\0relais-{os.getpid()}')"]
    with socket.socket(socket.AF_UNIX) as named, socket.socket(socket.AF_UNIX) as nameless:
        named.bind(place)
        nameless.bind(f"\0relais-{os.getpid()}")
        for server in (named, nameless):
            server.listen()
        try:
            noted = attempted_by_check(confined, claude, attempts)
        finally:
            os.remove(place)

    assert list(noted.values()) == ["refused", "refused"]


def test_7_a_check_has_devices_of_its_own(confined: Repo, claude: Claude) -> None:
    code = "import json, os; print(json.dumps(sorted(os.listdir('/dev'))))"

    tick(confined, claude, code)

    assert said_by_check(confined) == sorted("fd full null ptmx pts random shm stderr stdin stdout tty urandom zero".split())


def test_a_check_that_stops_or_kills_its_parents_does_not_reach_relais(confined: Repo, claude: Claude) -> None:
    code = "import os, signal\nfor pid in (os.getppid(), 1, -1):\n  for number in (signal.SIGSTOP, signal.SIGKILL):\n    try: os.kill(pid, number)\n    except OSError: pass\n"
    began = time.monotonic()

    report = tick(confined, claude, code)

    assert report["code"] in ("SUCCESS", "STOP_VERIFY_FAILED_FAST")
    assert time.monotonic() - began < 60


def test_37_doctor_and_readme_say_what_landlock_cannot_do() -> None:
    assert all(words in CONFINED["landlock"] for words in ("read your keys and logins", "sockets", "mode, owner and times"))
    landlock = next(line for line in (ROOT / "README.md").read_text("utf-8").splitlines() if line.startswith("- Landlock alone"))
    assert all(words in landlock for words in ("hides nothing", "mode, owner, times"))


# --- caches --------------------------------------------------------------------------------------------------------


def test_what_a_builder_writes_into_shared_caches_is_thrown_away_and_what_a_check_writes_is_kept(confined: Repo, claude: Claude) -> None:
    cache = Path(confined.env["HOME"]) / ".cache/go-build"
    cache.mkdir()
    (cache / "entry").write_text("sound")
    (Path(confined.env["HOME"]) / ".npm/_cacache").mkdir(parents=True)
    poison = f"import os; open({HOME} + '/.cache/go-build/entry', 'w').write('poison'); open({HOME} + '/.npm/new', 'w')"
    code = f"import os, json; print(json.dumps([open({HOME} + '/.cache/go-build/entry').read()])); open({HOME} + '/.cache/go-build/built', 'w')"

    report = tick(confined, claude, code, {"python": poison})

    assert (report["code"], said_by_check(confined), (cache / "entry").read_text()) == ("SUCCESS", ["sound"], "sound")
    assert (cache / "built").exists()
    assert not (Path(confined.env["HOME"]) / ".npm/new").exists()


def test_what_a_check_writes_beside_the_caches_of_build_tools_is_thrown_away(confined: Repo, claude: Claude) -> None:
    """A shell sources what its prompt has cached, npx runs what it once fetched: neither is a build."""
    home = Path(confined.env["HOME"])
    for name in (".npm/_npx", ".npm/_cacache", ".cache/gitstatus"):
        (home / name).mkdir(parents=True)
    names = [".cache/p10k-instant-prompt.zsh", ".cache/gitstatus/gitstatusd", ".npm/_npx/x", ".npm/_cacache/kept"]

    report = tick(confined, claude, f"import os\nfor name in {names!r}:\n    open({HOME} + '/' + name, 'w').write('x')")

    assert report["code"] == "SUCCESS"
    assert [name for name in names if (home / name).exists()] == [".npm/_cacache/kept"]


def test_no_cache_is_made_in_the_repo(confined: Repo, claude: Claude) -> None:
    """HOME may lie there: what relais itself made would count as the builder's."""
    shutil.copytree(confined.env["HOME"], confined.path / "home", ignore=lambda *_: [".cache", ".claude"])
    confined.commit("a home")
    confined.env.update(HOME=str(confined.path / "home"), CLAUDE_CONFIG_DIR=str(claude.notes_dir.parent))

    assert tick(confined, claude, "print(1)")["code"] == "SUCCESS"


def test_a_tool_that_is_here_has_its_cache_from_the_first_check_on(confined: Repo, claude: Claude) -> None:
    (claude.bin_dir / "uv").write_text("#!/bin/sh\n")
    (claude.bin_dir / "uv").chmod(0o755)

    tick(confined, claude, f"import os; open({HOME} + '/.cache/uv/x', 'w')")

    assert (Path(confined.env["HOME"]) / ".cache/uv/x").exists()


# --- links that somebody confined may have laid ------------------------------------------------------------------------


def test_a_link_laid_by_a_check_opens_no_other_place_to_a_later_builder(confined: Repo, claude: Claude) -> None:
    """An agent keeps part of its state where checks write."""
    home = Path(confined.env["HOME"])
    tick(confined, claude, f"import os; os.symlink({HOME}, {HOME} + '/.cache/claude-cli-nodejs')")
    attempts = [f"open({HOME} + '/.bashrc', 'w')"]
    claude.plays({"says": a_task(intent="another")}, builder(claude, attempts))

    confined.relais("run")

    assert outcomes(claude) == dict.fromkeys(attempts, "refused")
    assert not (home / ".bashrc").exists()


def test_a_link_in_a_folder_that_checks_write_to_is_named_and_nobody_is_started(confined: Repo, claude: Claude) -> None:
    """So it may be found where nothing throws away what was written there."""
    link = Path(confined.env["HOME"]) / ".cache/claude-cli-nodejs"
    link.symlink_to(confined.env["HOME"])

    done = confined.relais("run")

    assert (done.returncode, claude.count) == (20, 0)
    assert f"{link} is a link in a folder that confined commands write to" in done.stderr


def test_a_cache_that_a_laid_link_leads_elsewhere_is_no_cache(confined: Repo, claude: Claude) -> None:
    home = Path(confined.env["HOME"])
    (home / ".cache/uv").symlink_to(home)
    confined.env["UV_CACHE_DIR"] = str(home / ".cache/uv")
    attempts = [f"open({HOME} + '/.bashrc', 'w')", f"open({HOME} + '/.cache/uv/.bashrc', 'w')"]

    assert attempted_by_check(confined, claude, attempts) == dict.fromkeys(attempts, "refused")


def test_a_folder_that_the_person_keeps_elsewhere_by_a_link_is_still_theirs(confined: Repo, claude: Claude, tmp_path: Path) -> None:
    home = Path(confined.env["HOME"])
    (tmp_path / "large/pip").mkdir(parents=True)
    (home / ".cache").rmdir()
    (home / ".cache").symlink_to("../large")

    tick(confined, claude, f"import os; open({HOME} + '/.cache/pip/x', 'w')")

    assert (tmp_path / "large/pip/x").exists()


def test_a_laid_link_hides_nothing_that_is_needed(confined: Repo, claude: Claude) -> None:
    (Path(confined.env["HOME"]) / ".cache/huggingface").mkdir()
    (Path(confined.env["HOME"]) / ".cache/huggingface/token").symlink_to("/")

    assert tick(confined, claude, "print(1)")["code"] == "SUCCESS"


def test_a_tools_own_folder_can_be_written_to_and_nothing_of_it_stays(confined: Repo, claude: Claude) -> None:
    """Gradle and its like do not start without; but there lie programs and scripts that the person's next build obeys."""
    state = Path(confined.env["HOME"]) / ".gradle"
    for path, text in {"init.d/mine.gradle": "mine", "daemon/registry.bin": "how to reach a daemon that is not confined"}.items():
        (state / path).parent.mkdir(parents=True)
        (state / path).write_text(text)
    writes = f"import os; [open({HOME} + '/.gradle/' + n, 'w').write('evil') for n in ('init.d/mine.gradle', 'daemon/x', 'native', 'caches/kept')]"
    code = f"import os, json; print(json.dumps(os.listdir({HOME} + '/.gradle/daemon'))); {writes}"

    report = tick(confined, claude, code, {"python": writes.replace(", 'caches/kept'", "")})

    assert (report["code"], said_by_check(confined)) == ("SUCCESS", [])
    assert sorted(str(p.relative_to(state)) for p in state.rglob("*") if p.is_file()) == ["caches/kept", "daemon/registry.bin", "init.d/mine.gradle"]
    assert (state / "init.d/mine.gradle").read_text() == "mine"


def test_a_tools_own_folder_that_the_person_opened_keeps_what_a_check_writes(confined: Repo, claude: Claude) -> None:
    state = Path(confined.env["HOME"]) / ".conan2"
    state.mkdir()

    report = tick(confined, claude, f"import os; open({HOME} + '/.conan2/kept', 'w')", reach={"write": ["~/.conan2"]})

    assert report["code"] == "SUCCESS"
    assert (state / "kept").exists()


@pytest.mark.parametrize(("sign", "place"), [("pom.xml", ".m2/repository"), ("build.gradle.kts", ".gradle")])
def test_what_a_tool_makes_when_first_started_is_there_before_its_check(sign: str, place: str, confined: Repo, claude: Claude) -> None:
    confined.write(sign, "")

    report = tick(confined, claude, f"import os; open(os.path.join({HOME}, {place!r}, 'x'), 'w')")

    assert report["code"] == "SUCCESS"


def test_a_read_only_mount_inside_the_repo_keeps_nobody_from_starting(confined: Repo, claude: Claude) -> None:
    if os.geteuid() != 0:
        pytest.skip("LOUD: needs root, to mount something")
    (confined.path / "node_modules/lib").mkdir(exist_ok=True)
    claude.plays({"says": a_task(verification={"fast": ["ok"]})}, {"says": a_result(), "writes": EDIT})
    script = f'mount --bind node_modules node_modules && mount -o remount,bind,ro node_modules && exec {sys.executable} relais.py run'

    done = subprocess.run(["unshare", "-m", "sh", "-c", script], cwd=confined.path, env=confined.env, capture_output=True, text=True, timeout=60, check=False)

    assert done.returncode == 0, done.stdout + done.stderr


FILL = """
import contextlib, os
handle = os.open(os.environ["TMPDIR"] + "/x", os.O_WRONLY | os.O_CREAT)
with contextlib.suppress(OSError):
    while True:
        os.write(handle, b"x" * 65536)
"""


def test_a_builder_and_a_check_that_fill_the_disk_leave_the_judge_room_to_work(confined: Repo, claude: Claude) -> None:
    """Their temp folders lie on the vault's disk."""
    if os.geteuid() != 0:
        pytest.skip("LOUD: needs root, to mount something")
    state = Path(confined.env["XDG_STATE_HOME"])
    state.mkdir(parents=True, exist_ok=True)
    confined.configure({"verification": {"templates": [{"id": "fill", "cmd": sys.executable, "args": ["-c", FILL]}]}})
    confined.commit("a check")
    claude.plays({"says": a_task(verification={"fast": ["fill"]})}, {"says": a_result(), "writes": EDIT, "python": FILL})
    script = f"mount -t tmpfs -o size=8m,mode=700 small {state} && exec {sys.executable} relais.py run"

    done = subprocess.run(["unshare", "-m", "sh", "-c", script], cwd=confined.path, env=confined.env, capture_output=True, text=True, timeout=60, check=False)

    assert (done.returncode, confined.report["code"]) == (0, "SUCCESS"), done.stderr


# --- how much later a confined check starts ---------------------------------------------------------------------------


def least_cpu(argv: list[str], folder: Path) -> float:
    costs = []
    for _ in range(8):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(argv, cwd=folder, check=True, timeout=60)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        costs.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(costs)


def test_a_confined_check_starts_at_most_30_ms_later(confined: Repo, claude: Claude) -> None:
    """By processor time, and the least of several: what is measured is the jail, not how busy or slow this machine is."""
    tick(confined, claude, "import json, sys; print(json.dumps(open('/proc/1/cmdline').read().split('\\0')[:6]))")
    jail = said_by_check(confined)
    assert jail[1:4] == ["-I", "-S", "-c"]

    bare = least_cpu([*jail[:4], "pass"], confined.path)

    assert least_cpu([*jail, "/bin/true"], confined.path) <= max(0.030, 3 * bare)
