/** Manifests from the text of a `Cargo.toml`. Cargo Book: The Manifest Format. */
import type { Message } from '../errors/wording.ts';
import { present } from '../errors/assert.ts';
import { withContext } from '../errors/error.ts';
import { parentFolder } from '../files/path.ts';
import { ParseCache } from '../summary/parse-cache.ts';
import { asTable } from '../toml/decode.ts';
import type { TomlTable } from '../toml/value.ts';
import { buildPackage } from './build-package.ts';
import { checkCargoFeatures } from './cargo-features.ts';
import { checkLints } from './check-lints.ts';
import { checkProfiles } from './check-profiles.ts';
import type { ManifestDraft, ParseManifestOptions } from './manifest-draft.ts';
import { manifestProblem } from './manifest-problem.ts';
import type { Manifest, VirtualManifest, WorkspaceConfig, WorkspaceRelation } from './manifest.ts';
import { buildPatches, buildReplacements, checkPatchBases } from './patches.ts';
import type { RawManifest, RawWorkspace } from './raw-manifest.ts';
import { readRawManifest } from './read-raw-manifest.ts';
import { parseResolver } from './resolver.ts';
import { unusedKeyWarnings, warnAboutUnusedKeys } from './unused-keys.ts';

/**
 * Parses a manifest. Throws in cargo's words. If the text is not TOML or has values of the wrong type, the error has a
 * snippet. All other errors are below ``failed to parse manifest at `PATH` ``.
 */
export function parseManifest(text: string, options: ParseManifestOptions): Manifest {
  const { path, source, sources, registry, files, inheritFrom, parsed = new ParseCache() } = options;
  const { table, raw, unusedKeys } = readRawManifest(text, path);
  return withContext(
    () => `failed to parse manifest at \`${path}\``,
    () => {
      const warnings = [
        ...checkCargoFeatures(raw['cargo-features'] ?? [], { isLocal: source.kind === 'path' }),
      ];
      const workspace = workspaceRelation(table, raw, warnings);
      const scope = { root: parentFolder(path), source, sources, registry, parsed, warnings };
      const draft: ManifestDraft = { path, text, raw, unusedKeys, workspace, files, inheritFrom, scope };
      checkPatchBases(raw);
      const rawPackage = raw.package ?? raw.project;
      if (rawPackage !== undefined) return buildPackage(rawPackage, draft);
      refusePackageTables(raw);
      if (raw.workspace === undefined) {
        throw manifestProblem('manifest is missing either a `[package]` or a `[workspace]`');
      }
      return buildVirtual(raw.workspace, draft);
    },
  );
}

/** Returns the relation to a workspace that the manifest declares. */
function workspaceRelation(table: TomlTable, raw: RawManifest, warnings: Message[]): WorkspaceRelation {
  const pointer = (raw.package ?? raw.project)?.workspace ?? null;
  if (raw.workspace === undefined) return { kind: 'member', root: pointer };
  if (pointer !== null) {
    throw manifestProblem(
      'cannot configure both `package.workspace` and `[workspace]`, only one can be specified',
    );
  }
  const written = asTable(present(table.get('workspace'), '`[workspace]`'));
  return { kind: 'root', config: workspaceConfig(raw.workspace, written, warnings) };
}

/** Checks `[workspace]`. `written` is the whole table; null if it is an array, which cargo accepts. */
function workspaceConfig(
  workspace: RawWorkspace,
  written: TomlTable | null,
  warnings: Message[],
): WorkspaceConfig {
  const { lints, dependencies } = workspace;
  if (lints !== undefined) checkLints(lints, warnings);
  for (const [name, dependency] of dependencies ?? []) {
    if (typeof dependency === 'string') continue;
    for (const key of ['optional', 'public'] as const) {
      if (dependency[key] === true) {
        throw manifestProblem(`${name} is ${key}, but workspace dependencies cannot be ${key}`);
      }
    }
  }
  for (const [name, dependency] of dependencies ?? []) {
    warnAboutUnusedKeys('workspace.dependencies', name, dependency, warnings);
  }
  return {
    members: workspace.members ?? null,
    defaultMembers: workspace['default-members'] ?? null,
    exclude: workspace.exclude ?? [],
    metadata: workspace.metadata ?? null,
    inheritable: {
      package: workspace.package ?? null,
      dependencies: dependencies ?? null,
      lints: lints ?? null,
    },
    written,
  };
}

/** Throws `manifest` if a manifest without a package has a table that only a package may have. */
function refusePackageTables(raw: RawManifest): void {
  const tables: readonly (readonly [string, unknown])[] = [
    ['badges', raw.badges],
    ['features', raw.features],
    ['lib', raw.lib],
    ['bin', raw.bin],
    ['example', raw.example],
    ['test', raw.test],
    ['bench', raw.bench],
    ['dependencies', raw.dependencies],
    ['dev-dependencies', raw['dev-dependencies'] ?? raw.dev_dependencies],
    ['build-dependencies', raw['build-dependencies'] ?? raw.build_dependencies],
    ['target', raw.target],
    ['lints', raw.lints],
    ['hints', raw.hints],
  ];
  const first = tables.find(([, table]) => table !== undefined);
  if (first === undefined) return;
  const [name] = first;
  const help = name === 'lints' ? '\nhelp: a similar field exists: `[workspace.lints]`' : '';
  throw manifestProblem(`this virtual manifest specifies a \`${name}\` section, which is not allowed${help}`);
}

function buildVirtual(workspace: RawWorkspace, draft: ManifestDraft): VirtualManifest {
  const { path, raw, unusedKeys, scope } = draft;
  const { warnings } = scope;
  const replacements = buildReplacements(raw, scope);
  const patches = buildPatches(raw, path, scope);
  if (raw.profile !== undefined) checkProfiles(raw.profile, warnings);
  const resolver = workspace.resolver === undefined ? null : parseResolver(workspace.resolver);
  return {
    kind: 'virtual',
    path,
    workspace: draft.workspace,
    resolver,
    resolverIsExplicit: resolver !== null,
    patches,
    replacements,
    hasProfiles: raw.profile !== undefined,
    hasPatches: (raw.patch?.size ?? 0) > 0,
    warnings: [...warnings, ...unusedKeyWarnings(unusedKeys)],
    buildErrors: [],
  };
}
