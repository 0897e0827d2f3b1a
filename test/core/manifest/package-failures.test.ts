import { expect, it } from 'vitest';
import { failureOf, PACKAGE, unstable } from './manifest-text.ts';

/** Invalid package and virtual manifests, each with its error. */
const CASES: [string, string, string[]?][] = [
  ['[package]\n', 'failed: missing field `package.name`'],
  [
    '[package]\nname = "p"\nedition = "2020"\n',
    'failed: failed to parse the `edition` key <- supported edition values are `2015`, `2018`, `2021`, or `2024`, but `2020` is unknown',
  ],
  [
    '[package]\nname = "p"\nedition = "2030"\n',
    'failed: failed to parse the `edition` key <- this version of Cargo is older than the `2030` edition, and only supports `2015`, `2018`, `2021`, and `2024` editions.',
  ],
  ['[package]\nname = "p"\nedition = "future"\n', 'failed: ' + unstable('unstable-editions')],
  [
    '[package]\nname = "p"\nedition = "future"\nrust-version = "1.90"\n',
    `failed: ${unstable('unstable-editions')}help: p requires rust 1.90\n`,
  ],
  [
    '[package]\nname = "p"\nversion = "0.1.0"\nedition = "future"\nrust-version = "1.90"\n',
    `failed: ${unstable('unstable-editions')}help: p@0.1.0 requires rust 1.90\n`,
  ],
  [
    '[package]\nname = "p"\nedition = "2021"\nrust-version = "1.50"\n',
    'failed: rust-version 1.50 is incompatible with the version (1.56.0) required by the specified edition (2021)',
  ],
  [
    '[package]\nname = "p"\npublish = true\n',
    'failed: `package.publish` requires `package.version` be specified',
  ],
  [
    '[package]\nname = "p"\nlinks = "z"\n',
    'failed: package specifies that it links to `z` but does not have a custom build script',
  ],
  [
    '[project]\nname = "p"\nedition = "2024"\n',
    'failed: `[project]` is not supported as of the 2024 Edition, please use `[package]`',
  ],
  [
    '[package]\nname = "p"\nresolver = "4"\n',
    'failed: `resolver` setting `4` is not valid, valid options are "1", "2" or "3"',
  ],
  [
    '[package]\nname = "p"\nresolver = "2"\n[workspace]\nresolver = "2"\n',
    'failed: cannot specify `resolver` field in both `[workspace]` and `[package]`',
  ],
  ['[package]\nname = "p"\nmetabuild = "x"\n', 'failed: ' + unstable('metabuild')],
  ['[package]\nname = "p"\nbuild = ""\n', 'failed: invalid `package.build` file name'],
  ['[package]\nname = "p"\nbuild = "a/.."\n', 'failed: invalid `package.build` file name'],
  ['[package]\nname = "p"\nbuild = ["a.rs","b.rs"]\n', 'failed: ' + unstable('multiple-build-scripts')],
  [
    '[package]\nname = "p"\nim-a-teapot = true\n',
    'failed: the `im-a-teapot` manifest key is unstable and may not work properly in England <- ' +
      unstable('test-dummy-unstable', ''),
  ],
  [
    '[package]\nname = "p"\ndefault-target = "x"\n',
    'failed: the `package.default-target` and `package.forced-target` manifest keys are unstable and may not work properly <- ' +
      unstable('per-package-target'),
  ],
  ['[package]\nname = "a::b"\n', 'failed: ' + unstable('open-namespaces')],
  [
    'dependencies = {a=1979-05-27}\n' + PACKAGE,
    'failed: dependency (a) specified without providing a local path, Git repository, version, or workspace dependency to use',
  ],
  [
    'dependencies = {a={workspace=1}}\n' + PACKAGE,
    'failed: dependency (a) specified without providing a local path, Git repository, version, or workspace dependency to use',
  ],
  [
    'dependencies.a.b.c = 1\n' + PACKAGE,
    'failed: dependency (a) specified without providing a local path, Git repository, version, or workspace dependency to use',
  ],
  [
    'workspace = {dependencies={a={optional=true}}}\n' + PACKAGE,
    'failed: a is optional, but workspace dependencies cannot be optional',
  ],
  [
    'workspace = {dependencies={a={public=true}}}\n' + PACKAGE,
    'failed: a is public, but workspace dependencies cannot be public',
  ],
  [
    'badges={}\n[workspace]\n',
    'failed: this virtual manifest specifies a `badges` section, which is not allowed',
  ],
  ['badges={}\n', 'failed: this virtual manifest specifies a `badges` section, which is not allowed'],
  [
    'features={}\n[workspace]\n',
    'failed: this virtual manifest specifies a `features` section, which is not allowed',
  ],
  ['features={}\n', 'failed: this virtual manifest specifies a `features` section, which is not allowed'],
  ['lib={}\n[workspace]\n', 'failed: this virtual manifest specifies a `lib` section, which is not allowed'],
  ['lib={}\n', 'failed: this virtual manifest specifies a `lib` section, which is not allowed'],
  ['bin=[]\n[workspace]\n', 'failed: this virtual manifest specifies a `bin` section, which is not allowed'],
  ['bin=[]\n', 'failed: this virtual manifest specifies a `bin` section, which is not allowed'],
  [
    'example=[]\n[workspace]\n',
    'failed: this virtual manifest specifies a `example` section, which is not allowed',
  ],
  ['example=[]\n', 'failed: this virtual manifest specifies a `example` section, which is not allowed'],
  [
    'test=[]\n[workspace]\n',
    'failed: this virtual manifest specifies a `test` section, which is not allowed',
  ],
  ['test=[]\n', 'failed: this virtual manifest specifies a `test` section, which is not allowed'],
  [
    'bench=[]\n[workspace]\n',
    'failed: this virtual manifest specifies a `bench` section, which is not allowed',
  ],
  ['bench=[]\n', 'failed: this virtual manifest specifies a `bench` section, which is not allowed'],
  [
    'dependencies={}\n[workspace]\n',
    'failed: this virtual manifest specifies a `dependencies` section, which is not allowed',
  ],
  [
    'dependencies={}\n',
    'failed: this virtual manifest specifies a `dependencies` section, which is not allowed',
  ],
  [
    'dev-dependencies={}\n[workspace]\n',
    'failed: this virtual manifest specifies a `dev-dependencies` section, which is not allowed',
  ],
  [
    'dev-dependencies={}\n',
    'failed: this virtual manifest specifies a `dev-dependencies` section, which is not allowed',
  ],
  [
    'dev_dependencies={}\n[workspace]\n',
    'failed: this virtual manifest specifies a `dev-dependencies` section, which is not allowed',
  ],
  [
    'dev_dependencies={}\n',
    'failed: this virtual manifest specifies a `dev-dependencies` section, which is not allowed',
  ],
  [
    'build-dependencies={}\n[workspace]\n',
    'failed: this virtual manifest specifies a `build-dependencies` section, which is not allowed',
  ],
  [
    'build-dependencies={}\n',
    'failed: this virtual manifest specifies a `build-dependencies` section, which is not allowed',
  ],
  [
    'target={}\n[workspace]\n',
    'failed: this virtual manifest specifies a `target` section, which is not allowed',
  ],
  ['target={}\n', 'failed: this virtual manifest specifies a `target` section, which is not allowed'],
  [
    'hints={}\n[workspace]\n',
    'failed: this virtual manifest specifies a `hints` section, which is not allowed',
  ],
  ['hints={}\n', 'failed: this virtual manifest specifies a `hints` section, which is not allowed'],
  [
    'badges={}\nlib={}\n[workspace]\n',
    'failed: this virtual manifest specifies a `badges` section, which is not allowed',
  ],
  ['badges={}\nlib={}\n', 'failed: this virtual manifest specifies a `badges` section, which is not allowed'],
  [
    '[workspace]\nresolver="4"\n',
    'failed: `resolver` setting `4` is not valid, valid options are "1", "2" or "3"',
  ],
  [
    PACKAGE + 'workspace=".."\n[workspace]\n',
    'failed: cannot configure both `package.workspace` and `[workspace]`, only one can be specified',
  ],
  ['foo=1\n', 'failed: manifest is missing either a `[package]` or a `[workspace]`'],
  [
    'cargo-features = ["edition", "edition"]\n[package]\nname = "p"\n',
    'failed: the cargo feature `edition` has already been activated',
  ],
  [
    'cargo-features = ["metabuild"]\n[package]\nname = "p"\n',
    'failed: the cargo feature `metabuild` requires a nightly version of Cargo, but this is the `stable` channel\nSee https://doc.rust-lang.org/book/appendix-07-nightly-rust.html for more information about Rust release channels.\nSee https://doc.rust-lang.org/cargo/reference/unstable.html#metabuild for more information about using this feature.',
  ],
  [
    'cargo-features = ["nope"]\n[package]\nname = "p"\n',
    'failed: unknown Cargo.toml feature `nope`\n\nSee https://doc.rust-lang.org/nightly/cargo/reference/unstable.html for more information.\n',
  ],
  [
    'cargo-features = ["nope_x"]\n[package]\nname = "p"\n',
    "failed: unknown Cargo.toml feature `nope_x`\n\nFeature names must use '-' instead of '_'.\n",
  ],
  [
    'cargo-features = ["build-std"]\n[package]\nname = "p"\n',
    'failed: unknown Cargo.toml feature `build-std`\n\nThis feature can be enabled via -Zbuild-std or the `[unstable]` section in config.toml.\nSee https://doc.rust-lang.org/nightly/cargo/reference/unstable.html for more information.\n',
  ],
  [
    'cargo-features = ["min-publish-age"]\n[package]\nname = "p"\n',
    'failed: unknown Cargo.toml feature `min-publish-age`\n\nThis feature can be enabled via -Zmin-publish-age or the `[unstable]` section in config.toml.\nSee https://doc.rust-lang.org/nightly/cargo/reference/unstable.html for more information.\n',
  ],
  [
    'cargo-features = ["no-embed-metadata"]\n[package]\nname = "p"\n',
    'failed: unknown Cargo.toml feature `no-embed-metadata`\n\nSee https://doc.rust-lang.org/nightly/cargo/reference/unstable.html for more information.\n',
  ],
  [
    'cargo-features = ["publish-lockfile"]\n[package]\nname = "p"\n',
    'failed: the cargo feature `publish-lockfile` has been removed in the 1.37 release\n\nRemove the feature from Cargo.toml to remove this error.\nSee https://doc.rust-lang.org/cargo/reference/unstable.html#publish-lockfile for more information about using this feature.\n',
  ],
];

it.each(CASES)('refuses %j', (text, failure, files) => {
  expect(failureOf(text, files === undefined ? {} : { files })).toBe(failure);
});
