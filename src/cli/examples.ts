/** The examples in help and man pages. Tests run all of them. */
import type { HelpExample } from './help.ts';

/** Two or three examples per command. The keys are the words of the command; the empty string is the program. */
export const EXAMPLES: Readonly<Record<string, readonly HelpExample[]>> = {
  '': [
    { purpose: 'Show what this workspace depends on', line: 'tsreg tree' },
    { purpose: 'Check what a publish would do', line: 'tsreg publish --workspace --plan' },
    { purpose: 'Run a private registry', line: 'tsreg serve' },
  ],
  metadata: [
    { purpose: 'Print the whole dependency graph', line: 'tsreg metadata --format-version 1' },
    { purpose: 'Print only the workspace members', line: 'tsreg metadata --format-version 1 --no-deps' },
    {
      purpose: 'Print what a Linux build needs',
      line: 'tsreg metadata --format-version 1 --filter-platform x86_64-unknown-linux-gnu',
    },
  ],
  tree: [
    { purpose: 'Show the whole tree', line: 'tsreg tree --workspace' },
    { purpose: 'Show why a package is needed', line: 'tsreg tree --invert lantern' },
    { purpose: 'Show packages that appear in several versions', line: 'tsreg tree --duplicates' },
  ],
  why: [
    { purpose: 'Show why a package is needed', line: 'tsreg why kettle' },
    { purpose: 'Show all paths from all members', line: 'tsreg why kettle --workspace --all' },
    { purpose: 'Print the shortest path as JSON', line: 'tsreg why kettle --json' },
  ],
  outdated: [
    { purpose: 'Show direct dependencies that have newer versions', line: 'tsreg outdated --workspace' },
    { purpose: 'Check the whole lock file', line: 'tsreg outdated --workspace --all' },
    { purpose: 'Fail in CI if a dependency is outdated', line: 'tsreg outdated --exit-code' },
  ],
  sbom: [
    { purpose: 'Describe a release in CycloneDX', line: 'tsreg sbom --output bom.json --locked' },
    { purpose: 'Describe all members in SPDX', line: 'tsreg sbom --workspace --format spdx' },
    { purpose: 'Describe one member for all targets', line: 'tsreg sbom -p mug --target all' },
  ],
  info: [
    { purpose: 'Show the latest version of a crate', line: 'tsreg info kettle' },
    { purpose: 'Show one version as JSON', line: 'tsreg info kettle@1.0.0 --json' },
  ],
  search: [
    { purpose: 'Search the default registry', line: 'tsreg search kettle' },
    { purpose: 'Print the first five results as JSON', line: 'tsreg search tea --limit 5 --json' },
    { purpose: 'Check whether a name is taken', line: 'tsreg search kettle --exact --registry mine' },
  ],
  diff: [
    { purpose: 'Show what a new version changes', line: 'tsreg diff kettle 0.9.0 1.0.0' },
    { purpose: 'List only the changed files', line: 'tsreg diff kettle@0.9.0 kettle --stat' },
    { purpose: 'Print the differences as JSON', line: 'tsreg diff kettle@0.9.0 kettle@1.0.0 --json' },
  ],
  pkgid: [
    { purpose: 'Print the ID of the current package', line: 'tsreg pkgid' },
    { purpose: 'Print the ID of a dependency', line: 'tsreg pkgid lantern' },
  ],
  'locate-project': [
    { purpose: 'Print the path as JSON', line: 'tsreg locate-project' },
    {
      purpose: 'Print only the path of the workspace root',
      line: 'tsreg locate-project --workspace --message-format plain',
    },
  ],
  'read-manifest': [
    { purpose: 'Print the current package', line: 'tsreg read-manifest' },
    { purpose: 'Print a package elsewhere', line: 'tsreg read-manifest --manifest-path mug/Cargo.toml' },
  ],
  update: [
    { purpose: 'Show what would change', line: 'tsreg update --dry-run' },
    { purpose: 'Update one package', line: 'tsreg update kettle' },
    { purpose: 'Go to an exact version', line: 'tsreg update kettle --precise 1.0.0' },
  ],
  'generate-lockfile': [
    { purpose: 'Choose the latest versions of all dependencies', line: 'tsreg generate-lockfile' },
    { purpose: 'Choose among downloaded versions', line: 'tsreg generate-lockfile --offline' },
  ],
  fetch: [
    { purpose: 'Download all dependencies', line: 'tsreg fetch' },
    { purpose: 'Fail in CI if `Cargo.lock` is out of date', line: 'tsreg fetch --locked' },
    { purpose: 'Download what one target needs', line: 'tsreg fetch --target x86_64-unknown-linux-gnu' },
  ],
  vendor: [
    { purpose: 'Copy into `vendor`', line: 'tsreg vendor' },
    {
      purpose: 'Copy elsewhere, and use the copies from now on',
      line: 'tsreg vendor third-party --versioned-dirs >> .cargo/config.toml',
    },
  ],
  download: [
    { purpose: 'Download the latest version', line: 'tsreg download kettle' },
    { purpose: 'Read the source code of a version', line: 'tsreg download kettle@1.0.0 --extract' },
    { purpose: 'Download into a folder', line: 'tsreg download kettle lantern --output crates' },
  ],
  package: [
    { purpose: 'List the files that a package would contain', line: 'tsreg package -p mug --list' },
    { purpose: 'Create the `.crate` file without building', line: 'tsreg package -p mug --no-verify' },
  ],
  publish: [
    { purpose: 'Show what would be published, in which order', line: 'tsreg publish --workspace --plan' },
    { purpose: 'Run all checks without uploading', line: 'tsreg publish -p mug --dry-run --no-verify' },
    {
      purpose: 'Publish, and skip what is already published',
      line: 'tsreg publish --workspace --skip-published --no-verify --registry mine',
    },
  ],
  yank: [
    { purpose: 'Yank one version', line: 'tsreg yank kettle@1.0.0' },
    { purpose: 'Allow it again', line: 'tsreg yank kettle@1.0.0 --undo' },
    { purpose: 'Yank all 1.x versions', line: 'tsreg yank kettle@^1 --yes --reason "security fix"' },
  ],
  owner: [
    { purpose: 'List the owners of a crate', line: 'tsreg owner kettle' },
    { purpose: 'Invite a user as an owner', line: 'tsreg owner --add bob kettle' },
    { purpose: 'Remove an owner', line: 'tsreg owner --remove bob kettle' },
  ],
  login: [
    { purpose: 'Store a token for a registry', line: 'tsreg login --registry mine < token-file' },
    { purpose: 'Check the token first', line: 'tsreg login --registry mine --check < token-file' },
  ],
  logout: [
    { purpose: 'Remove the token of the default registry', line: 'tsreg logout' },
    { purpose: 'Remove the token of another registry', line: 'tsreg logout --registry mine' },
  ],
  whoami: [
    { purpose: 'Show the user of the default registry', line: 'tsreg whoami' },
    { purpose: 'Print the user and the token as JSON', line: 'tsreg whoami --registry mine --json' },
  ],
  serve: [
    { purpose: 'Run a registry for this machine', line: 'tsreg serve' },
    {
      purpose: 'Require tokens, behind a proxy with HTTPS',
      line: 'tsreg serve --auth-required --base-url https://crates.example.com',
    },
    { purpose: 'Also serve the crates of crates.io', line: 'tsreg serve --upstream crates-io' },
  ],
  'serve token': [
    { purpose: 'Create a token for a user', line: 'tsreg serve token --user alice' },
    {
      purpose: 'Create a token for CI that can only publish new versions',
      line: 'tsreg serve token --user ci --scope publish-update --expires 90d',
    },
  ],
  'serve token list': [
    { purpose: 'List all tokens', line: 'tsreg serve token list' },
    { purpose: 'Print the tokens of a user as JSON', line: 'tsreg serve token list --user alice --json' },
  ],
  'serve token revoke': [
    { purpose: 'Revoke a token', line: 'tsreg serve token revoke 2' },
    { purpose: 'Revoke several tokens', line: 'tsreg serve token revoke 1 2' },
  ],
  'serve user': [
    { purpose: 'Create an admin', line: 'tsreg serve user alice --admin' },
    {
      purpose: 'Set a password from a file',
      line: 'tsreg serve user alice --password < password-file',
    },
    { purpose: 'Disable a user', line: 'tsreg serve user bob --disable' },
  ],
  'serve publisher': [
    { purpose: 'List the trusted publishers', line: 'tsreg serve publisher' },
    { purpose: 'Show how to add one', line: 'tsreg serve publisher add --help' },
  ],
  'serve publisher add': [
    {
      purpose: 'Trust a release workflow on GitHub',
      line: [
        'tsreg serve publisher add',
        '--issuer https://token.actions.githubusercontent.com',
        '--claim repository_id=123456 --claim repository_owner_id=7890',
        "--claim 'workflow_ref=acme/kettle/.github/workflows/release.yml@*'",
        '--crate kettle --user alice',
      ].join(' \\\n      '),
    },
    {
      purpose: 'Trust the tags of all projects of a GitLab group',
      line: [
        'tsreg serve publisher add --issuer https://gitlab.example.com',
        '--claim namespace_id=42 --claim ref_type=tag',
        "--crate 'acme-*' --user alice",
      ].join(' \\\n      '),
    },
  ],
  'serve publisher list': [
    { purpose: 'List the trusted publishers', line: 'tsreg serve publisher list' },
    { purpose: 'Print only the issuers', line: 'tsreg serve publisher list | cut -f 2' },
  ],
  'serve publisher remove': [
    { purpose: 'Find the number', line: 'tsreg serve publisher list' },
    { purpose: 'Remove the publisher', line: 'tsreg serve publisher remove 1' },
  ],
  'serve publisher only': [
    { purpose: 'Reject new versions from tokens', line: 'tsreg serve publisher only kettle' },
    { purpose: 'Accept them again', line: 'tsreg serve publisher only kettle --off' },
  ],
  'serve own-name': [
    { purpose: 'List the reserved names', line: 'tsreg serve own-name' },
    { purpose: 'Reserve all names with a prefix', line: "tsreg serve own-name add 'acme-*'" },
  ],
  'serve own-name add': [
    { purpose: 'Reserve one name', line: 'tsreg serve own-name add acme' },
    {
      purpose: 'Reserve all names with a prefix',
      line: "tsreg serve own-name add 'acme-*' --reason 'our internal crates'",
    },
  ],
  'serve own-name list': [
    { purpose: 'List the reserved names', line: 'tsreg serve own-name list' },
    { purpose: 'Print only the names', line: 'tsreg serve own-name list | cut -f 1' },
  ],
  'serve own-name remove': [
    { purpose: 'Find the name', line: 'tsreg serve own-name list' },
    { purpose: 'Release it', line: "tsreg serve own-name remove 'acme-*'" },
  ],
  'serve verify': [
    { purpose: 'Check the registry', line: 'tsreg serve verify' },
    { purpose: 'Check it and delete unused files', line: 'tsreg serve verify --clean' },
  ],
  'serve backup': [
    { purpose: 'Back up the registry while it runs', line: 'tsreg serve backup backup' },
    { purpose: 'Update the backup', line: 'tsreg serve backup backup' },
  ],
  'serve restore': [
    { purpose: 'Restore into a new folder', line: 'tsreg serve restore backup --data restored' },
    { purpose: 'Replace the registry', line: 'tsreg serve restore backup --yes' },
  ],
  'serve delete': [
    { purpose: 'Delete one version', line: 'tsreg serve delete kettle@1.0.0 --yes' },
    {
      purpose: 'Delete a crate, and allow its versions to be published again',
      line: "tsreg serve delete lantern --yes --allow-reuse --reason 'published by mistake'",
    },
  ],
  'serve migrate': [
    {
      purpose: 'Show the SQL statements first',
      line: 'tsreg serve migrate --database "$TSREG_DATABASE" --dry-run',
    },
    { purpose: 'Upgrade the schema', line: 'tsreg serve migrate --database "$TSREG_DATABASE"' },
  ],
  'serve move': [
    { purpose: 'Move to another folder', line: 'tsreg serve move --from tsreg-data --to registry' },
    { purpose: 'Make the old folder writable again', line: 'tsreg serve move --from tsreg-data --undo' },
  ],
  registry: [
    { purpose: 'List the registries', line: 'tsreg registry' },
    { purpose: 'Show how to add one', line: 'tsreg registry add --help' },
  ],
  'registry list': [
    { purpose: 'List the registries', line: 'tsreg registry list' },
    { purpose: 'Print the list as JSON', line: 'tsreg registry list --json' },
  ],
  'registry add': [
    {
      purpose: 'Add a registry that cannot be reached from here',
      line: 'tsreg registry add acme sparse+https://crates.acme.example/index/ --no-check',
    },
    {
      purpose: 'Use it by default in all projects',
      line: [
        'tsreg registry add acme sparse+https://crates.acme.example/index/ --default',
        '--global --no-check',
      ].join(' \\\n      '),
    },
  ],
  'registry remove': [
    { purpose: 'Find the name and the file', line: 'tsreg registry list' },
    { purpose: 'Remove it from the file in `CARGO_HOME`', line: 'tsreg registry remove mine --global' },
  ],
  doctor: [
    { purpose: 'Check everything that needs no network', line: 'tsreg doctor --offline' },
    { purpose: 'Print only warnings and errors', line: 'tsreg doctor --offline --quiet' },
    { purpose: 'Print the results as JSON', line: 'tsreg doctor --offline --json' },
  ],
  shim: [
    { purpose: 'Create the command', line: 'tsreg shim ~/.tsreg/bin' },
    { purpose: 'Create it again after an update', line: 'tsreg shim ~/.tsreg/bin --force' },
  ],
  completions: [
    {
      purpose: 'Complete in bash',
      line: 'tsreg completions bash > ~/.local/share/bash-completion/completions/tsreg',
    },
    { purpose: 'Complete in zsh', line: 'tsreg completions zsh > ~/.zfunc/_tsreg' },
    { purpose: 'Complete in fish', line: 'tsreg completions fish > ~/.config/fish/completions/tsreg.fish' },
  ],
  version: [
    { purpose: 'Print the version', line: 'tsreg version' },
    { purpose: 'Also print the versions of cargo and Node, and the system', line: 'tsreg version --verbose' },
  ],
  help: [
    { purpose: 'Print the help of a command', line: 'tsreg help publish' },
    { purpose: 'Print the help of a subcommand', line: 'tsreg help serve token' },
  ],
  complete: [
    { purpose: 'Print commands that begin with `pub`', line: 'tsreg complete -- pub' },
    { purpose: 'Print the names of all flags of `tree`', line: 'tsreg complete -- tree --' },
  ],
};
