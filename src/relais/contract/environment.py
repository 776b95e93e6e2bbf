"""Which variables of the person's environment reach which kind of child: a table; everything else stays out.

A name that ends in * stands for all that begin so. PATH, TMPDIR, PWD and a few of git's are set for every child.
"""

from __future__ import annotations

from relais.typed import Iterable, Mapping, NamedTuple

# Who somebody is, how they write, what their terminal can, how they reach the network.
BASICS = tuple(
    """
    HOME USER LOGNAME SHELL HOSTNAME LANG LANGUAGE LC_* TZ TZDIR LOCALE_ARCHIVE
    TERM TERMINFO TERMINFO_DIRS COLORTERM NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE COLUMNS LINES
    XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_CONFIG_DIRS XDG_DATA_DIRS CI
    http_proxy https_proxy ftp_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY FTP_PROXY ALL_PROXY NO_PROXY
    SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE NODE_EXTRA_CA_CERTS NIX_SSL_CERT_FILE
    """.split()
)

# What a stack is told by variables; nothing that holds a login.
TOOLCHAINS: Mapping[str, str] = {
    "python": "PYTHONPATH PYTHONHOME PYTHONHASHSEED PYTHONWARNINGS PYTHONUTF8 PYTHONUNBUFFERED PYTHONIOENCODING "
    "PYTHONDONTWRITEBYTECODE VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV CONDA_EXE PYENV_ROOT PYENV_VERSION PIPENV_ACTIVE "
    "POETRY_HOME POETRY_CACHE_DIR POETRY_VIRTUALENVS_* UV_CACHE_DIR UV_PYTHON UV_PYTHON_INSTALL_DIR UV_PROJECT_ENVIRONMENT "
    "UV_OFFLINE PIP_CACHE_DIR PIP_CONFIG_FILE PYTEST_ADDOPTS PYTEST_PLUGINS TOX_* NOX_* COVERAGE_* HYPOTHESIS_PROFILE",
    "node": "NODE_ENV NODE_OPTIONS NODE_PATH NVM_DIR NVM_BIN FNM_* VOLTA_HOME PNPM_HOME COREPACK_* npm_config_cache "
    "npm_config_prefix npm_config_offline YARN_CACHE_FOLDER BUN_INSTALL DENO_DIR PLAYWRIGHT_BROWSERS_PATH",
    "rust": "CARGO_HOME CARGO_TARGET_DIR CARGO_INCREMENTAL CARGO_BUILD_* CARGO_NET_OFFLINE CARGO_TERM_* CARGO_PROFILE_* "
    "RUSTUP_HOME RUSTUP_TOOLCHAIN RUSTFLAGS RUSTDOCFLAGS RUST_BACKTRACE RUST_LOG RUSTC_WRAPPER SCCACHE_DIR",
    "go": "GOPATH GOROOT GOBIN GOCACHE GOMODCACHE GOENV GOFLAGS GOOS GOARCH GOPROXY GOSUMDB GONOSUMDB GONOPROXY GOPRIVATE "
    "GOTOOLCHAIN GOWORK GO111MODULE GOEXPERIMENT GOMAXPROCS GODEBUG CGO_*",
    "java": "JAVA_HOME JDK_HOME JAVA_OPTS JAVA_TOOL_OPTIONS MAVEN_HOME M2_HOME MAVEN_OPTS MAVEN_ARGS GRADLE_HOME "
    "GRADLE_USER_HOME GRADLE_OPTS SDKMAN_DIR ANDROID_HOME ANDROID_SDK_ROOT KOTLIN_HOME SBT_OPTS",
    "ruby": "GEM_HOME GEM_PATH BUNDLE_PATH BUNDLE_GEMFILE BUNDLE_WITHOUT BUNDLE_APP_CONFIG RBENV_ROOT RBENV_VERSION "
    "RUBYOPT RUBYLIB RAILS_ENV RACK_ENV",
    "php": "COMPOSER_HOME COMPOSER_CACHE_DIR PHPRC PHP_INI_SCAN_DIR APP_ENV",
    "dotnet": "DOTNET_* NUGET_PACKAGES",
    "others": "MIX_ENV MIX_HOME HEX_HOME STACK_ROOT OPAMROOT OPAMSWITCH ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR MISE_CACHE_DIR "
    "MISE_CONFIG_DIR NIX_PATH NIX_PROFILES",
    "c": "CC CXX CPP AR LD AS NM RANLIB STRIP CFLAGS CXXFLAGS CPPFLAGS LDFLAGS LDLIBS CMAKE_* CTEST_* PKG_CONFIG* CPATH "
    "C_INCLUDE_PATH CPLUS_INCLUDE_PATH LIBRARY_PATH LD_LIBRARY_PATH DYLD_LIBRARY_PATH DYLD_FALLBACK_LIBRARY_PATH CCACHE_DIR "
    "DEVELOPER_DIR SDKROOT MACOSX_DEPLOYMENT_TARGET",
}
TOOLS = tuple(name for names in TOOLCHAINS.values() for name in names.split())

# What each kind of child gets, beside its own agent's variables and those that the configuration names.
PASSED: Mapping[str, tuple[str, ...]] = {
    "orchestrator": BASICS,
    "builder": (*BASICS, *TOOLS),
    "reviewer": BASICS,
    "check": (*BASICS, *TOOLS),
    "hook": (*BASICS, *TOOLS),
    "filter": (*BASICS, *TOOLS),
    "setup": (*BASICS, *TOOLS),
    "notify": BASICS,
}

# Agents that talk to whichever provider they are told to.
PROVIDERS = (
    "ANTHROPIC_* OPENAI_* GEMINI_* GOOGLE_API_KEY GOOGLE_GENERATIVE_AI_API_KEY OPENROUTER_* DEEPSEEK_* MISTRAL_* GROQ_* XAI_* "
    "OLLAMA_* AZURE_OPENAI_* COHERE_* TOGETHER_* FIREWORKS_* LITELLM_*"
)
# The variables of each agent: its own, and no other's.
AGENT_VARIABLES: Mapping[str, str] = {
    "claude": "ANTHROPIC_* CLAUDE_* API_TIMEOUT_MS BASH_DEFAULT_* BASH_MAX_* MAX_THINKING_TOKENS MAX_MCP_OUTPUT_TOKENS MCP_* "
    "DISABLE_* USE_BUILTIN_RIPGREP",
    "codex": "OPENAI_* CODEX_*",
    "gemini": "GEMINI_* GOOGLE_*",
    "opencode": f"OPENCODE_* {PROVIDERS}",
    "aider": f"AIDER_* {PROVIDERS}",
    "llm": f"LLM_* {PROVIDERS}",
}


class CloudLogin(NamedTuple):
    """An agent that reaches its model through a cloud: the variable that says so, what it then needs, and where that lies."""

    agent: str
    variable: str
    names: str
    folder: str


CLOUD_LOGINS = (
    CloudLogin("claude", "CLAUDE_CODE_USE_BEDROCK", "AWS_*", ".aws"),
    CloudLogin("claude", "CLAUDE_CODE_USE_VERTEX", "GOOGLE_* CLOUDSDK_* CLOUD_ML_* VERTEX_*", ".config/gcloud"),
    CloudLogin("gemini", "GOOGLE_GENAI_USE_VERTEXAI", "CLOUDSDK_*", ".config/gcloud"),
)


def cloud_logins(agent: str, environment: Mapping[str, str]) -> list[CloudLogin]:
    return [login for login in CLOUD_LOGINS if login.agent == agent and environment.get(login.variable)]


def passed_on(environment: Mapping[str, str], who: str, agent: str = "", more: Iterable[str] = ()) -> dict[str, str]:
    """Of an environment what this kind of child may see. Git's own never: they would lead it to another repository."""
    own = AGENT_VARIABLES.get(agent, "").split()
    own += [name for login in cloud_logins(agent, environment) for name in login.names.split()]
    wanted = (*PASSED[who], *own, *more)
    names = frozenset(name for name in wanted if not name.endswith("*"))
    beginnings = tuple(name[:-1] for name in wanted if name.endswith("*"))
    return {
        name: value
        for name, value in environment.items()
        if (name in names or name.startswith(beginnings)) and not name.startswith("GIT_")
    }
