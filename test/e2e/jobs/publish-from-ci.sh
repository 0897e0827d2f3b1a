# "How do I publish from CI?", in a fresh checkout. The CI system has set CARGO_REGISTRY_TOKEN.
set -eu

tsreg publish --workspace --plan
tsreg publish --workspace --no-verify --skip-published --max-wait 30m

# A job that is run again has nothing left to do, and says so with success.
tsreg publish --workspace --no-verify --skip-published --max-wait 30m
