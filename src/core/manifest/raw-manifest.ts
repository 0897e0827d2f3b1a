/** A whole `Cargo.toml` as written, with checked types. Cargo Book: The Manifest Format. */
import { featureNameProblem } from '../summary/feature-name.ts';
import { anyValue, boolean, checkedString, map, oneOf, string, strings } from '../toml/decode.ts';
import type { Decoded, Decoder } from '../toml/decode.ts';
import { struct } from '../toml/decode-struct.ts';
import { packageNameProblem } from '../package-id/name-problem.ts';
import {
  badges,
  inheritablePackage,
  inheritableRustVersion,
  inheritableString,
  inheritableStringOrBoolean,
  inheritableStrings,
  inheritableStringsOrBoolean,
  inheritableVersion,
} from './inheritable.ts';
import { dependencyTable, rawDependency, rawDependencyTable, stringOrStrings } from './raw-dependency.ts';
import { lints, packageLints } from './raw-lints.ts';
import { profiles } from './raw-profile.ts';
import { rawTarget, rawTargets } from './raw-target.ts';

const build = oneOf<boolean | string | readonly string[]>({
  expected: 'a boolean, string or array',
  boolean: (flag) => flag,
  string: (path) => path,
  array: strings,
});

/** Rejects `cargo-features` in `[package]`, a common mistake, with cargo's hint. */
const misplacedCargoFeatures: Decoder<never> = (_value, context) => {
  throw context.error('the field `cargo-features` should be set at the top of Cargo.toml before any tables');
};

const PACKAGE_FIELDS = {
  edition: inheritableString,
  'rust-version': inheritableRustVersion,
  name: checkedString(packageNameProblem),
  version: inheritableVersion,
  authors: inheritableStrings,
  build,
  metabuild: stringOrStrings,
  'default-target': string,
  'forced-target': string,
  links: string,
  exclude: inheritableStrings,
  include: inheritableStrings,
  publish: inheritableStringsOrBoolean,
  workspace: string,
  'im-a-teapot': boolean,
  autolib: boolean,
  autobins: boolean,
  autoexamples: boolean,
  autotests: boolean,
  autobenches: boolean,
  'default-run': string,
  description: inheritableString,
  homepage: inheritableString,
  documentation: inheritableString,
  readme: inheritableStringOrBoolean,
  keywords: inheritableStrings,
  categories: inheritableStrings,
  license: inheritableString,
  'license-file': inheritableString,
  repository: inheritableString,
  resolver: string,
  metadata: anyValue,
  'cargo-features': misplacedCargoFeatures,
};

const rawPackage = struct('TomlPackage', PACKAGE_FIELDS, { copy: (fields) => ({ ...fields }) });

const rawWorkspace = struct('TomlWorkspace', {
  members: strings,
  exclude: strings,
  'default-members': strings,
  resolver: string,
  metadata: anyValue,
  package: inheritablePackage,
  dependencies: rawDependencyTable,
  lints,
});

const rawPlatform = struct('TomlPlatform', {
  dependencies: dependencyTable,
  'build-dependencies': dependencyTable,
  build_dependencies: dependencyTable,
  'dev-dependencies': dependencyTable,
  dev_dependencies: dependencyTable,
});

const hints = struct('Hints', { 'mostly-unused': anyValue });

const MANIFEST_FIELDS = {
  'cargo-features': strings,
  package: rawPackage,
  project: rawPackage,
  badges,
  features: map(strings, featureNameProblem),
  lib: rawTarget,
  bin: rawTargets,
  example: rawTargets,
  test: rawTargets,
  bench: rawTargets,
  dependencies: dependencyTable,
  'dev-dependencies': dependencyTable,
  dev_dependencies: dependencyTable,
  'build-dependencies': dependencyTable,
  build_dependencies: dependencyTable,
  target: map(rawPlatform),
  lints: packageLints,
  hints,
  workspace: rawWorkspace,
  profile: profiles,
  patch: map(rawDependencyTable),
  replace: map(rawDependency),
};

/** Reads a manifest. Throws `TomlTypeError` for values of the wrong type. */
export const rawManifest = struct('TomlManifest', MANIFEST_FIELDS, { copy: (fields) => ({ ...fields }) });

/** A manifest as written. */
export type RawManifest = Decoded<typeof rawManifest>;
/** `[package]` as written. */
export type RawPackage = Decoded<typeof rawPackage>;
/** `[workspace]` as written. */
export type RawWorkspace = Decoded<typeof rawWorkspace>;
/** One `[target.KEY]` as written. */
export type RawPlatform = Decoded<typeof rawPlatform>;
