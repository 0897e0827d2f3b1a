import { describe, expect, it } from 'vitest';
import { type Message, wordsOf } from '../../../src/core/errors/wording.ts';
import { PACKAGE, parsePackage, parseText } from './manifest-text.ts';

const DOCS = 'https://doc.rust-lang.org/cargo/reference';

describe('warnings', () => {
  it('are empty for a valid package', () => {
    expect(parsePackage(PACKAGE).warnings).toEqual([]);
  });

  it('cover all kinds of problems in a fixed order', () => {
    const text = `cargo-features = ["edition"]
foo.a = 1
build = 1
[package]
name = "p"
bar = { b = 1 }
license = "x"
license-file = "y"
description = { workspace = true, zz = 1 }
[workspace.package]
description = "x"
qq = 1
[workspace.dependencies]
w = { version = "1", zz = 1, aa = 2 }
[dev_dependencies]
x = { version = "1.0.0+b", default_features = false, what = 1 }
[profile.dev]
hm = 1
[profile.doc]
[profile.test]
panic = "abort"
[lints.foo]
[lints.cargo]
x = "warn"
[lints.rust]
x = { level = "warn", q = 1 }
unexpected_cfgs = { level = "warn", check-cfg = [] }
[[bin]]
name = "zz"
path = "src/lib.rs"
zz = 1
[target."cfg(test)"]
foo = 1
[target."cfg(feature=\\"x\\")".dependencies]
[features]
default-features = []
`;
    expect(parsePackage(text).warnings.map((warning) => wordsOf(warning, 'cargo'))).toEqual([
      'the cargo feature `edition` has been stabilized in the 1.31 release and is no longer necessary to be listed in the manifest\n' +
        `  See ${DOCS}/manifest.html#the-edition-field for more information about using this feature.`,
      'unused manifest key: workspace.dependencies.w.aa',
      'unused manifest key: workspace.dependencies.w.zz',
      '`dev_dependencies` is deprecated in favor of `dev-dependencies` and will not work in the 2024 edition\n(in the `p` package)',
      '`default_features` is deprecated in favor of `default-features` and will not work in the 2024 edition\n(in the `x` dependency)',
      '`package.edition` is unspecified, defaulting to `2015` while the latest is `2024`',
      'file `/p/src/lib.rs` found to be present in multiple build targets:\n  * `lib` target `p`\n  * `bin` target `zz`',
      'unused manifest key: dev-dependencies.x.what',
      "Found `feature = ...` in `target.'cfg(...)'.dependencies`. This key is not supported for selecting dependencies and will not work as expected. " +
        `Use the [features] section instead: ${DOCS}/features.html`,
      "Found `test` in `target.'cfg(...)'.dependencies`. This value is not supported for selecting dependencies and will not work as expected. " +
        `To learn more visit ${DOCS}/specifying-dependencies.html#platform-specific-dependencies`,
      'version requirement `1.0.0+b` for dependency `x` includes semver metadata which will be ignored, removing the metadata is recommended to avoid confusion',
      'unused manifest key `lints.cargo` (may be supported in a future version)\n\nthis Cargo does not support nightly features, but if you\nswitch to nightly channel you can pass\n`-Zcargo-lints` to enable this feature.',
      'unrecognized lint tool `lints.foo`, specifying unrecognized tools may break in the future.\nsupported tools: cargo, clippy, rust, rustdoc',
      'unused manifest key: `lints.rust.x.q`',
      'profile `doc` is deprecated and has no effect',
      '`panic` setting is ignored for `test` profile',
      '`[features]` defines a feature named `default-features`\nnote: only a feature named `default` will be enabled by default',
      'only one of `license` or `license-file` is necessary\n' +
        '`license` should be used if the package license can be expressed with a standard SPDX expression.\n' +
        '`license-file` should be used if the package uses a non-standard license.\n' +
        `See ${DOCS}/manifest.html#the-license-and-license-file-fields for more information.`,
      'unused manifest key: bin.0.zz',
      'unused manifest key: build\nhelp: build is a valid .cargo/config.toml key',
      'unused manifest key: foo',
      'unused manifest key: package.bar',
      'unused manifest key: package.description.zz',
      'unused manifest key: profile.dev.hm',
      'unused manifest key: target.cfg(test).foo',
      'unused manifest key: workspace.package.qq',
    ]);
  });

  it('name the edition that `rust-version` allows', () => {
    const warnings = (version: string): readonly Message[] =>
      parsePackage(`[package]\nname = "p"\nrust-version = "${version}"\n`).warnings;
    expect(warnings('1.30')).toEqual([]);
    expect(warnings('1.31')).toEqual([
      '`package.edition` is unspecified, defaulting to `2015` while 2018 is compatible with `rust-version`',
    ]);
    expect(warnings('1.85.0')).toEqual([
      '`package.edition` is unspecified, defaulting to `2015` while the latest is `2024`',
    ]);
  });

  it('report lints with hyphens, both in the root and where they are inherited', () => {
    const text = `${PACKAGE}[lints]
workspace = true
[workspace.lints.rust]
unexpected-cfgs = { level = "warn", check-cfg = [] }
unsafe_code = "warn"
unsafe-code = "warn"
[workspace.lints.clippy]
a-b = "warn"
[workspace.lints.foo]
a-b = "warn"
`;
    const deprecated = (tool: string, name: string, current: string): string =>
      `\`lints.${tool}.${name}\` is deprecated in favor of \`lints.${tool}.${current}\` and will not work in a future edition`;
    const once = [
      deprecated('clippy', 'a-b', 'a_b'),
      'unrecognized lint tool `lints.foo`, specifying unrecognized tools may break in the future.\nsupported tools: cargo, clippy, rust, rustdoc',
      deprecated('rust', 'unexpected-cfgs', 'unexpected_cfgs'),
      'unused manifest key: `lints.rust.unexpected-cfgs.check-cfg`',
      deprecated('rust', 'unsafe-code', 'unsafe_code'),
      'duplicate lint `unsafe-code` in `[lints.rust]`, conflicts with `unsafe_code` and will not work in a future edition',
    ];
    expect(parsePackage(text).warnings).toEqual([...once, ...once]);
  });

  it('accept profiles that inherit from the profile debug', () => {
    expect(parsePackage(`${PACKAGE}[profile.debug]\n[profile.x]\ninherits = "debug"\n`).warnings).toEqual([]);
  });

  it('report redundant keys, `public` and URL fragments of dependencies', () => {
    const tables = `[dependencies]
a = { version = "1", default_features = true, default-features = true }
b = { version = "1", public = true }
c = { git = "https://a.b/c#d" }
[dev-dependencies]
e = { version = "1", public = false }
`;
    expect(parsePackage(`${PACKAGE}${tables}`).warnings).toEqual([
      '`default_features` is redundant with `default-features`, preferring `default-features` in the `a` dependency',
      'ignoring `public` on dependency b, pass `-Zpublic-dependency` to enable support for it',
      "'public' specifier can only be used on regular dependencies, not dev-dependencies",
      'URL fragment `#d` in git URL is ignored for dependency (c). If you were trying to specify a specific git revision, use `rev = "d"` in the dependency declaration.',
    ]);
  });

  it('cover virtual manifests too', () => {
    const text = '[workspace]\nfoo = 1\n[patch.crates-io]\nx = { path = "x", zz = 1 }\n';
    expect(parseText(text).warnings).toEqual([
      'unused manifest key: patch.crates-io.x.zz',
      'unused manifest key: workspace.foo',
    ]);
  });
});
