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
# Doors to programs that would do things for a confined one.
SOCKETS = tuple(
    """
    /run/docker.sock /run/docker /run/podman /run/containerd /run/crio /run/buildkit /run/libvirt /run/dbus /run/systemd/private
    /run/systemd/notify /run/systemd/journal /run/snapd.socket /run/snapd-snap.socket /run/cups /run/pcscd /run/acpid.socket
    """.split()
)
# Those that answer questions about names and users, which every program asks.
HARMLESS_SOCKETS = ("/run/nscd/", "/var/run/nscd/", "/run/systemd/resolve/", "/run/systemd/userdb/")
# Variables that say where such a door is.
DOOR_VARIABLES = "SSH_AUTH_SOCK DOCKER_HOST CONTAINER_HOST DBUS_SESSION_BUS_ADDRESS XAUTHORITY GNUPGHOME".split()
# Folders that everybody uses: an empty one of its own, where nothing that it needs lies there.
SHARED_FOLDERS = ("/tmp", "/var/tmp", "/run/user")  # noqa: S108

# Where build tools keep what they fetched or built before, below the person's home.
CACHES = (
    ".cache .npm .cargo/registry .cargo/git go/pkg .m2/repository .gradle/caches .nuget/packages Library/Caches".split()
)

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
    *map(CacheVariable, "XDG_CACHE_HOME GOCACHE GOMODCACHE npm_config_cache PIP_CACHE_DIR UV_CACHE_DIR".split()),
    *map(CacheVariable, "YARN_CACHE_FOLDER DENO_DIR SCCACHE_DIR CCACHE_DIR NUGET_PACKAGES COMPOSER_CACHE_DIR".split()),
    CacheVariable("CARGO_HOME", ("registry", "git")),
    CacheVariable("GOPATH", ("pkg",)),
    CacheVariable("GRADLE_USER_HOME", ("caches",)),
)
# What nobody is advised to open to a check, whatever it asks for.
NEVER_ADVISED = "/ /bin /boot /dev /etc /home /lib /lib64 /opt /proc /root /run /sbin /srv /sys /usr /var /Users /System /Library".split()
