/** Package manifests after inheritance and discovery. Cargo Book: Workspaces, Cargo Targets. */
import type { Message } from '../errors/wording.ts';
import { withContext } from '../errors/error.ts';
import type { Files } from '../files/files.ts';
import type { NormalizedTargets } from './build-targets.ts';
import { findEdition } from './edition.ts';
import { inheritedLints } from './inheritable-fields.ts';
import type { InheritanceRoot } from './inheritable-fields.ts';
import { manifestProblem } from './manifest-problem.ts';
import type { WorkspaceRelation } from './manifest.ts';
import { normalizePackage } from './normalize-package.ts';
import type { NormalizedPackage } from './normalize-package.ts';
import type { TargetScope } from './infer-targets.ts';
import { normalizeLib, normalizeTargetArray } from './normalize-targets.ts';
import type { NamedTarget } from './normalize-targets.ts';
import { normalizeTables } from './package-dependencies.ts';
import type { NormalizedTables } from './package-dependencies.ts';
import type { Lints } from './raw-lints.ts';
import type { RawManifest, RawPackage } from './raw-manifest.ts';
import type { TargetArrayKind } from './raw-target.ts';
import { TargetFiles } from './target-files.ts';

/** The parts of a manifest after inheritance and discovery. */
export interface NormalizedManifest {
  readonly fields: NormalizedPackage;
  readonly targets: NormalizedTargets;
  readonly dependencies: readonly NormalizedTables[];
  /** Empty if missing. */
  readonly lints: Lints;
}

/** Inputs for normalizing a manifest. */
export interface NormalizeManifestScope {
  readonly raw: RawManifest;
  readonly workspace: WorkspaceRelation;
  /** Absolute path of the manifest's folder. */
  readonly root: string;
  readonly files: Files;
  /** See `inheritFrom` of `ParseManifestOptions`. */
  readonly inheritFrom: (pointer: string | null) => InheritanceRoot;
  readonly warnings: Message[];
  /** Receives problems that only fail a build. */
  readonly buildErrors: string[];
}

/**
 * Resolves inherited fields and discovers targets. Throws `manifest`. The order of the calls here is cargo's, and
 * decides which error is reported.
 */
export function normalizeManifest(rawPackage: RawPackage, scope: NormalizeManifestScope): NormalizedManifest {
  const { raw, root, warnings, buildErrors } = scope;
  const inherit = lazily(() => inheritanceRoot(scope));
  const files = new TargetFiles(scope.files, root);
  const filesOf = (folder: string): TargetFiles =>
    folder === root ? files : new TargetFiles(scope.files, folder);
  const fields = normalizePackage(rawPackage, { root, files, inherit, filesOf });
  const packageName = fields.name;
  // An unknown edition is rejected later.
  const edition = findEdition(fields.edition ?? '') ?? '2015';
  const targetScope: TargetScope = { packageName, edition, files, warnings, buildErrors };
  const lib = normalizeLib(raw.lib ?? null, rawPackage.autolib ?? null, targetScope);
  const normalizeArray = (kind: TargetArrayKind, discover: boolean | undefined): readonly NamedTarget[] => {
    const targets = { kind, written: raw[kind] ?? null, discover: discover ?? null, hasLib: lib !== null };
    return normalizeTargetArray(targets, targetScope);
  };
  const bin = normalizeArray('bin', rawPackage.autobins);
  const example = normalizeArray('example', rawPackage.autoexamples);
  const test = normalizeArray('test', rawPackage.autotests);
  const bench = normalizeArray('bench', rawPackage.autobenches);
  const dependencies = normalizeTables(raw, { root, edition, inherit, warnings, packageName });
  const lints = packageLints(raw, inherit);
  const targets = { lib, bin, example, test, bench, build: fields.build };
  return { fields, targets, dependencies, lints };
}

/** Returns a function that calls `make` at most once. */
function lazily<T>(make: () => T): () => T {
  let result: { readonly value: T } | null = null;
  return () => {
    result ??= { value: make() };
    return result.value;
  };
}

/** Returns the root to inherit from: the package's own `[workspace]` if it has one. */
function inheritanceRoot({ workspace, root, inheritFrom }: NormalizeManifestScope): InheritanceRoot {
  return workspace.kind === 'root' ? { folder: root, config: workspace.config } : inheritFrom(workspace.root);
}

/** Returns the lints of a package, written or inherited. */
function packageLints(raw: RawManifest, inherit: () => InheritanceRoot): Lints {
  if (raw.lints === undefined) return new Map();
  const { inherits, lints } = raw.lints;
  if (!inherits) return lints;
  if (lints.size > 0) {
    throw manifestProblem(
      'cannot override `workspace.lints` in `lints`, either remove the overrides ' +
        'or `lints.workspace = true` and manually specify the lints',
    );
  }
  return withContext("error inheriting `lints` from workspace root manifest's `workspace.lints`", () =>
    inheritedLints(inherit()),
  );
}
