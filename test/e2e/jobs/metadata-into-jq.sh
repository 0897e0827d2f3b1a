# "What does this workspace depend on?", in a workspace that needs a package of crates.io.
set -eu -o pipefail

tsreg metadata --format-version 1 | jq -r '.packages[] | select(.source) | .name + " " + .version'
