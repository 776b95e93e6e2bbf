"""The notebook of one tick, the only mutable record; the ground it stands on."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import time

from relais.contract.codes import NO_COMMIT, RUN_ID, Code, ErrorKind
from relais.contract.config import Config
from relais.contract.evidence import PACKED, Change, Fence, GitDamage, Manifest, Seen, Tidied, Touched
from relais.contract.findings import Finding, halt, unfit
from relais.contract.state import Ledger, State, is_budget_critical, state_document
from relais.contract.task import CheckRun, Control, Plan, Task
from relais.rules.tools import volatile_matcher
from relais.settings.admission import schema_path, validator
from relais.text.git_output import Listing, RepoStatus
from relais.text.globs import lazy
from relais.text.words import clip, shortened, visible
from relais.typed import Any, Callable, Iterator, Json, Mapping, Optional, Sequence
from relais.world.claim import vault_of
from relais.world.files import write_json
from relais.world.git import Git
from relais.world.host import typed, utc_now
from relais.world.looks import look_at, walk
from relais.world.processes import Interrupt
from relais.world.repo import Repo
from relais.world.sandbox import READ_ONLY_WORKSPACE
from relais.world.screen import Screen


class Ground:
    """A folder as it was, and how to get each part of it back."""

    def __init__(
        self,
        root: str,
        manifest: Manifest,
        is_opaque: Callable[[str, str], bool],
        is_held: Callable[[str], bool],
        contents: Callable[[Sequence[str]], Iterator[tuple[str, Optional[bytes]]]],
        *,
        unseen: Mapping[str, frozenset[str]] = {},
    ) -> None:
        self.root, self.manifest, self.is_opaque = root, manifest, is_opaque
        self.is_held, self.contents, self.unseen = is_held, contents, unseen

    def look(self) -> Manifest:
        manifest = walk(self.root, self.is_opaque, like=self.manifest, unseen=self.unseen)
        if "." in self.manifest.get("", {}):
            manifest[""] = {**manifest[""], ".": look_at(f"{self.root}/.") or b""}
        return manifest

    def record(self, path: str) -> None:
        """Take `path` as it is now for how it was: the runner itself has just put it back."""
        folder, _, name = path.rpartition("/")
        entry = look_at(os.path.join(self.root, path))
        entries = self.manifest[folder] = dict(self.manifest.get(folder, {}))  # looks may share the old one
        if entry is None:
            entries.pop(name, None)
        else:
            entries[name] = entry
            if stat.S_ISDIR(PACKED.unpack_from(entry)[0]):
                self.manifest.setdefault(path, {})


class Run:
    """The notebook of one tick: the only mutable record. Each stage fills its own lines once."""

    config: Config
    state: State
    repo_status: RepoStatus
    # Set by the snapshot; nothing asks for them before there is one.
    tree: Ground
    git_ground: Ground
    private: Git
    # What the files of git's folder of our own hold.
    own_git: dict[str, bytes]
    # What was mounted in the repository and in git's folder when the tick began; None where nobody knows any more.
    mounts: Optional[Sequence[str]] = None
    # When the journal was written, by the kernel's own time.
    in_flight_since = 0
    # What the Judge read, once: all that a commit may hold.
    judged: Mapping[str, Seen] = {}
    # Filters of the person's that a builder may have written: name and setting.
    foreign_filters: Mapping[str, str] = {}
    # Whole paths that are the person's since a crash.
    left: frozenset[str] = frozenset()
    has_history = in_flight = is_loose = False
    may_write = True

    def __init__(self, repo: Repo, config: Config, interrupt: Interrupt, screen: Screen) -> None:
        self.repo, self.interrupt, self.screen = repo, interrupt, screen
        self.started, self.began = time.time(), time.monotonic()
        self.run_id = new_run_id(self.started)
        self.adopt_config(config)
        self.refusal: Optional[Finding] = None
        self.runs: Optional[list[str]] = None
        self.keeps_milestone = self.is_recovering = False
        self.troubles_in_a_row, self.retry_at = 0, 0.0
        self.sandbox = self.check_sandbox = self.confined_by = "none"
        self.vault = vault_of(repo)
        self.state, self.spent = State(), Ledger()
        self.stages: dict[str, int] = {}
        self.warnings: list[str] = []
        self.calls: list[Json] = []
        # preflight
        self.settings: dict[str, str] = {}
        self.settings_files: list[str] = []
        self.pinned: dict[str, str] = {}
        self.repo_status = RepoStatus()
        self.listing = Listing(b"")
        self.git_version = ""
        # orchestrate, build
        self.brain_prompt = self.hands_prompt = self.review_prompt = ""
        self.blocked_before: Optional[str] = None
        self.task: Optional[Task] = None
        self.task_document: Json = {}
        self.plan = Plan((), (), ())
        self.programs: dict[str, str] = {}
        self.builder: Optional[Json] = None
        self.driver_output = self.patch = b""
        self.control: Optional[Control] = None
        self.usage: dict[str, int] = {}
        # judge
        self.fence: Optional[Fence] = None
        self.touched = Touched()
        self.byproducts: tuple[Change, ...] = ()
        self.tidied = Tidied()
        self.ignored: frozenset[str] = frozenset()
        self.secrets: list[tuple[str, int, str]] = []
        self.git_damage: Optional[GitDamage] = None
        self.own_refs: dict[str, str] = {}  # what this run has written under refs/relais
        self.verified_packs: set[tuple[str, bytes]] = set()
        self.tree_id: Optional[str] = None
        self.message = ""  # of the commit, as the person's hooks left it
        self.checks: list[CheckRun] = []
        self.denied: list[str] = []
        self.review: Optional[Json] = None
        self.verify_log = bytearray()
        # end
        self.commit: Optional[Json] = None
        self.rollback: Optional[Json] = None
        self.head_commit: Optional[str] = None
        self.finding: Optional[Finding] = None

    def adopt_config(self, config: Config) -> None:
        self.config = config
        self.workspace = os.path.join(self.repo.root, config.workspace_dir)
        self.history = os.path.join(self.repo.root, config.history.dir, self.run_id)
        self.is_volatile = lazy(lambda: volatile_matcher(config.scope.volatile_globs))

    @property
    def base(self) -> str:
        return self.repo_status.commit or NO_COMMIT

    @property
    def branch_ref(self) -> str:
        return f"refs/heads/{self.repo_status.branch}" if self.repo_status.branch else "HEAD"

    @property
    def object_format(self) -> str:
        return "sha256" if len(self.base) == 64 else "sha1"

    @property
    def deadline(self) -> float:
        return self.began + self.config.runner.max_tick_seconds

    def time_left(self, limit: float) -> float:
        """The smaller of a limit and what is left of the tick."""
        return max(0.0, min(limit, self.deadline - time.monotonic()))

    def check_deadline(self) -> None:
        if time.monotonic() >= self.deadline:
            limit = self.config.runner.max_tick_seconds
            raise halt(Code.STOP_INTERRUPTED, f"the tick ran longer than {limit} s", error=ErrorKind.TICK_DEADLINE)

    @property
    def rescue_ref(self) -> str:
        return f"refs/relais/rescue/{self.run_id}"

    @property
    def kept_refs(self) -> str:
        """The folder of the refs by which this run keeps what others pointed to."""
        return f"refs/relais/kept/{self.run_id}"

    @property
    def has_begun(self) -> bool:
        """Whether an agent was asked: a tick that is blocked before leaves no history."""
        return self.spent.orchestrator_calls > 0

    def file(self, name: str) -> str:
        return os.path.join(self.workspace, name)

    def relative(self, path: str) -> str:
        return os.path.relpath(path, self.repo.root)

    def warn(self, text: str) -> None:
        if text not in self.warnings:
            self.warnings.append(text)

    def let_run(self, *, confined: bool) -> None:
        """Note whether something that begins now, or began before, can write where only the person and the runner write."""
        self.is_loose |= not confined or self.sandbox not in READ_ONLY_WORKSPACE

    def waiting(self, seconds: float) -> None:
        """While others are at work: those who watch see the time, and whoever comes after a crash when we still lived."""
        self.vault.show_life()
        self.screen.waiting(seconds)

    def spend(self, **amounts: float) -> None:
        """Count before the call that is counted: a crash must never make a call free."""
        self.interrupt.check()
        self.count(**amounts)
        self.save_state()

    def count(self, **amounts: float) -> None:
        state = self.state
        self.spent = self.spent.plus(**amounts)
        self.state = state._replace(budgets=state.budgets.plus(**amounts), total=state.total.plus(**amounts))

    def save_state(self) -> None:
        warning = is_budget_critical(self.state, self.config.budgets)
        self.state = self.state._replace(budget_warning=warning)
        write_json(self.file("STATE.json"), state_document(self.state))

    def validator(self, name: str) -> Callable[[Any], Any]:
        return validator(name, self.repo.root, schema_path(self.config, name))

    def admit(self, name: str, document: Any) -> None:
        """Nothing, if the schema of this name admits the document; Invalid otherwise."""
        self.validator(name)(document)

    @contextlib.contextmanager
    def stage(self, name: str) -> Iterator[None]:
        began = time.monotonic()
        try:
            yield
        finally:
            self.stages[name] = int((time.monotonic() - began) * 1000)


def new_run_id(started: float) -> str:
    return time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(started)) + f"-{os.urandom(2).hex()}"


def run_ids(run: Run) -> list[str]:
    """The runs in history, oldest first, as they were when this was first asked."""
    if run.runs is None:
        folder, is_run = os.path.join(run.repo.root, run.config.history.dir), re.compile(RUN_ID).fullmatch
        run.runs = sorted(filter(is_run, os.listdir(folder))) if os.path.isdir(folder) else []
    return run.runs


def identity(run: Run) -> dict[str, str]:
    """Author and committer as git would name them, or BLOCKED_MISSING_CONFIG."""
    env = {}
    for role in ("AUTHOR", "COMMITTER"):
        for part in ("NAME", "EMAIL"):
            keys = (f"{role}.{part}".lower(), f"user.{part}".lower())
            given = [os.environ.get(f"GIT_{role}_{part}"), *(run.settings.get(key) for key in keys)]
            value = next((v for v in given if v), None)
            if value is None:
                remedy = "git config user.name 'Your Name' && git config user.email you@example.com"
                raise unfit("git does not know who you are, so nothing can be committed", remedy)
            env[f"GIT_{role}_{part}"] = value
    return env


def blocked_document(finding: Finding) -> Json:
    return {
        "code": finding.code.value,
        "reason": clip(visible(finding.sentence), 2000),
        "remediation": [visible(typed(remedy)) for remedy in finding.remedies],
        "blocked_at": utc_now(),
        "details": [clip(visible(o), 400) for o in shortened(finding.offenders, 100)],
    }
