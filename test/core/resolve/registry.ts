/** Small registries and workspaces for the tests of the resolver, with one line per package. */
import { makePackageId } from '../../../src/core/package-id/package-id.ts';
import type { SourceId } from '../../../src/core/package-id/source-id.ts';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';
import { parsePlatform } from '../../../src/core/platform/parse-platform.ts';
import { allFeatures } from '../../../src/core/resolve/cli-features.ts';
import { resolveGreedily } from '../../../src/core/resolve/greedy-resolution.ts';
import { resolveFromLock } from '../../../src/core/resolve/resolve-from-lock.ts';
import { explain } from '../../../src/core/resolve/explain.ts';
import type { Failure } from '../../../src/core/resolve/failure.ts';
import { lockPrevious, NO_LOCKS } from '../../../src/core/resolve/lock-previous.ts';
import { previousOfLockfile, previousOfResolution, toLockfile } from '../../../src/core/resolve/previous.ts';
import {
  ABSENT,
  UNKNOWN,
  type Problem,
  type Previous,
  type RejectedVersion,
  type SummaryTable,
} from '../../../src/core/resolve/problem.ts';
import type { Resolution } from '../../../src/core/resolve/resolution.ts';
import { NO_PATCHES } from '../../../src/core/resolve/select-patches.ts';
import { solve } from '../../../src/core/resolve/solve.ts';
import { buildFeatureMap } from '../../../src/core/summary/feature-value.ts';
import type { Dependency, Summary } from '../../../src/core/summary/summary.ts';
import { ANY_VERSION, parseVersionReq } from '../../../src/core/version/requirement.ts';
import { parseVersion } from '../../../src/core/version/version.ts';

/** The fields of a dependency. */
export interface Dep {
  readonly req?: string;
  readonly package?: string;
  readonly kind?: Dependency['kind'];
  readonly optional?: boolean;
  readonly default?: boolean;
  readonly features?: readonly string[];
  readonly target?: string;
  readonly path?: string;
}

/** The fields of a package other than its name and version. */
export interface Pkg {
  readonly deps?: Readonly<Record<string, string | Dep | readonly Dep[]>>;
  readonly features?: Readonly<Record<string, readonly string[]>>;
  readonly links?: string;
  readonly rust?: string;
  readonly yanked?: boolean;
  /** The publish time. */
  readonly published?: string;
  readonly checksum?: string | null;
}

/** Packages of crates.io and in folders, and the inputs of the resolver. */
export class World {
  readonly sources = new SourceTable();
  readonly registry = this.sources.cratesIo();
  readonly rejected: RejectedVersion[] = [];
  /** Packages that are not downloaded, each as `name version`. */
  readonly notDownloaded = new Set<string>();
  readonly #byName = new Map<string, Summary[]>();
  readonly #byPath = new Map<SourceId, Summary>();
  /** Names that the table knows; null for all. */
  loaded: Set<string> | null = null;

  readonly table: SummaryTable = {
    all: (source, name) => {
      if (source.kind === 'path') return this.#inFolder(source, name);
      if (this.loaded !== null && !this.loaded.has(name)) return UNKNOWN;
      return this.#byName.get(name) ?? [];
    },
    exact: (source, name, version) => {
      const all = this.table.all(source, name);
      return all === UNKNOWN ? UNKNOWN : (all.find(({ id }) => id.version.text === version.text) ?? ABSENT);
    },
    atHand: (source, name) => this.table.all(source, name),
    downloaded: (source, name, accepts) => {
      const all = this.table.all(source, name);
      if (all === UNKNOWN) return UNKNOWN;
      return all.filter(({ id }) => accepts(id.version) && this.table.isDownloaded(source, name, id.version));
    },
    rejected: () => this.rejected,
    isDownloaded: (_, name, { text }) => !this.notDownloaded.has(`${name} ${text}`),
  };

  /** Adds a package to crates.io: `add('a 1.0.0')`. */
  add(nameAndVersion: string, pkg: Pkg = {}): Summary {
    const summary = this.#make(nameAndVersion, this.registry, pkg);
    const { name } = summary.id;
    this.#byName.set(name, [...(this.#byName.get(name) ?? []), summary]);
    return summary;
  }

  /** Removes a package from crates.io. */
  remove(nameAndVersion: string): void {
    const [name = '', version] = nameAndVersion.split(' ');
    this.#byName.set(
      name,
      (this.#byName.get(name) ?? []).filter(({ id }) => id.version.text !== version),
    );
  }

  /** Puts a package into a folder, and replaces the package there. */
  path(folder: string, nameAndVersion: string, pkg: Pkg = {}): Summary {
    const source = this.sources.forPath(folder);
    const summary = this.#make(nameAndVersion, source, { checksum: null, ...pkg });
    this.#byPath.set(source, summary);
    return summary;
  }

  /** Returns the package in a folder. */
  readonly pathPackage = (source: SourceId): Summary | null => this.#byPath.get(source) ?? null;

  /** Returns a problem with all features of the members. */
  problem(members: readonly Summary[], rest: Partial<Problem> = {}): Problem {
    return {
      roots: allFeatures(members),
      locks: NO_LOCKS,
      patches: NO_PATCHES,
      replacements: [],
      overrides: new Map(),
      rustVersions: [],
      publishAge: null,
      offline: false,
      ...rest,
    };
  }

  /** Returns the resolution, or throws cargo's error. A resolution without a search must have the same result. */
  resolve(problem: Problem): Resolution {
    const outcome = solve(problem, this.table);
    if (outcome.kind === 'needs')
      throw new Error(`needs ${outcome.missingSummaries.map(({ name }) => name).join(', ')}`);
    const quick = resolveFromLock(problem, this.table) ?? resolveGreedily(problem, this.table, null);
    if (outcome.kind === 'failed') {
      if (quick !== null) throw new Error('found without a search what solve did not');
      throw explain(outcome.failure, {
        location: 'crates.io index',
        isReplaced: false,
        packagesBelow: [],
        similarNames: wantsNames(outcome.failure) ? Array.from(this.#byName.keys()) : [],
        offlineFlag: problem.offline ? '--offline' : null,
      });
    }
    if (quick !== null && JSON.stringify(show(quick)) !== JSON.stringify(show(outcome.resolution))) {
      throw new Error('what was found without a search and solve differ');
    }
    return outcome.resolution;
  }

  /** Returns the locks of a resolution for the same members or for changed ones. */
  locks(resolution: Resolution, members: readonly Summary[]): Problem['locks'] {
    return this.locksOf(this.previous(resolution), members);
  }

  locksOf(previous: Previous, members: readonly Summary[]): Problem['locks'] {
    const { pathPackage, sources } = this;
    return lockPrevious(previous, { members, pathPackage, avoid: new Set(), sources });
  }

  /** Writes a resolution as a lock file and reads it back. */
  previous(resolution: Resolution): Previous {
    const lockfile = toLockfile(resolution, null, { version: 4 });
    expectSame(previousOfLockfile(lockfile), previousOfResolution(resolution, lockfile));
    return previousOfLockfile(lockfile);
  }

  #inFolder(source: SourceId, name: string): readonly Summary[] {
    const summary = this.#byPath.get(source);
    return summary !== undefined && summary.id.name === name ? [summary] : [];
  }

  #make(nameAndVersion: string, source: SourceId, pkg: Pkg): Summary {
    const [name = '', version = ''] = nameAndVersion.split(' ');
    const dependencies = Object.entries(pkg.deps ?? {}).flatMap(([key, deps]) => {
      const list: readonly (string | Dep)[] = Array.isArray(deps) ? deps : [deps as string | Dep];
      return list.map((dep) => this.#dependency(key, typeof dep === 'string' ? { req: dep } : dep));
    });
    const result = buildFeatureMap(new Map(Object.entries(pkg.features ?? {})), dependencies);
    if (result.problem !== null) throw new Error(result.problem.message);
    return {
      id: makePackageId(name, parseVersion(version), source),
      dependencies,
      features: result.features,
      links: pkg.links ?? null,
      rustVersion: pkg.rust ?? null,
      publishedAtMs: pkg.published === undefined ? null : Date.parse(pkg.published),
      checksum: pkg.checksum === undefined ? `sum of ${nameAndVersion}` : pkg.checksum,
      yanked: pkg.yanked ?? false,
    };
  }

  #dependency(key: string, dep: Dep): Dependency {
    return {
      name: dep.package ?? key,
      nameInToml: key,
      renamed: dep.package !== undefined,
      source: dep.path === undefined ? this.registry : this.sources.forPath(dep.path),
      registry: null,
      req: dep.req === undefined ? ANY_VERSION : parseVersionReq(dep.req),
      kind: dep.kind ?? 'normal',
      optional: dep.optional ?? false,
      defaultFeatures: dep.default ?? true,
      features: dep.features ?? [],
      platform: dep.target === undefined ? null : parsePlatform(dep.target),
    };
  }
}

/** Formats every package as `name version [features] -> dependencies`. */
export function show({ packages }: Resolution): readonly string[] {
  return packages.map(({ id, features, edges }) => {
    const targets = edges.map(({ to }) => {
      const target = packages[to];
      return target === undefined ? '?' : `${target.id.name} ${target.id.version.text}`;
    });
    const on = features.length === 0 ? '' : ` [${features.join(', ')}]`;
    return `${id.name} ${id.version.text}${on}${targets.length === 0 ? '' : ` -> ${targets.join(', ')}`}`;
  });
}

/** Formats every package that is not in a folder as `name version`. */
export function versions({ packages }: Resolution): readonly string[] {
  return packages
    .filter(({ id }) => id.source.kind !== 'path')
    .map(({ id }) => `${id.name} ${id.version.text}`);
}

function expectSame(a: Previous, b: Previous): void {
  if (JSON.stringify(a) !== JSON.stringify(b)) throw new Error('a lock file lost something');
}

function wantsNames(failure: Failure): boolean {
  return failure.kind === 'no-candidate' && failure.wantsSimilarNames;
}
