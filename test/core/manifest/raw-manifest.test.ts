import { expect, it } from 'vitest';
import { failureOf, PACKAGE } from './manifest-text.ts';

/** Invalid values, each with cargo's message and position. */
const CASES: [string, string, string[]?][] = [
  ['[package]\nname = ""\n', '[2:8-10] package name cannot be empty'],
  [
    '[package]\nname = "p"\nversion = "1"\n',
    '[3:11-14] unexpected end of input while parsing major version number',
  ],
  [
    '[package]\nname = "p"\nrust-version = "^1.50"\n',
    '[3:16-23] unexpected version requirement, expected a version like "1.32"',
  ],
  [
    '[package]\nname = "p"\nrust-version = "1.50-a"\n',
    '[3:16-24] unexpected prerelease field, expected a version like "1.32"',
  ],
  [
    '[package]\nname = "p"\ncargo-features = ["edition"]\n',
    '[3:18-29] the field `cargo-features` should be set at the top of Cargo.toml before any tables',
  ],
  [
    '[package]\nversion = "0.1.0"\nedition = "2021"\nname = 1\n',
    '[4:8-9] invalid type: integer `1`, expected a string',
  ],
  [
    '[package]\nname = "p"\nedition = "2021"\nversion = 1\n',
    '[4:11-12] invalid type: integer `1`, expected SemVer version',
  ],
  [
    '[package]\nname = "p"\nedition = "2021"\nversion = ""\n',
    '[4:11-13] empty string, expected a semver version',
  ],
  [
    '[package]\nname = "p"\nedition = "2021"\nversion = "1.0"\n',
    '[4:11-16] unexpected end of input while parsing minor version number',
  ],
  [
    '[package]\nname = "p"\nedition = "2021"\nversion.workspace = false\n',
    '[4:1-8] `workspace` cannot be false\nin `workspace`\n',
  ],
  ['[package]\nname = "p"\nedition = "2021"\nversion = {}\n', '[4:11-13] missing field `workspace`'],
  [
    '[package]\nname = "p"\nedition = "2021"\nversion = []\n',
    '[4:11-13] invalid type: sequence, expected SemVer version',
  ],
  [
    '[package]\nname = "p"\nedition = "2021"\nversion = {workspace="x"}\n',
    '[4:11-26] invalid type: string "x", expected a boolean\n\nin `workspace`\n',
  ],
  ['[package]\nname = "p"\nedition = "2021"\nversion = 1979-05-27\n', '[4:11-21] missing field `workspace`'],
  [
    '[package]\nname = "p"\nversion = "0.1.0"\nedition = 1\n',
    '[4:11-12] invalid type: integer `1`, expected a string or workspace',
  ],
  ['[package]\nname = "p"\nversion = "0.1.0"\nedition = {}\n', '[4:11-13] missing field `workspace`'],
  [
    '[package]\nname = "p"\nversion = "0.1.0"\nedition = {workspace=1}\n',
    '[4:22-23] invalid type: integer `1`, expected a boolean',
  ],
  [
    '[package]\nname = "p"\nversion = "0.1.0"\nedition.workspace = false\n',
    '[4:21-26] `workspace` cannot be false',
  ],
  [PACKAGE + 'rust-version = 1\n', '[5:16-17] invalid type: integer `1`, expected a semver or workspace'],
  [
    PACKAGE + 'rust-version = "x"\n',
    '[5:16-19] unexpected version requirement, expected a version like "1.32"',
  ],
  [
    PACKAGE + 'rust-version = "1.2.3+b"\n',
    '[5:16-25] unexpected build field, expected a version like "1.32"',
  ],
  [PACKAGE + 'rust-version = []\n', '[5:16-18] invalid type: sequence, expected a semver or workspace'],
  [
    PACKAGE + 'authors = "x"\n',
    '[5:11-14] invalid type: string "x", expected a vector of strings or workspace',
  ],
  [PACKAGE + 'authors = ["a",1]\n', '[5:16-17] invalid type: integer `1`, expected a string'],
  [PACKAGE + 'authors = {workspace=false}\n', '[5:22-27] `workspace` cannot be false'],
  [PACKAGE + 'authors = [["a"]]\n', '[5:12-17] invalid type: sequence, expected a string'],
  [PACKAGE + 'build = 1\n', '[5:9-10] invalid type: integer `1`, expected a boolean, string or array'],
  [PACKAGE + 'build = [1]\n', '[5:9-12] invalid type: integer `1`, expected a string\n\n'],
  [PACKAGE + 'build = {}\n', '[5:9-11] invalid type: map, expected a boolean, string or array'],
  [PACKAGE + 'metabuild = 1\n', '[5:13-14] invalid type: integer `1`, expected string or list of strings'],
  [PACKAGE + 'metabuild = [1]\n', '[5:13-16] invalid type: integer `1`, expected a string\n\n'],
  [PACKAGE + 'links = 1\n', '[5:9-10] invalid type: integer `1`, expected a string'],
  [
    PACKAGE + 'exclude = 1\n',
    '[5:11-12] invalid type: integer `1`, expected a vector of strings or workspace',
  ],
  [
    PACKAGE + 'publish = "x"\n',
    '[5:11-14] invalid type: string "x", expected a boolean, a vector of strings, or workspace',
  ],
  [PACKAGE + 'publish = [1]\n', '[5:11-14] invalid type: integer `1`, expected a string\n\n'],
  [PACKAGE + 'publish = {}\n', '[5:11-13] missing field `workspace`'],
  [PACKAGE + 'publish = {workspace=false}\n', '[5:22-27] `workspace` cannot be false'],
  [PACKAGE + 'workspace = 1\n', '[5:13-14] invalid type: integer `1`, expected a string'],
  [PACKAGE + 'autolib = 1\n', '[5:11-12] invalid type: integer `1`, expected a boolean'],
  [PACKAGE + 'default-run = 1\n', '[5:15-16] invalid type: integer `1`, expected a string'],
  [PACKAGE + 'readme = 1\n', '[5:10-11] invalid type: integer `1`, expected a string, a bool, or workspace'],
  [PACKAGE + 'readme = []\n', '[5:10-12] invalid type: sequence, expected a string, a bool, or workspace'],
  [PACKAGE + 'readme = {}\n', '[5:10-12] missing field `workspace`'],
  [
    PACKAGE + 'keywords = 1.5\n',
    '[5:12-15] invalid type: floating point `1.5`, expected a vector of strings or workspace',
  ],
  [
    PACKAGE + 'keywords = inf\n',
    '[5:12-15] invalid type: floating point `inf`, expected a vector of strings or workspace',
  ],
  [
    PACKAGE + 'keywords = 1e30\n',
    '[5:12-16] invalid type: floating point `1000000000000000000000000000000.0`, expected a vector of strings or workspace',
  ],
  [
    PACKAGE + 'keywords = 1e-9\n',
    '[5:12-16] invalid type: floating point `0.000000001`, expected a vector of strings or workspace',
  ],
  [
    PACKAGE + 'license-file = true\n',
    '[5:16-20] invalid type: boolean `true`, expected a string or workspace',
  ],
  [PACKAGE + 'resolver = 2\n', '[5:12-13] invalid type: integer `2`, expected a string'],
  [PACKAGE + 'metadata = 9999999999999999999\n', '[5:12-31] u64 value was too large'],
  [
    PACKAGE + 'metadata = 99999999999999999999\n',
    '[5:12-32] invalid type: integer `99999999999999999999` as i128, expected any valid TOML value',
  ],
  [PACKAGE + 'metadata = [1, {a=9999999999999999999}]\n', '[5:19-38] u64 value was too large'],
  [
    PACKAGE + 'description = 99999999999999999999\n',
    '[5:15-35] invalid type: integer `99999999999999999999` as i128, expected a string or workspace',
  ],
  [
    PACKAGE + 'description = 340282366920938463463374607431768211456\n',
    '[5:15-54] integer number overflowed',
  ],
  [PACKAGE + 'description = 1979-05-27\n', '[5:15-25] missing field `workspace`'],
  [
    '[package]\nversion = "0.1.0"\nedition = "2021"\nname = "a b"\n',
    '[4:8-13] invalid character ` ` in package name: `a b`, characters must be Unicode XID characters (numbers, `-`, `_`, or most letters)',
  ],
  [
    '[package]\nversion = "0.1.0"\nedition = "2021"\nname = "-a"\n',
    '[4:8-12] invalid character `-` in package name: `-a`, the first character must be a Unicode XID start character (most letters or `_`)',
  ],
  [
    '[package]\nversion = "0.1.0"\nedition = "2021"\nname = "a\\u0000b"\n',
    '[4:8-18] invalid character `\x00` in package name: `a\x00b`, characters must be Unicode XID characters (numbers, `-`, `_`, or most letters)',
  ],
  [PACKAGE + 'links = {workspace = true}\n', '[5:9-27] invalid type: map, expected a string'],
  [
    PACKAGE + 'cargo-features = 1\n',
    '[5:18-19] the field `cargo-features` should be set at the top of Cargo.toml before any tables',
  ],
  [PACKAGE + 'foo = 1e999\n', '[5:7-12] floating-point number overflowed'],
  ['package = 1\n', '[1:11-12] invalid type: integer `1`, expected struct TomlPackage'],
  ['package = []\n', '[1:11-13] invalid length 0, expected struct TomlPackage with 33 elements'],
  ['package = [["2018"]]\n', '[1:12-20] invalid type: sequence, expected a string or workspace'],
  ['package = ["2018", "x"]\n', '[1:20-23] unexpected version requirement, expected a version like "1.32"'],
  ['package = [1]\n', '[1:12-13] invalid type: integer `1`, expected a string or workspace'],
  ['project = 1\n' + PACKAGE, '[1:11-12] invalid type: integer `1`, expected struct TomlPackage'],
  ['cargo-features = 1\n' + PACKAGE, '[1:18-19] invalid type: integer `1`, expected a sequence'],
  ['cargo-features = [1]\n' + PACKAGE, '[1:19-20] invalid type: integer `1`, expected a string'],
  ['badges = 1\n' + PACKAGE, '[1:10-11] invalid type: integer `1`, expected a map'],
  ['badges = {a=1}\n' + PACKAGE, '[1:13-14] invalid type: integer `1`, expected a map'],
  ['badges = {a={b=1}}\n' + PACKAGE, '[1:16-17] invalid type: integer `1`, expected a string'],
  ['features = 1\n' + PACKAGE, '[1:12-13] invalid type: integer `1`, expected a map'],
  ['features = {a=1}\n' + PACKAGE, '[1:15-16] invalid type: integer `1`, expected a sequence'],
  ['features = {a=[1]}\n' + PACKAGE, '[1:16-17] invalid type: integer `1`, expected a string'],
  [
    'features = {"a b"=[]}\n' + PACKAGE,
    "[1:13-18] invalid character ` ` in feature name: `a b`, characters must be Unicode XID characters, '-', `+`, or `.` (numbers, `+`, `-`, `_`, `.`, or most letters)",
  ],
  [
    'features = {"-a"=[]}\n' + PACKAGE,
    '[1:13-17] invalid character `-` in feature name: `-a`, the first character must be a Unicode XID start character or digit (most letters or `_` or `0` to `9`)',
  ],
  [
    'features = {"dep:a"=[]}\n' + PACKAGE,
    '[1:13-20] feature named `dep:a` is not allowed to start with `dep:`',
  ],
  [
    'features = {"a/b"=[]}\n' + PACKAGE,
    '[1:13-18] invalid character `/` in feature name: `a/b`, feature name is not allowed to contain slashes',
  ],
  ['features = {""=[]}\n' + PACKAGE, '[1:13-15] feature name cannot be empty'],
  [
    'features = {"a?"=[1]}\n' + PACKAGE,
    "[1:13-17] invalid character `?` in feature name: `a?`, characters must be Unicode XID characters, '-', `+`, or `.` (numbers, `+`, `-`, `_`, `.`, or most letters)",
  ],
  ['lib = 1\n' + PACKAGE, '[1:7-8] invalid type: integer `1`, expected struct TomlTarget'],
  ['lib = []\n' + PACKAGE, '[1:7-9] invalid length 0, expected struct TomlTarget with 15 elements'],
  ['lib = ["a", []]\n' + PACKAGE, '[1:7-16] invalid length 2, expected struct TomlTarget with 15 elements'],
  ['lib = {name=1}\n' + PACKAGE, '[1:13-14] invalid type: integer `1`, expected a string'],
  ['lib = {crate-type="x"}\n' + PACKAGE, '[1:19-22] invalid type: string "x", expected a sequence'],
  ['lib = {crate-type=[1]}\n' + PACKAGE, '[1:20-21] invalid type: integer `1`, expected a string'],
  ['lib = {test=1}\n' + PACKAGE, '[1:13-14] invalid type: integer `1`, expected a boolean'],
  ['bin = 1\n' + PACKAGE, '[1:7-8] invalid type: integer `1`, expected a sequence'],
  ['bin = {}\n' + PACKAGE, '[1:7-9] invalid type: map, expected a sequence'],
  ['bin = [1]\n' + PACKAGE, '[1:8-9] invalid type: integer `1`, expected struct TomlTarget'],
  ['bin = [{name=1}]\n' + PACKAGE, '[1:14-15] invalid type: integer `1`, expected a string'],
  ['bin = [[]]\n' + PACKAGE, '[1:8-10] invalid length 0, expected struct TomlTarget with 15 elements'],
  ['test = [{edition=1}]\n' + PACKAGE, '[1:18-19] invalid type: integer `1`, expected a string'],
  ['dependencies = 1\n' + PACKAGE, '[1:16-17] invalid type: integer `1`, expected a map'],
  [
    'dependencies = {a=1}\n' + PACKAGE,
    '[1:19-20] invalid type: integer `1`, expected a version string like "0.9.8" or a detailed dependency like { version = "0.9.8" }',
  ],
  [
    'dependencies = {a=true}\n' + PACKAGE,
    '[1:19-23] invalid type: boolean `true`, expected a version string like "0.9.8" or a detailed dependency like { version = "0.9.8" }\nnote: if you meant to use a workspace member, you can write\n dep.workspace = true',
  ],
  [
    'dependencies = {a=false}\n' + PACKAGE,
    '[1:19-24] invalid type: boolean `false`, expected a version string like "0.9.8" or a detailed dependency like { version = "0.9.8" }',
  ],
  [
    'dependencies = {a=[]}\n' + PACKAGE,
    '[1:19-21] invalid type: sequence, expected a version string like "0.9.8" or a detailed dependency like { version = "0.9.8" }',
  ],
  [
    'dependencies = {a=[1]}\n' + PACKAGE,
    '[1:19-22] invalid type: sequence, expected a version string like "0.9.8" or a detailed dependency like { version = "0.9.8" }',
  ],
  [
    'dependencies = {a=1.5}\n' + PACKAGE,
    '[1:19-22] invalid type: floating point `1.5`, expected a version string like "0.9.8" or a detailed dependency like { version = "0.9.8" }',
  ],
  [
    'dependencies = {"1a"="1"}\n' + PACKAGE,
    '[1:17-21] invalid character `1` in package name: `1a`, the name cannot start with a digit',
  ],
  [
    'dependencies = {a={version=1}}\n' + PACKAGE,
    '[1:19-30] invalid type: integer `1`, expected a string\n\n\n',
  ],
  [
    'dependencies = {a={features=1}}\n' + PACKAGE,
    '[1:19-31] invalid type: integer `1`, expected a sequence\n\n\n',
  ],
  [
    'dependencies = {a={features=[1]}}\n' + PACKAGE,
    '[1:19-33] invalid type: integer `1`, expected a string\n\n\n\n\n',
  ],
  [
    'dependencies = {a={features=[[1]]}}\n' + PACKAGE,
    '[1:19-35] invalid type: sequence, expected a string\n\n\n\n\n',
  ],
  [
    'dependencies = {a={optional=1}}\n' + PACKAGE,
    '[1:19-31] invalid type: integer `1`, expected a boolean\n\n\n',
  ],
  [
    'dependencies = {a={registry=1}}\n' + PACKAGE,
    '[1:19-31] invalid type: integer `1`, expected a string\n\n\n',
  ],
  [
    'dependencies = {a={registry="a b"}}\n' + PACKAGE,
    '[1:19-35] invalid character ` ` in registry name: `a b`, characters must be Unicode XID characters (numbers, `-`, `_`, or most letters)\n\n',
  ],
  ['dependencies = {a={registry=""}}\n' + PACKAGE, '[1:19-32] registry name cannot be empty\n\n'],
  [
    'dependencies = {a={package="a b"}}\n' + PACKAGE,
    '[1:19-34] invalid character ` ` in package name: `a b`, characters must be Unicode XID characters (numbers, `-`, `_`, or most letters)\n\n',
  ],
  [
    'dependencies = {a={base="a b"}}\n' + PACKAGE,
    '[1:19-31] invalid character ` ` in path base name: `a b`, characters must be Unicode XID characters (numbers, `-`, `_`, or most letters)\n\n',
  ],
  [
    'dependencies = {a={artifact=1}}\n' + PACKAGE,
    '[1:19-31] invalid type: integer `1`, expected string or list of strings\n\n\n',
  ],
  [
    'dependencies = {a={artifact=[1]}}\n' + PACKAGE,
    '[1:19-33] invalid type: integer `1`, expected a string\n\n\n\n\n',
  ],
  [
    'dependencies = {a={artifact={}}}\n' + PACKAGE,
    '[1:19-32] invalid type: map, expected string or list of strings\n\n\n',
  ],
  ['dependencies = {a={lib=1}}\n' + PACKAGE, '[1:19-26] invalid type: integer `1`, expected a boolean\n\n\n'],
  ['dependencies = {a={workspace=false}}\n' + PACKAGE, '[1:19-36] `workspace` cannot be false'],
  [
    'dependencies = {a={workspace=true, features=1}}\n' + PACKAGE,
    '[1:19-47] invalid type: integer `1`, expected a sequence\n\n\n',
  ],
  [
    'dependencies = {a={workspace=true, optional="x"}}\n' + PACKAGE,
    '[1:19-49] invalid type: string "x", expected a boolean\n\n\n',
  ],
  [
    'dependencies = {a={version=1,features=2,branch=3}}\n' + PACKAGE,
    '[1:19-50] invalid type: integer `3`, expected a string\n\n\n',
  ],
  [
    'dependencies = {a={version=1,artifact=2}}\n' + PACKAGE,
    '[1:19-41] invalid type: integer `2`, expected string or list of strings\n\n\n',
  ],
  [
    'dev-dependencies = {a=1}\n' + PACKAGE,
    '[1:23-24] invalid type: integer `1`, expected a version string like "0.9.8" or a detailed dependency like { version = "0.9.8" }',
  ],
  [
    'build_dependencies = {a={version=1}}\n' + PACKAGE,
    '[1:25-36] invalid type: integer `1`, expected a string\n\n\n',
  ],
  ['target = 1\n' + PACKAGE, '[1:10-11] invalid type: integer `1`, expected a map'],
  ['target = {a=1}\n' + PACKAGE, '[1:13-14] invalid type: integer `1`, expected struct TomlPlatform'],
  ['target = {a={dependencies=1}}\n' + PACKAGE, '[1:27-28] invalid type: integer `1`, expected a map'],
  [
    'target = {a={dependencies={b=1}}}\n' + PACKAGE,
    '[1:30-31] invalid type: integer `1`, expected a version string like "0.9.8" or a detailed dependency like { version = "0.9.8" }',
  ],
  ['lints = 1\n' + PACKAGE, '[1:9-10] invalid type: integer `1`, expected a lints table'],
  ['lints = []\n' + PACKAGE, '[1:9-11] invalid type: sequence, expected a lints table'],
  ['lints = {workspace=1}\n' + PACKAGE, '[1:20-21] invalid type: integer `1`, expected a boolean'],
  ['lints = {workspace=false}\n' + PACKAGE, '[1:20-25] `workspace` cannot be false'],
  ['lints = {rust=1}\n' + PACKAGE, '[1:15-16] invalid type: integer `1`, expected a map'],
  ['lints = {rust={a=1}}\n' + PACKAGE, '[1:18-19] invalid type: integer `1`, expected a string or map'],
  [
    'lints = {rust={a="x"}}\n' + PACKAGE,
    '[1:18-21] unknown variant `x`, expected one of `forbid`, `deny`, `warn`, `allow`',
  ],
  ['lints = {rust={a={}}}\n' + PACKAGE, '[1:18-20] missing field `level`'],
  ['lints = {rust={a={level=1}}}\n' + PACKAGE, '[1:18-27] wanted string or table\n\nin `level`\n'],
  [
    'lints = {rust={a={level="x"}}}\n' + PACKAGE,
    '[1:18-29] unknown variant `x`, expected one of `forbid`, `deny`, `warn`, `allow`\n\n\n\nin `level`\n',
  ],
  [
    'lints = {rust={a={level={}}}}\n' + PACKAGE,
    '[1:18-28] wanted exactly 1 element, found 0 elements\n\nin `level`\n',
  ],
  [
    'lints = {rust={a={level={a=1}}}}\n' + PACKAGE,
    '[1:18-31] unknown variant `a`, expected one of `forbid`, `deny`, `warn`, `allow`\n\n\n\nin `level`\n',
  ],
  ['lints = {rust={a={level=[]}}}\n' + PACKAGE, '[1:18-28] wanted string or table\n\nin `level`\n'],
  [
    'lints = {rust={a={level="warn",priority=128}}}\n' + PACKAGE,
    '[1:18-45] invalid value: integer `128`, expected i8\n\nin `priority`\n',
  ],
  [
    'lints = {rust={a={level="warn",priority="x"}}}\n' + PACKAGE,
    '[1:18-45] invalid type: string "x", expected i8\n\nin `priority`\n',
  ],
  ['lints = {rust={a=[]}}\n' + PACKAGE, '[1:18-20] invalid type: sequence, expected a string or map'],
  ['hints = 1\n' + PACKAGE, '[1:9-10] invalid type: integer `1`, expected struct Hints'],
  ['hints = []\n' + PACKAGE, '[1:9-11] invalid length 0, expected struct Hints with 1 element'],
  ['workspace = 1\n' + PACKAGE, '[1:13-14] invalid type: integer `1`, expected struct TomlWorkspace'],
  ['workspace = []\n' + PACKAGE, '[1:13-15] invalid length 0, expected struct TomlWorkspace with 8 elements'],
  ['workspace = {members=1}\n' + PACKAGE, '[1:22-23] invalid type: integer `1`, expected a sequence'],
  ['workspace = {members=[1]}\n' + PACKAGE, '[1:23-24] invalid type: integer `1`, expected a string'],
  ['workspace = {resolver=2}\n' + PACKAGE, '[1:23-24] invalid type: integer `2`, expected a string'],
  [
    'workspace = {package=1}\n' + PACKAGE,
    '[1:22-23] invalid type: integer `1`, expected struct InheritablePackage',
  ],
  [
    'workspace = {package={version=1}}\n' + PACKAGE,
    '[1:31-32] invalid type: integer `1`, expected semver version',
  ],
  [
    'workspace = {package={version=" 1.0.0"}}\n' + PACKAGE,
    "[1:31-39] unexpected character ' ' while parsing major version number",
  ],
  [
    'workspace = {package={version="1"}}\n' + PACKAGE,
    '[1:31-34] unexpected end of input while parsing major version number',
  ],
  [
    'workspace = {package={rust-version=1}}\n' + PACKAGE,
    '[1:36-37] invalid type: integer `1`, expected SemVer version',
  ],
  [
    'workspace = {package={rust-version="x"}}\n' + PACKAGE,
    '[1:36-39] unexpected version requirement, expected a version like "1.32"',
  ],
  [
    'workspace = {package={publish=1}}\n' + PACKAGE,
    '[1:31-32] invalid type: integer `1`, expected a boolean or vector of strings',
  ],
  [
    'workspace = {package={publish=[1]}}\n' + PACKAGE,
    '[1:31-34] invalid type: integer `1`, expected a string\n\n',
  ],
  [
    'workspace = {package={readme=1}}\n' + PACKAGE,
    '[1:30-31] invalid type: integer `1`, expected a boolean or string',
  ],
  ['workspace = {package={badges=1}}\n' + PACKAGE, '[1:30-31] invalid type: integer `1`, expected a map'],
  ['workspace = {dependencies=1}\n' + PACKAGE, '[1:27-28] invalid type: integer `1`, expected a map'],
  [
    'workspace = {dependencies={a=1}}\n' + PACKAGE,
    '[1:30-31] invalid type: integer `1`, expected a version string like "0.9.8" or a detailed dependency like { version = "0.9.8" }',
  ],
  [
    'workspace = {dependencies={a={version=1}}}\n' + PACKAGE,
    '[1:30-41] invalid type: integer `1`, expected a string\n\n\nin `version`\n',
  ],
  [
    'workspace = {dependencies={a={features=[1]}}}\n' + PACKAGE,
    '[1:30-44] invalid type: integer `1`, expected a string\n\n\n\n\nin `features`\n',
  ],
  [
    'workspace = {dependencies={a={registry="a b"}}}\n' + PACKAGE,
    '[1:30-46] invalid character ` ` in registry name: `a b`, characters must be Unicode XID characters (numbers, `-`, `_`, or most letters)\n\nin `registry`\n',
  ],
  [
    'workspace = {dependencies={a={artifact=[1]}}}\n' + PACKAGE,
    '[1:30-44] invalid type: integer `1`, expected a string\n\n\n\n\nin `artifact`\n',
  ],
  [
    'workspace = {lints={rust={a=1}}}\n' + PACKAGE,
    '[1:29-30] invalid type: integer `1`, expected a string or map',
  ],
  ['profile = 1\n' + PACKAGE, '[1:11-12] invalid type: integer `1`, expected a map'],
  ['profile = {dev=1}\n' + PACKAGE, '[1:16-17] invalid type: integer `1`, expected struct TomlProfile'],
  [
    'profile = {build-override={}}\n' + PACKAGE,
    '[1:12-26] profile name `build-override` is reserved\nTo configure build dependency settings, use [profile.dev.build-override] and [profile.release.build-override]\nSee https://doc.rust-lang.org/cargo/reference/profiles.html for more on configuring profiles.',
  ],
  [
    'profile = {cargoX={}}\n' + PACKAGE,
    '[1:12-18] profile name `cargoX` is reserved\nPlease choose a different name.\nSee https://doc.rust-lang.org/cargo/reference/profiles.html for more on configuring profiles.',
  ],
  [
    'profile = {"a b"={}}\n' + PACKAGE,
    '[1:12-17] invalid character ` ` in profile name: `a b`, allowed characters are letters, numbers, underscore, and hyphen',
  ],
  [
    'profile = {dev={opt-level="x"}}\n' + PACKAGE,
    '[1:27-30] must be `0`, `1`, `2`, `3`, `s` or `z`, but found the string: "x"',
  ],
  [
    'profile = {dev={opt-level=true}}\n' + PACKAGE,
    '[1:27-31] invalid type: boolean `true`, expected an optimization level',
  ],
  [
    'profile = {dev={lto=1}}\n' + PACKAGE,
    '[1:21-22] invalid type: integer `1`, expected a boolean or string',
  ],
  ['profile = {dev={codegen-units=-1}}\n' + PACKAGE, '[1:31-33] invalid value: integer `-1`, expected u32'],
  ['profile = {dev={codegen-units="x"}}\n' + PACKAGE, '[1:31-34] invalid type: string "x", expected u32'],
  [
    'profile = {dev={debug="x"}}\n' + PACKAGE,
    '[1:23-26] invalid value: string "x", expected a boolean, 0, 1, 2, "none", "limited", "full", "line-tables-only", or "line-directives-only"',
  ],
  [
    'profile = {dev={debug=3}}\n' + PACKAGE,
    '[1:23-24] invalid value: integer `3`, expected a boolean, 0, 1, 2, "none", "limited", "full", "line-tables-only", or "line-directives-only"',
  ],
  [
    'profile = {dev={debug=1.5}}\n' + PACKAGE,
    '[1:23-26] invalid type: floating point `1.5`, expected a boolean, 0, 1, 2, "none", "limited", "full", "line-tables-only", or "line-directives-only"',
  ],
  [
    'profile = {dev={strip=1}}\n' + PACKAGE,
    '[1:23-24] invalid type: integer `1`, expected a boolean or string',
  ],
  ['profile = {dev={rustflags=1}}\n' + PACKAGE, '[1:27-28] invalid type: integer `1`, expected a sequence'],
  ['profile = {dev={package=1}}\n' + PACKAGE, '[1:25-26] invalid type: integer `1`, expected a map'],
  [
    'profile = {dev={package={"a b"={}}}}\n' + PACKAGE,
    '[1:26-31] invalid character ` ` in package name: `a b`, characters must be Unicode XID characters (numbers, `-`, `_`, or most letters)',
  ],
  [
    'profile = {dev={package={"a:1:2"={}}}}\n' + PACKAGE,
    '[1:26-33] invalid character `:` in package name: `a:1`, characters must be Unicode XID characters (numbers, `-`, `_`, or most letters)',
  ],
  [
    'profile = {dev={package={"a@x"={}}}}\n' + PACKAGE,
    '[1:26-31] unexpected version requirement, expected a version like "1.32"',
  ],
  [
    'profile = {dev={package={"ftp+http://x/y"={}}}}\n' + PACKAGE,
    '[1:26-42] unsupported source protocol: ftp',
  ],
  [
    'profile = {dev={package={a=1}}}\n' + PACKAGE,
    '[1:28-29] invalid type: integer `1`, expected struct TomlProfile',
  ],
  [
    'profile = {dev={build-override=1}}\n' + PACKAGE,
    '[1:32-33] invalid type: integer `1`, expected struct TomlProfile',
  ],
  [
    'profile = {dev={trim-paths="x"}}\n' + PACKAGE,
    '[1:28-31] expected a boolean, "none", "diagnostics", "macro", "object", "all", or an array with these options',
  ],
  [
    'profile = {dev={trim-paths=[1]}}\n' + PACKAGE,
    '[1:28-31] invalid type: integer `1`, expected a string\n\n',
  ],
  [
    'profile = {dev={trim-paths=["x"]}}\n' + PACKAGE,
    '[1:28-33] unknown variant `x`, expected one of `diagnostics`, `macro`, `object`',
  ],
  [
    'profile = {dev={trim-paths=1}}\n' + PACKAGE,
    '[1:28-29] invalid type: integer `1`, expected a boolean, "none", "diagnostics", "macro", "object", "all", or an array with these options',
  ],
  ['profile = {dev={incremental=1}}\n' + PACKAGE, '[1:29-30] invalid type: integer `1`, expected a boolean'],
  ['patch = 1\n' + PACKAGE, '[1:9-10] invalid type: integer `1`, expected a map'],
  ['patch = {a=1}\n' + PACKAGE, '[1:12-13] invalid type: integer `1`, expected a map'],
  [
    'patch = {a={b=1}}\n' + PACKAGE,
    '[1:15-16] invalid type: integer `1`, expected a version string like "0.9.8" or a detailed dependency like { version = "0.9.8" }',
  ],
  [
    'patch = {a={b={version=1}}}\n' + PACKAGE,
    '[1:15-26] invalid type: integer `1`, expected a string\n\n\nin `version`\n',
  ],
  [
    'patch = {a={b={features=[1]}}}\n' + PACKAGE,
    '[1:15-29] invalid type: integer `1`, expected a string\n\n\n\n\nin `features`\n',
  ],
  [
    'patch = {a={b={artifact=[1]}}}\n' + PACKAGE,
    '[1:15-29] invalid type: integer `1`, expected a string\n\n\n\n\nin `artifact`\n',
  ],
  ['replace = 1\n' + PACKAGE, '[1:11-12] invalid type: integer `1`, expected a map'],
  [
    'replace = {a=1}\n' + PACKAGE,
    '[1:14-15] invalid type: integer `1`, expected a version string like "0.9.8" or a detailed dependency like { version = "0.9.8" }',
  ],
  ['foo = 1e999\n' + PACKAGE, '[1:7-12] floating-point number overflowed'],
  ['foo = 0x\n' + PACKAGE, '[1:7-9] integer number overflowed'],
  ['foo = 0x_\n' + PACKAGE, '[1:7-8] `_` may only go between digits, expected nothing'],
  ['foo = -99999999999999999999999999999999999999999999\n' + PACKAGE, '[1:7-52] integer number overflowed'],
  ['foo = 1__0\n' + PACKAGE, '[1:9-10] `_` may only go between digits'],
  ['foo = 1_a\n' + PACKAGE, '[1:7-10] integer number overflowed'],
  ['[workspace]\npackage.readme=5\n', '[2:16-17] invalid type: integer `5`, expected a boolean or string'],
];

it.each(CASES)('refuses %j', (text, failure, files) => {
  expect(failureOf(text, files === undefined ? {} : { files })).toBe(failure);
});
