"""Places on a person's disk that decide what a confined command may see and change: tables."""

from __future__ import annotations

from relais.typed import Mapping, NamedTuple

# Keys, logins and what was typed, below the person's home: not there for anybody who is confined.
SECRETS: Mapping[str, str] = {
    "keys": ".ssh .gnupg .password-store .local/share/keyrings .local/share/kwalletd Library/Keychains .config/sops .config/age",
    "clouds": ".aws .azure .config/gcloud .boto .s3cfg .config/rclone .config/doctl .oci .fly .config/heroku .config/netlify "
    ".config/stripe .vercel .local/share/com.vercel.cli .terraform.d/credentials.tfrc.json .terraformrc .vault-token .config/op",
    "containers": ".docker .kube .config/containers .colima .lima .rd .orbstack .minikube",
    "forges": ".netrc .git-credentials .config/git/credentials .config/gh .config/hub .config/glab-cli .config/tea",
    "registries": ".npmrc .yarnrc .pypirc .cargo/credentials .cargo/credentials.toml .gem/credentials .m2/settings-security.xml "
    ".composer/auth.json .config/composer/auth.json .hex/auth.config .huggingface/token .cache/huggingface/token",
    "databases": ".pgpass .my.cnf .mylogin.cnf .config/pgcli .mongorc.js",
    "browsers": ".mozilla .config/google-chrome .config/chromium .config/BraveSoftware .config/microsoft-edge .config/vivaldi "
    ".config/Signal .config/Slack .config/discord .thunderbird snap/firefox snap/chromium Library/Cookies Library/Safari",
    "histories": ".bash_history .zsh_history .histfile .python_history .node_repl_history .psql_history .mysql_history "
    ".sqlite_history .lesshst .viminfo .local/share/fish",
    "displays": ".Xauthority .ICEauthority",
}
# The same of the machine's: root could read them, and whatever runs in a container.
SYSTEM_SECRETS = (
    "/etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/ssl/private /etc/krb5.keytab /run/secrets".split()
)
# Variables that say where such a thing lies instead.
SECRET_VARIABLES = tuple(
    """
    AWS_SHARED_CREDENTIALS_FILE AWS_CONFIG_FILE AWS_WEB_IDENTITY_TOKEN_FILE GOOGLE_APPLICATION_CREDENTIALS CLOUDSDK_CONFIG
    AZURE_CONFIG_DIR BOTO_CONFIG OCI_CLI_CONFIG_FILE TF_CLI_CONFIG_FILE KUBECONFIG DOCKER_CONFIG DOCKER_CERT_PATH
    GH_CONFIG_DIR GLAB_CONFIG_DIR NETRC NPM_CONFIG_USERCONFIG npm_config_userconfig HF_TOKEN_PATH PGPASSFILE MYSQL_TEST_LOGIN_FILE
    GNUPGHOME PASSWORD_STORE_DIR SOPS_AGE_KEY_FILE ANSIBLE_VAULT_PASSWORD_FILE KRB5CCNAME HISTFILE XAUTHORITY ICEAUTHORITY
    """.split()
)
# Variables that move a part of the person's home elsewhere.
HOME_VARIABLES = {
    "XDG_CONFIG_HOME": ".config",
    "XDG_DATA_HOME": ".local/share",
    "XDG_STATE_HOME": ".local/state",
    "XDG_CACHE_HOME": ".cache",
}
# Doors to programs that would do things for a confined one; pipes with a name among them.
SOCKETS = tuple(
    """
    /run/screen /run/initctl /run/docker.sock /run/docker /run/podman /run/containerd /run/crio /run/buildkit /run/libvirt /run/dbus /run/systemd/private
    /run/systemd/notify /run/systemd/journal /run/snapd.socket /run/snapd-snap.socket /run/cups /run/pcscd /run/acpid.socket
    """.split()
)
# Those that answer questions about names and users, which every program asks.
HARMLESS_SOCKETS = ("/run/nscd/", "/var/run/nscd/", "/run/systemd/resolve/", "/run/systemd/userdb/")
# Variables that say where such a door is.
DOOR_VARIABLES = "SSH_AUTH_SOCK DOCKER_HOST CONTAINER_HOST DBUS_SESSION_BUS_ADDRESS".split()
# Folders that everybody uses: an empty one of its own, where nothing that it needs lies there.
SHARED_FOLDERS = ("/tmp", "/var/tmp", "/run/user")  # noqa: S108

# Where all programs of a person keep what they can make again, and run some of it: a prompt at the start of a shell, what
# npx has fetched. Whatever is confined has these for itself, but for what build tools keep there.
SHARED_CACHE = ".cache"
SHARED_CACHES = (SHARED_CACHE, ".npm")
# Where build tools keep what they fetched or built before, below the person's home.
CACHES = ".npm/_cacache .cargo/registry .cargo/git go/pkg .m2/repository .gradle/caches .nuget/packages Library/Caches".split()
# The same in the shared one, by the program that makes it.
TOOL_CACHES: Mapping[str, str] = {
    **{name: name for name in "pip uv pdm hatch yarn pnpm deno bazel zig ccache sccache composer".split()},
    "golangci-lint": "golangci-lint",
    "poetry": "pypoetry",
    "go": "go-build",
    "node": "node-gyp",
    "sbt": "coursier",
}

# Where build tools keep more than that, some of it programs and settings that you obey: what confined commands change
# there is thrown away, where the system can; elsewhere it is read-only, as everything is.
TOOL_STATES = (
    ".gradle .m2 .sbt .ivy2 .android .konan .dotnet .nuget .mix .hex .pub-cache .stack .cabal .julia .conan2 .ccache .bundle .gem "
    ".yarn .bun .composer .jupyter .ipython .local/share/jupyter .local/share/hatch .local/share/gem .local/share/pnpm "
    ".local/state/pnpm .local/share/uv .config/Cypress .config/configstore"
).split()
# Where programs that build for others and are not confined say how to reach them: a confined one must start its own.
DAEMONS = ".gradle/daemon .m2/mvnd .kotlin/daemon .local/share/kotlin/daemon".split()
# What a tool makes below the person's home when it is first started, where these files show that it will be.
MADE_FOR: Mapping[str, str] = {
    ".m2/repository": "pom.xml",
    ".gradle": "build.gradle build.gradle.kts settings.gradle settings.gradle.kts",
}


class CacheVariable(NamedTuple):
    """A variable that moves caches elsewhere, and which folders below it they are."""

    name: str
    below: tuple[str, ...] = ("",)


CACHE_VARIABLES = (
    *map(CacheVariable, "GOCACHE GOMODCACHE npm_config_cache PIP_CACHE_DIR UV_CACHE_DIR".split()),
    *map(CacheVariable, "YARN_CACHE_FOLDER DENO_DIR SCCACHE_DIR CCACHE_DIR NUGET_PACKAGES COMPOSER_CACHE_DIR".split()),
    CacheVariable("CARGO_HOME", ("registry", "git")),
    CacheVariable("GOPATH", ("pkg",)),
    CacheVariable("GRADLE_USER_HOME", ("caches",)),
)
# What nobody is advised to open to a check, whatever it asks for: folders of everything, and all below those from which the
# system or the person's own session starts programs. What has no slash before it lies below the person's home.
NEVER_ADVISED = (
    "/ /home /opt /root /run /srv /var /var/lib /Users /Library .config .local .local/share .local/state".split()
)
NEVER_ADVISED_BELOW = tuple(
    """
    /bin /boot /dev /etc /lib /lib64 /proc /sbin /sys /usr /var/spool /System /Library/LaunchAgents /Library/LaunchDaemons
    bin .local/bin .local/lib .config/autostart .config/systemd .config/environment.d .config/git .config/fish .config/zsh
    .local/share/applications .local/share/systemd .local/share/fish .local/share/dbus-1 Library/LaunchAgents .vscode .vscode-server
    """.split()
)
