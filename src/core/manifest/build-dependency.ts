/** Dependencies from entries of dependency tables. Cargo Book: Specifying Dependencies. */
import type { Message } from '../errors/wording.ts';
import { withContext } from '../errors/error.ts';
import { joinPath, normalizePath } from '../files/path.ts';
import type { GitReference, SourceId } from '../package-id/source-id.ts';
import type { SourceTable } from '../package-id/source-table.ts';
import { CRATES_IO_NAME } from '../package-id/crates-io.ts';
import { parseUrl } from '../package-id/url.ts';
import type { Platform } from '../platform/platform.ts';
import type { Dependency, DependencyKind } from '../summary/summary.ts';
import type { ParseCache } from '../summary/parse-cache.ts';
import { ANY_VERSION } from '../version/requirement.ts';
import { manifestProblem } from './manifest-problem.ts';
import type { DetailedDependency, RawDependency } from './raw-dependency.ts';

/** The sources that a dependency may name. */
interface NamedSources {
  readonly sources: SourceTable;
  /** Returns the source of a registry named in the configuration; throws if there is none. */
  readonly registry: (name: string) => SourceId;
}

/** Inputs that are the same for all dependencies of a package. */
export interface BuildDependencyScope extends NamedSources {
  /** Absolute path of the folder that paths are relative to. */
  readonly root: string;
  /** The source of the package itself. */
  readonly source: SourceId;
  readonly parsed: ParseCache;
  /** Receives warnings. */
  readonly warnings: Message[];
}

/** The table that contains a dependency. */
export interface DependencyPlace {
  readonly kind: DependencyKind;
  readonly platform: Platform | null;
}

const NO_FEATURES: readonly string[] = [];

/** Returns the dependency declared by the entry `nameInToml`. Throws `manifest` in cargo's words. */
export function buildDependency(
  raw: RawDependency,
  nameInToml: string,
  scope: BuildDependencyScope & DependencyPlace,
): Dependency {
  const { kind, platform, sources, parsed, warnings } = scope;
  const written: DetailedDependency = typeof raw === 'string' ? { version: raw } : raw;
  checkKeys(written, nameInToml, warnings);
  const source = sourceOf(written, nameInToml, scope);
  const name = written.package ?? nameInToml;
  const { version } = written;
  const req =
    version === undefined
      ? ANY_VERSION
      : withContext(
          () => `failed to parse the version requirement \`${version}\` for dependency \`${name}\``,
          () => parsed.requirement(version),
        );
  let registry: SourceId | null = null;
  if (written.registry !== undefined) registry = namedRegistry(written.registry, scope);
  if (written['registry-index'] !== undefined)
    registry = sources.forRegistryIndex(written['registry-index'], null);
  checkArtifact(written, nameInToml);
  return {
    name,
    nameInToml,
    renamed: written.package !== undefined,
    source,
    registry,
    req,
    kind,
    optional: written.optional ?? false,
    defaultFeatures: written['default-features'] ?? written.default_features ?? true,
    features: written.features ?? NO_FEATURES,
    platform,
  };
}

/** Throws `manifest` for keys that contradict or miss each other, in cargo's order. Warns about ignored metadata. */
function checkKeys(written: DetailedDependency, name: string, warnings: Message[]): void {
  const { version, path, git, features } = written;
  if (version === undefined && path === undefined && git === undefined) {
    throw manifestProblem(
      `dependency (${name}) specified without providing a local path, Git repository, version, ` +
        'or workspace dependency to use',
    );
  }
  if (version?.includes('+') === true) {
    warnings.push(
      `version requirement \`${version}\` for dependency \`${name}\` includes semver metadata ` +
        'which will be ignored, removing the metadata is recommended to avoid confusion',
    );
  }
  const [reference] = gitReferences(written);
  if (git === undefined && reference !== undefined) {
    throw manifestProblem(`key \`${reference.kind}\` is ignored for dependency (${name}).`);
  }
  for (const feature of features ?? NO_FEATURES) {
    if (feature.includes('/')) {
      throw manifestProblem(
        `feature \`${feature}\` in dependency \`${name}\` is not allowed to contain slashes\n` +
          'If you want to enable features of a transitive dependency, the direct dependency needs to ' +
          're-export those features from the `[features]` table.',
      );
    }
    if (feature.startsWith('dep:')) {
      throw manifestProblem(
        `feature \`${feature}\` in dependency \`${name}\` is not allowed to use explicit \`dep:\` syntax\n` +
          'If you want to enable an optional dependency, specify the name of the optional dependency ' +
          "without the `dep:` prefix, or specify a feature from the dependency's `[features]` table that " +
          'enables the optional dependency.',
      );
    }
  }
}

/** Throws `manifest` for keys of artifact dependencies, an unstable feature. */
function checkArtifact(written: DetailedDependency, name: string): void {
  if (written.artifact !== undefined) {
    throw manifestProblem(`\`artifact = …\` requires \`-Z bindeps\` (${name})`);
  }
  const { lib, target } = written;
  if (lib === undefined && target === undefined) return;
  const key = lib === undefined ? 'target' : 'lib';
  throw manifestProblem(`'${key}' specifier cannot be used without an 'artifact = …' value (${name})`);
}

/**
 * Returns the source of a dependency. Throws `manifest` if several are written. Warns about a fragment in a git URL.
 */
function sourceOf(
  written: DetailedDependency,
  name: string,
  { root, source, sources, registry, warnings }: BuildDependencyScope,
): SourceId {
  const { git, path, registry: registryName, 'registry-index': index } = written;
  const ambiguous = (either: string, or: string): Error =>
    manifestProblem(
      `dependency (${name}) specification is ambiguous. Only one of ${either} or \`${or}\` is allowed.`,
    );
  if (git !== undefined && path !== undefined) throw ambiguous('`git`', 'path');
  if (registryName !== undefined && index !== undefined) throw ambiguous('`registry`', 'registry-index');
  if (git !== undefined) {
    const references = gitReferences(written);
    if (references.length > 1) throw ambiguous('`branch`, `tag`', 'rev');
    const url = parseUrl(git);
    const hash = url.indexOf('#');
    if (hash !== -1) {
      const fragment = url.slice(hash + 1);
      warnings.push(
        `URL fragment \`#${fragment}\` in git URL is ignored for dependency (${name}). ` +
          'If you were trying to specify a specific git revision, ' +
          `use \`rev = "${fragment}"\` in the dependency declaration.`,
      );
    }
    return sources.forGit(git, references[0] ?? { kind: 'default' });
  }
  // In a repository or an unpacked package, a path refers to another package of the same source.
  if (path !== undefined)
    return source.kind === 'path' ? sources.forPath(normalizePath(joinPath(root, path))) : source;
  if (registryName !== undefined) return namedRegistry(registryName, { sources, registry });
  return index === undefined ? registry(CRATES_IO_NAME) : sources.forRegistryIndex(index, null);
}

type NamedReference = Exclude<GitReference, { readonly kind: 'default' }>;

const NO_REFERENCES: readonly NamedReference[] = [];

/** Returns the written references of a git dependency. More than one is an error. */
function gitReferences({ branch, tag, rev }: DetailedDependency): readonly NamedReference[] {
  if (branch === undefined && tag === undefined && rev === undefined) return NO_REFERENCES;
  const references: NamedReference[] = [];
  if (branch !== undefined) references.push({ kind: 'branch', name: branch });
  if (tag !== undefined) references.push({ kind: 'tag', name: tag });
  if (rev !== undefined) references.push({ kind: 'rev', name: rev });
  return references;
}

/** Returns the source of a registry, and makes `name` its name in messages. Keys of `[patch]` do not decide that. */
function namedRegistry(name: string, { sources, registry }: NamedSources): SourceId {
  return sources.intern({ ...registry(name), registryName: name });
}
