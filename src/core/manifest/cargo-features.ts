/** `cargo-features`: unstable features of cargo that a manifest requests. Cargo Book: Unstable Features. */
import { present } from '../errors/assert.ts';
import { type Message, wordingByProgram, Wording } from '../errors/wording.ts';
import { CARGO_RELEASE } from '../version/cargo-release.ts';
import { manifestProblem } from './manifest-problem.ts';

/** The state of a feature in the reference release. `docs` is its page in the Cargo Book. */
type Status =
  | { readonly kind: 'stable' | 'removed'; readonly since: string; readonly docs: string }
  | { readonly kind: 'unstable'; readonly docs: string };

/** Returns the status of a feature that the release `since` stabilized. */
const stable = (since: string, docs: string): Status => ({ kind: 'stable', since, docs });
/** Returns the status of a feature with the section `anchor` in the chapter on unstable features; empty for none. */
const unstable = (anchor: string): Status => ({
  kind: 'unstable',
  docs: `reference/unstable.html${anchor === '' ? '' : `#${anchor}`}`,
});
const EDITION_DOCS = 'reference/manifest.html#the-edition-field';

/** The list in the macro `features!` of cargo's source. A new reference release may add or stabilize some. */
const FEATURES: ReadonlyMap<string, Status> = new Map([
  ['test-dummy-stable', stable('1.0', '')],
  ['test-dummy-unstable', unstable('')],
  ['alternative-registries', stable('1.34', 'reference/registries.html')],
  ['edition', stable('1.31', EDITION_DOCS)],
  [
    'rename-dependency',
    stable('1.31', 'reference/specifying-dependencies.html#renaming-dependencies-in-cargotoml'),
  ],
  [
    'publish-lockfile',
    { kind: 'removed', since: '1.37', docs: 'reference/unstable.html#publish-lockfile' } satisfies Status,
  ],
  ['profile-overrides', stable('1.41', 'reference/profiles.html#overrides')],
  ['default-run', stable('1.37', 'reference/manifest.html#the-default-run-field')],
  ['metabuild', unstable('metabuild')],
  ['public-dependency', unstable('public-dependency')],
  ['named-profiles', stable('1.57', 'reference/profiles.html#custom-profiles')],
  ['resolver', stable('1.51', 'reference/resolver.html#resolver-versions')],
  ['strip', stable('1.58', 'reference/profiles.html#strip-option')],
  ['rust-version', stable('1.56', 'reference/manifest.html#the-rust-version-field')],
  ['edition2021', stable('1.56', EDITION_DOCS)],
  ['per-package-target', unstable('per-package-target')],
  ['codegen-backend', unstable('codegen-backend')],
  ['different-binary-name', unstable('different-binary-name')],
  ['profile-rustflags', unstable('profile-rustflags-option')],
  ['workspace-inheritance', stable('1.64', 'reference/unstable.html#workspace-inheritance')],
  ['edition2024', stable('1.85', EDITION_DOCS)],
  ['trim-paths', unstable('profile-trim-paths-option')],
  ['open-namespaces', unstable('open-namespaces')],
  ['path-bases', unstable('path-bases')],
  ['unstable-editions', unstable('unstable-editions')],
  ['multiple-build-scripts', unstable('multiple-build-scripts')],
  ['panic-immediate-abort', unstable('panic-immediate-abort')],
]);

/**
 * Names of the `-Z` options of the reference release that are not also features, with `_` instead of `-`: the fields of
 * cargo's `CliUnstable`, as in `commands/shared/unstable-flags.ts`.
 */
const OPTIONS: ReadonlySet<string> = new Set(
  (
    'allow_features print_im_a_teapot advanced_env any_build_script_metadata asymmetric_token avoid_dev_deps ' +
    'binary_dep_depinfo bindeps build_analysis build_dir_new_layout build_std build_std_features cargo_lints ' +
    'checksum_freshness direct_minimal_versions dual_proc_macros embed_metadata feature_unification features ' +
    'fine_grain_locking fix_edition gc git gitoxide hint_msrv host_config json_target_spec min_publish_age ' +
    'minimal_versions msrv_policy mtime_on_use next_lockfile_bump no_index_update ' +
    'panic_abort_tests profile_hint_mostly_unused publish_timeout root_dir rustc_unicode rustdoc_depinfo ' +
    'rustdoc_map rustdoc_mergeable_info rustdoc_scrape_examples sbom script section_timings ' +
    'separate_nightlies skip_rustdoc_fingerprint target_applies_to_host unstable_options'
  ).split(' '),
);

/**
 * Checks the features that a manifest requests. Like a stable cargo, accepts only stabilized ones, and returns a
 * warning for each. Throws `manifest` for others. `isLocal` is true if the user can change the package.
 */
export function checkCargoFeatures(
  names: readonly string[],
  { isLocal }: { readonly isLocal: boolean },
): readonly string[] {
  const warnings: string[] = [];
  const seen = new Set<string>();
  for (const name of names) {
    const status = FEATURES.get(name);
    if (status === undefined) throw manifestProblem(unknownMessage(name));
    if (seen.has(name)) throw manifestProblem(`the cargo feature \`${name}\` has already been activated`);
    seen.add(name);
    const docs = `See https://doc.rust-lang.org/cargo/${status.docs} for more information about using this feature.`;
    if (status.kind === 'unstable') throw manifestProblem(unstableMessage(name, docs));
    const { since } = status;
    if (status.kind === 'removed') throw manifestProblem(removedMessage(name, { since, docs, isLocal }));
    warnings.push(
      `the cargo feature \`${name}\` has been stabilized in the ${since} release ` +
        `and is no longer necessary to be listed in the manifest\n  ${docs}`,
    );
  }
  return warnings;
}

function unstableMessage(name: string, docs: string): Message {
  return new Wording(
    `the package uses the unstable Cargo feature \`${name}\`, which tsreg does not support\n${docs}`,
    `the cargo feature \`${name}\` requires a nightly version of Cargo, but this is the \`stable\` channel\n` +
      'See https://doc.rust-lang.org/book/appendix-07-nightly-rust.html for more information about Rust release channels.\n' +
      docs,
  );
}

function removedMessage(
  name: string,
  { since, docs, isLocal }: { readonly since: string; readonly docs: string; readonly isLocal: boolean },
): Message {
  return wordingByProgram(
    (program) =>
      `the cargo feature \`${name}\` has been removed in the ${since} release\n\n` +
      (isLocal
        ? 'Remove the feature from Cargo.toml to remove this error.\n'
        : `This package cannot be used with this version of ${program === 'cargo' ? 'Cargo' : program}, ` +
          `as the unstable feature \`${name}\` is no longer supported.\n`) +
      `${docs}\n`,
  );
}

function unknownMessage(name: string): string {
  const start = `unknown Cargo.toml feature \`${name}\`\n\n`;
  if (name.includes('_')) return `${start}Feature names must use '-' instead of '_'.\n`;
  const option = OPTIONS.has(name.replaceAll('-', '_'))
    ? `This feature can be enabled via -Z${name} or the \`[unstable]\` section in config.toml.\n`
    : '';
  return `${start}${option}See https://doc.rust-lang.org/nightly/cargo/reference/unstable.html for more information.\n`;
}

/**
 * Throws `manifest` because a manifest needs the unstable feature `name`, one of `FEATURES`. `help` becomes the last
 * line.
 */
export function refuseUnstable(name: string, help?: string): never {
  const { docs: page } = present(FEATURES.get(name), 'an unstable feature');
  const docs = `See https://doc.rust-lang.org/nightly/cargo/${page} for more information about the status of this feature.\n`;
  const end = help === undefined ? docs : `${docs}${help}\n`;
  throw manifestProblem(
    new Wording(
      `the package uses the unstable Cargo feature \`${name}\`, which tsreg does not support\n${end}`,
      `feature \`${name}\` is required\n\n` +
        `The package requires the Cargo feature called \`${name}\`, but that feature is not stabilized ` +
        `in this version of Cargo (${CARGO_RELEASE}).\n` +
        `Consider trying a newer version of Cargo (this may require the nightly release).\n${end}`,
    ),
  );
}
