/** `-Z` flags. Cargo Book: Unstable Features. */
import { TsregError } from '../../core/errors/error.ts';
import { type Message, Wording } from '../../core/errors/wording.ts';
import type { Environment } from '../../io/config/environment.ts';

/**
 * All accepted `-Z` flags, sorted: the fields of cargo's `CliUnstable` in the reference release, and stabilized flags,
 * which are also in cli/stabilized-flags.ts. Most of them have no effect in this program.
 */
const KNOWN = new Set(
  (
    'advanced-env allow-features any-build-script-metadata asymmetric-token avoid-dev-deps binary-dep-depinfo ' +
    'bindeps build-analysis build-dir build-dir-new-layout build-std build-std-features cache-messages ' +
    'cargo-lints check-cfg checksum-freshness codegen-backend compile-progress config-include config-profile ' +
    'configurable-env crate-versions credential-process direct-minimal-versions doctest-in-workspace ' +
    'doctest-xcompile dual-proc-macros embed-metadata extra-link-arg feature-unification features ' +
    'fine-grain-locking fix-edition future-incompat-report gc git gitoxide hint-msrv host-config ' +
    'install-upgrade json-target-spec lints lockfile-path min-publish-age minimal-versions msrv-policy ' +
    'mtime-on-use multitarget named-profiles namespaced-features next-lockfile-bump no-index-update ' +
    'package-features package-workspace panic-abort-tests panic-immediate-abort patch-in-config ' +
    'print-im-a-teapot profile-hint-mostly-unused profile-rustflags public-dependency publish-timeout ' +
    'registry-auth root-dir rustc-unicode rustdoc-depinfo rustdoc-map rustdoc-mergeable-info ' +
    'rustdoc-scrape-examples sbom script section-timings separate-nightlies skip-rustdoc-fingerprint ' +
    'sparse-registry target-applies-to-host terminal-width timings trim-paths unstable-options warnings ' +
    'weak-dep-features'
  ).split(' '),
);

/**
 * The flags for users of this program, with their help for `-Z help`. Of the others, only `feature-unification` has an
 * effect: it turns a warning off.
 */
export const SUPPORTED_UNSTABLE_FLAGS: ReadonlyMap<string, string> = new Map([
  ['asymmetric-token', 'Allows authenticating with asymmetric tokens'],
  ['publish-timeout', 'Enable the `publish.timeout` key in .cargo/config.toml file'],
  ['unstable-options', 'Allow the usage of unstable options'],
]);

/** A link to documentation about channels. */
export const CHANNELS_LINK =
  'See https://doc.rust-lang.org/book/appendix-07-nightly-rust.html for more information ' +
  'about Rust release channels.';

/** How to turn on unstable flags, in tsreg's own words. */
export const HOW_TO_ENABLE = 'set `RUSTC_BOOTSTRAP=1` to turn them on';

/**
 * Returns the release channel, which decides whether unstable flags are allowed. cargo: src/workspace/features.rs,
 * channel.
 */
export function releaseChannel(env: Environment): string {
  const override = env.__CARGO_TEST_CHANNEL_OVERRIDE_DO_NOT_USE_THIS;
  if (override !== undefined) return override;
  return env.RUSTC_BOOTSTRAP === '1' ? 'dev' : 'stable';
}

/** Returns true for the channels that allow unstable flags. */
export function allowsUnstable(channel: string): boolean {
  return channel === 'nightly' || channel === 'dev';
}

/**
 * Returns the error for an unstable flag that help lists. With `-Z unstable-options` it says that the flag is not
 * supported, and otherwise that it is unstable. `issue` is the number of cargo's tracking issue.
 */
export function unstableFlagError(
  flag: string,
  issue: number,
  { env, unstable }: { readonly env: Environment; readonly unstable: ReadonlySet<string> },
): TsregError {
  if (unstable.has('unstable-options')) return configError(`the \`${flag}\` flag is not supported`);
  const channel = releaseChannel(env);
  const reason = allowsUnstable(channel)
    ? 'is unstable, pass `-Z unstable-options` to enable it'
    : `is unstable, and only available on the nightly channel of Cargo, but this is the \`${channel}\` channel\n${CHANNELS_LINK}`;
  return configError(
    new Wording(
      `the \`${flag}\` flag is unstable`,
      `the \`${flag}\` flag ${reason}\n` +
        `See https://github.com/rust-lang/cargo/issues/${issue} for more information about the \`${flag}\` flag.`,
    ),
    allowsUnstable(channel)
      ? 'pass `-Z unstable-options` to use it'
      : 'set `RUSTC_BOOTSTRAP=1` and pass `-Z unstable-options` to use it',
  );
}

/** Returns the names of `-Z` flags. Throws `config` for unknown ones, and for any if unstable flags are not allowed. */
export function parseUnstableFlags(flags: readonly string[], channel: string): ReadonlySet<string> {
  if (flags.length > 0 && !allowsUnstable(channel)) {
    throw configError(
      new Wording(
        'unstable flags (`-Z`) are turned off',
        'the `-Z` flag is only accepted on the nightly channel of Cargo, ' +
          `but this is the \`${channel}\` channel\n${CHANNELS_LINK}`,
      ),
      HOW_TO_ENABLE,
    );
  }
  return new Set(flags.map(flagName));
}

/**
 * Returns the name in `NAME` or `NAME=VALUE`. Throws `config` if tsreg does not know the name, or if a supported flag,
 * none of which takes a value, has one.
 */
function flagName(flag: string): string {
  const [name = '', ...value] = flag.split('=');
  if (name === 'offline') throw stabilizedOffline();
  if (!KNOWN.has(name)) {
    throw configError(
      new Wording(
        `unknown \`-Z\` flag \`${name}\``,
        `unknown \`-Z\` flag specified: ${name}\n\n` +
          'For available unstable features, see https://doc.rust-lang.org/nightly/cargo/reference/unstable.html\n' +
          `If you intended to use an unstable rustc feature, try setting \`RUSTFLAGS="-Z${name}"\``,
      ),
      '`tsreg -Z help` lists the unstable flags',
    );
  }
  if (SUPPORTED_UNSTABLE_FLAGS.has(name) && value.length > 0) {
    throw configError(`flag -Z${name} does not take a value, found: \`${value.join('=')}\``);
  }
  return name;
}

/** Returns the error for the only stabilized flag that has an effect under another name, and that cargo rejects. */
function stabilizedOffline(): TsregError {
  return configError(
    new Wording(
      '`-Z offline` was stabilized in cargo 1.36, as `--offline`',
      'flag `-Z offline` has been stabilized in the 1.36 release\n' +
        '  Offline mode is now available via the --offline CLI option\n',
    ),
    'pass `--offline` instead',
  );
}

/** Returns a `config` error: as in cargo, these are not usage errors. */
function configError(message: Message, hint: string | null = null): TsregError {
  return new TsregError(message, { code: 'config', ...(hint === null ? {} : { hint }) });
}
