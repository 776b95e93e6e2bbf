"""relais.config.json as records, nested as the JSON is."""

from __future__ import annotations

from relais.contract.codes import CLAUDE, CONFIG_FILE, Mode
from relais.text.documents import encode
from relais.typed import Any, Json, Mapping, NamedTuple, Optional

RUNNER_OWNED_GLOBS = tuple(
    f"relais/{name}"
    for name in "STATE.json TASK.json REPORT.json REPORT.md BLOCKED.json FACTS.md history/** lock.json schemas/** prompts/**".split()
)
# What the runner writes in its workspace, by the beginnings of names; what else lies there is the person's.
RUNNERS_FILES = tuple("STATE.json TASK.json REPORT. BLOCKED.json lock.json inflight.json history out".split())
LOCKFILES = tuple(
    (
        "pnpm-lock.yaml package-lock.json npm-shrinkwrap.json yarn.lock bun.lockb bun.lock poetry.lock uv.lock Pipfile.lock "
        "Cargo.lock go.sum Gemfile.lock composer.lock"
    ).split()
)
# Ignored files that tools make again: of Python, of Node, of what compiles, of what measures and documents.
VOLATILE_GLOBS = tuple(
    f"**/{name}"
    for name in (
        "__pycache__/** *.pyc .pytest_cache/** .mypy_cache/** .ruff_cache/** .hypothesis/** .tox/** .nox/** *.egg-info/** .eggs/** "
        "node_modules/.cache/** node_modules/.vite/** .next/** .nuxt/** .svelte-kit/** .turbo/** .parcel-cache/** .angular/** "
        "*.tsbuildinfo .eslintcache .stylelintcache .nyc_output/** "
        "target/** dist/** build/** _build/** .gradle/** .kotlin/** obj/** bin/Debug/** bin/Release/** cmake-build-*/** "
        "CMakeFiles/** CMakeCache.txt .dart_tool/** .stack-work/** dist-newstyle/** .zig-cache/** zig-out/** "
        "*.o *.obj *.lo *.a *.so *.so.* *.dylib *.class "
        ".coverage .coverage.* coverage/** coverage.xml htmlcov/** lcov.info cover.out *.gcno *.gcda *.gcov *.profraw "
        ".phpunit.cache/** .phpunit.result.cache .rspec_status .yardoc/** _site/**"
    ).split()
)


class CrashCleanup(NamedTuple):
    delete_tmp_glob: str = "relais/*.tmp"
    validate_runner_json_files: bool = True


class RenderReportMd(NamedTuple):
    enabled: bool = True
    max_chars: int = 6000


class RunnerConfig(NamedTuple):
    require_git: bool = True
    max_tick_seconds: int = 900
    lockfile: str = "relais/lock.json"
    runner_owned_globs: tuple[str, ...] = RUNNER_OWNED_GLOBS
    crash_cleanup: CrashCleanup = CrashCleanup()
    render_report_md: RenderReportMd = RenderReportMd()
    silence_seconds: int = 300
    result_grace_seconds: int = 10
    kill_grace_seconds: int = 5
    sandbox: str = "auto"
    environment: tuple[str, ...] = ()


class ClaudeCli(NamedTuple):
    command: str = CLAUDE
    output_format: str = "stream-json"
    no_session_persistence: bool = True
    setting_sources: str = ""


class Models(NamedTuple):
    orchestrator_model: str = "opus"
    orchestrator_fallback_model: str = "sonnet"
    builder_model: str = "sonnet"
    builder_fallback_model: str = "haiku"


class OrchestratorConfig(NamedTuple):
    max_turns: int = 1
    permission_mode: str = "dontAsk"
    allowed_tools: str = ""
    system_prompt_file: str = "relais/prompts/orchestrator.system.txt"
    user_prompt_file: str = "relais/prompts/orchestrator.user.txt"
    task_schema_file: str = "relais/schemas/task.schema.json"
    max_parse_retries_per_tick: int = 1
    max_budget_usd: Optional[float] = 0.4
    timeout_seconds: int = 180
    max_prompt_chars: int = 24000


class ClaudeCodeConfig(NamedTuple):
    max_turns: int = 8
    permission_mode: str = "dontAsk"
    allowed_tools: str = "Read,Edit,Write,Glob,Grep,Bash"
    system_prompt_file: str = "relais/prompts/builder.system.txt"
    user_prompt_file: str = "relais/prompts/builder.user.txt"
    builder_result_schema_file: str = "relais/schemas/builder_result.schema.json"
    max_budget_usd: Optional[float] = 1.5
    strict_builder_json: bool = False
    timeout_seconds: int = 600


class PatchConfig(NamedTuple):
    max_patch_attempts_per_milestone: int = 10


class CursorConfig(NamedTuple):
    """Any external command that reads the task's file and writes a result's."""

    command: str = ""
    args: tuple[str, ...] = ()
    timeout_seconds: int = 600
    output_file: str = "relais/out/BUILDER_RESULT.json"


class BuilderConfig(NamedTuple):
    default_mode: Mode = Mode.CLAUDE_CODE
    allow_patch_mode: bool = True
    claude_code: ClaudeCodeConfig = ClaudeCodeConfig()
    patch: PatchConfig = PatchConfig()
    cursor: CursorConfig = CursorConfig()


class ScopeConfig(NamedTuple):
    default_allowed_globs: tuple[str, ...] = ("src/**", "app/**", "packages/**", "tests/**", "README.md")
    default_forbidden_globs: tuple[str, ...] = (
        ".git/**",
        "relais/**",
        "**/.env*",
        "**/*secret*",
        "**/*token*",
        "**/node_modules/**",
        "**/.claude/**",
        "**/.mcp.json",
        "**/CLAUDE*.md",
        "**/AGENTS.md",
    )
    default_allow_new_files: bool = False
    default_allow_lockfile_changes: bool = False
    lockfiles: tuple[str, ...] = LOCKFILES
    ceiling_globs: tuple[str, ...] = ()
    protected_globs: tuple[str, ...] = ()
    control_files_allowed: tuple[str, ...] = ()
    volatile_globs: tuple[str, ...] = VOLATILE_GLOBS
    secret_scan: bool = True
    secret_allowed_globs: tuple[str, ...] = ()


class DiffLimitsConfig(NamedTuple):
    default_max_files_touched: int = 12
    default_max_lines_changed: int = 400
    default_max_bytes: int = 4000000
    ceiling_max_files_touched: Optional[int] = None
    ceiling_max_lines_changed: Optional[int] = None


class ParamSpec(NamedTuple):
    kind: str
    values: tuple[str, ...] = ()


class Template(NamedTuple):
    id: str
    cmd: str
    args: tuple[str, ...]
    params: Mapping[str, ParamSpec] = {}


class Reach(NamedTuple):
    """What confined checks may write to, see and connect to, beside the repo."""

    write: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    sockets: tuple[str, ...] = ()


class VerificationConfig(NamedTuple):
    execution_mode: str = "argv_no_shell"
    max_param_len: int = 128
    reject_whitespace_in_params: bool = True
    reject_dotdot: bool = True
    reject_metachars_regex: str = r"[;&|$\\><(){}\[\]`\n\r\t\0]"
    timeout_fast_seconds: int = 90
    timeout_slow_seconds: int = 600
    required_fast: tuple[str, ...] = ()
    required_slow: tuple[str, ...] = ()
    baseline: bool = False
    sandbox: str = "auto"
    network: bool = True
    reach: Reach = Reach()
    environment: tuple[str, ...] = ()
    templates: tuple[Template, ...] = ()


class MilestoneCaps(NamedTuple):
    max_ticks: int = 200
    max_orchestrator_calls: int = 260
    max_builder_calls: int = 200
    max_verify_runs: int = 600
    max_estimated_cost_usd: float = 80.0


class TotalCaps(NamedTuple):
    max_ticks: Optional[int] = None
    max_orchestrator_calls: Optional[int] = None
    max_builder_calls: Optional[int] = None
    max_verify_runs: Optional[int] = None


class BudgetsConfig(NamedTuple):
    per_milestone: MilestoneCaps = MilestoneCaps()
    total: TotalCaps = TotalCaps()
    warn_at_fraction: float = 0.8


class Driver(NamedTuple):
    """How an agent CLI is called, and where in what it says its answer, its failures and its usage stand."""

    argv: tuple[str, ...]
    result: Mapping[str, Any]
    must_see: Mapping[str, Any] = {}
    errors: tuple[Mapping[str, Any], ...] = ()
    error_if: tuple[str, ...] = ()
    limit_if: tuple[str, ...] = ()
    usage: Mapping[str, Any] = {}
    confines_itself: bool = False


class Roles(NamedTuple):
    """Which driver plays which part; `claude` is the built-in one."""

    orchestrator: str = CLAUDE
    builder: str = CLAUDE
    reviewer: str = CLAUDE


class ReviewConfig(NamedTuple):
    enabled: bool = False
    criteria: tuple[str, ...] = ()
    system_prompt_file: str = "relais/prompts/reviewer.system.txt"
    user_prompt_file: str = "relais/prompts/reviewer.user.txt"
    timeout_seconds: int = 180
    max_diff_chars: int = 60000


class MilestoneConfig(NamedTuple):
    done_when: tuple[str, ...] = ()


class LoopConfig(NamedTuple):
    stuck_after: int = 3
    max_wait_seconds: int = 57600


class HistoryConfig(NamedTuple):
    enabled: bool = True
    dir: str = "relais/history"
    max_mb: float = 500
    include_diff_patch: bool = True
    include_verify_log: bool = True


class GitConfig(NamedTuple):
    commit_on_success: bool = True
    run_hooks: bool = False


class Config(NamedTuple):
    version: str = "1.0"
    product_name: str = "relais"
    workspace_dir: str = "relais"
    runner: RunnerConfig = RunnerConfig()
    claude_code_cli: ClaudeCli = ClaudeCli()
    models: Models = Models()
    orchestrator: OrchestratorConfig = OrchestratorConfig()
    builder: BuilderConfig = BuilderConfig()
    review: ReviewConfig = ReviewConfig()
    drivers: Mapping[str, Driver] = {}
    roles: Roles = Roles()
    scope: ScopeConfig = ScopeConfig()
    diff_limits: DiffLimitsConfig = DiffLimitsConfig()
    verification: VerificationConfig = VerificationConfig()
    budgets: BudgetsConfig = BudgetsConfig()
    milestone: MilestoneConfig = MilestoneConfig()
    loop: LoopConfig = LoopConfig()
    history: HistoryConfig = HistoryConfig()
    git: GitConfig = GitConfig()

    @property
    def agents(self) -> dict[str, str]:
        """The command of each agent that a tick may call, by its name."""
        names = [*self.roles[:2], *self.roles[2:][: self.review.enabled]]
        driven = {name: self.drivers[name].argv[0] for name in names if name in self.drivers}
        claude = {CLAUDE: self.claude_code_cli.command} if CLAUDE in names else {}
        cursor = {"cursor": self.builder.cursor.command} if self.builder.cursor.command else {}
        return {**claude, **driven, **cursor}

    def owns(self, path: str) -> bool:
        """Whether the dirty check leaves a path to the person and the runner: the workspace and the configuration."""
        return path == CONFIG_FILE or path.startswith(f"{self.workspace_dir}/")

    def is_persons(self, path: str) -> bool:
        """Whether a path is the person's to write at any time: goal, facts, prompts, schemas, the configuration."""
        workspace = f"{self.workspace_dir}/"
        is_runners = path.startswith(tuple(f"{workspace}{name}" for name in RUNNERS_FILES))
        return path == CONFIG_FILE or (path.startswith(workspace) and not is_runners)

    @property
    def modes(self) -> tuple[Mode, ...]:
        """The ways to build that are switched on."""
        has = {Mode.PATCH: self.builder.allow_patch_mode, Mode.CURSOR: bool(self.builder.cursor.command)}
        return tuple(mode for mode in Mode if has.get(mode, True))


def config_document(config: Config) -> Json:
    """relais.config.json with every key, those that are null too."""
    return {"$schema": "./relais/schemas/config.schema.json", **spelled_out(config)}


def spelled_out(record: Any) -> Json:
    return {n: spelled_out(v) if hasattr(v, "_fields") else encode(v) for n, v in zip(record._fields, record)}
