# "How do I run a private registry?", in an empty folder.
set -eu -o pipefail
trap 'kill %1; wait' EXIT

mkdir .cargo
cat > .cargo/config.toml <<'END'
# .cargo/config.toml
[registries.own]
index = "sparse+http://127.0.0.1:7878/index/"
END

tsreg serve --data registry &
tsreg serve token --data registry --user alice | tsreg login --registry own
tsreg whoami --registry own
