/** `-Z` flags of features that are stable. Cargo Book: Unstable Features, Stabilized and removed features. */
import { Wording } from '../core/errors/wording.ts';

/** The release of cargo that stabilized a feature, and the effect of that. */
type Stabilization = readonly [release: string, effect: string];

const BOOK = 'https://doc.rust-lang.org/cargo';
const NIGHTLY_BOOK = 'https://doc.rust-lang.org/nightly/cargo';

/**
 * The stabilized flags by name, in the words of cargo: src/workspace/features.rs, CliUnstable::add. `KNOWN` in
 * shared/unstable-flags.ts must have each of them.
 */
const STABILIZED: ReadonlyMap<string, Stabilization> = new Map<string, Stabilization>([
  [
    'compile-progress',
    [
      '1.30',
      'The progress bar is now always enabled when used on an interactive console.\n' +
        `See ${BOOK}/reference/config.html#termprogresswhen for information on controlling the progress bar.`,
    ],
  ],
  ['cache-messages', ['1.40', 'Message caching is now always enabled.']],
  [
    'install-upgrade',
    [
      '1.41',
      'Packages are now always upgraded if they appear out of date.\n' +
        `See ${BOOK}/commands/cargo-install.html for more information on how upgrading works.`,
    ],
  ],
  [
    'config-profile',
    [
      '1.43',
      `See ${BOOK}/reference/config.html#profile for more information about specifying profiles in config.`,
    ],
  ],
  ['crate-versions', ['1.47', 'The crate version is now automatically added to the documentation.']],
  [
    'features',
    [
      '1.51',
      'The new feature resolver is now available by specifying `resolver = "2"` in Cargo.toml.\n' +
        `See ${NIGHTLY_BOOK}/reference/features.html#feature-resolver-version-2 for more information.`,
    ],
  ],
  [
    'package-features',
    [
      '1.51',
      'Enhanced feature flag behavior is now available in virtual workspaces, and `member/feature-name` syntax is ' +
        'also always available. Other extensions require setting `resolver = "2"` in Cargo.toml.\n' +
        `See ${NIGHTLY_BOOK}/reference/features.html#resolver-version-2-command-line-flags for more information.`,
    ],
  ],
  ['configurable-env', ['1.56', 'The [env] section is now always enabled.']],
  ['extra-link-arg', ['1.56', 'Additional linker arguments are now supported without passing this flag.']],
  ['patch-in-config', ['1.56', 'The patch-in-config feature is now always enabled.']],
  [
    'named-profiles',
    [
      '1.57',
      'The named-profiles feature is now always enabled.\n' +
        `See ${NIGHTLY_BOOK}/reference/profiles.html#custom-profiles for more information`,
    ],
  ],
  ['future-incompat-report', ['1.59.0', 'The future-incompat-report feature is now always enabled.']],
  ['namespaced-features', ['1.60', 'Namespaced features are now always available.']],
  ['timings', ['1.60', 'The -Ztimings option has been stabilized as --timings.']],
  ['weak-dep-features', ['1.60', 'Weak dependency features are now always available.']],
  ['multitarget', ['1.64', 'Multiple `--target` options are now always available.']],
  ['sparse-registry', ['1.68', 'The sparse protocol is now the default for crates.io']],
  ['terminal-width', ['1.68', 'The -Zterminal-width option is now always enabled for terminal output.']],
  ['doctest-in-workspace', ['1.72', 'The doctest-in-workspace feature is now always enabled.']],
  ['credential-process', ['1.74', 'Authentication with a credential provider is always available.']],
  ['lints', ['1.74', 'The `[lints]` table is now always available.']],
  [
    'registry-auth',
    ['1.74', 'Authenticated registries are available if a credential provider is configured.'],
  ],
  [
    'check-cfg',
    ['1.80', 'Compile-time checking of conditional (a.k.a. `-Zcheck-cfg`) is now always enabled.'],
  ],
  ['doctest-xcompile', ['1.89', 'Doctest cross-compiling is now always enabled.']],
  [
    'package-workspace',
    ['1.89', 'Workspace packaging and publishing (a.k.a. `-Zpackage-workspace`) is now always enabled.'],
  ],
  ['build-dir', ['1.91', 'build.build-dir is now always enabled.']],
  ['config-include', ['1.93', 'The `include` config key is now always available']],
  ['lockfile-path', ['1.97', 'The `lockfile-path` config key is now always available']],
  ['warnings', ['1.97', 'The `build.warnings` config key is now always available']],
]);

/** Stable parts of `-Z features=LIST`. A non-empty list without any of them gets no warning. */
const STABLE_PARTS = new Set(['build_dep', 'host_dep', 'dev_dep', 'itarget', 'all']);

/** Returns the warnings about stabilized `-Z` flags, in the order of the flags and as often as each is given. */
export function stabilizedFlagWarnings(flags: readonly string[]): readonly Wording<string>[] {
  return flags.flatMap((flag) => {
    const equals = flag.indexOf('=');
    const name = equals === -1 ? flag : flag.slice(0, equals);
    const value = equals === -1 ? '' : flag.slice(equals + 1);
    const stabilization = STABILIZED.get(name);
    if (stabilization === undefined || (name === 'features' && !isStableList(value))) return [];
    const [release, effect] = stabilization;
    const lines = effect.split('\n').map((line) => `\n  ${line}`);
    const warning = (since: string): string =>
      `flag \`-Z ${name}\` has been stabilized in ${since}, and is no longer necessary${lines.join('')}\n`;
    return [new Wording(warning(`cargo ${release}`), warning(`the ${release} release`))];
  });
}

function isStableList(list: string): boolean {
  return list === '' || list.split(',').some((part) => STABLE_PARTS.has(part));
}
