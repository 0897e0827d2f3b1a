/**
 * The lock pass resolves everything that the members of a workspace could need, which is the content of the lock file.
 * It writes nothing. Cargo Book: Dependency Resolution.
 */
import type { ResolverSettings } from '../../../io/config/resolver-settings.ts';
import { defaultLockfileVersion } from '../../../core/lockfile/lockfile-version.ts';
import type { Lockfile, LockfileVersion } from '../../../core/lockfile/lockfile.ts';
import type { PathSources } from '../../../core/lockfile/parse-lockfile.ts';
import type { SourceId } from '../../../core/package-id/source-id.ts';
import {
  formatPackageIdSpec,
  matchesPackageIdSpec,
  parsePackageIdSpec,
} from '../../../core/package-id/package-id-spec.ts';
import type { Report } from '../../../core/report/report.ts';
import { allFeatures } from '../../../core/resolve/cli-features.ts';
import { lockPrevious, NO_LOCKS } from '../../../core/resolve/lock-previous.ts';
import { unusedPatchWarnings } from '../../../core/resolve/patch-warnings.ts';
import { collectPathSources } from '../../../core/resolve/path-packages.ts';
import { lockReplacements, previousOfLockfile, toLockfile } from '../../../core/resolve/previous.ts';
import type {
  Patches,
  PreciseVersion,
  Previous,
  Problem,
  ReplacementRule,
} from '../../../core/resolve/problem.ts';
import type { Resolution } from '../../../core/resolve/resolution.ts';
import { type PatchEntry, selectPatches } from '../../../core/resolve/select-patches.ts';
import { unusedOverrideFields } from '../../../core/resolve/unused-override-fields.ts';
import type { PackageCatalog } from '../../../io/sources/catalog.ts';
import type { Summary } from '../../../core/summary/summary.ts';
import {
  comparePartialVersions,
  parseRustVersion,
  type PartialVersion,
} from '../../../core/version/partial-version.ts';
import type { Workspace } from '../../../io/workspace/workspace.ts';
import { loadPathPackage } from './load-path-package.ts';
import type { PublishAgePolicy } from './publish-age.ts';
import { resolveProblem } from './resolve-problem.ts';
import type { LazyRustVersion } from './rust-version.ts';

/** The parts of a workspace that its lock file depends on. */
export type LockedWorkspace = Pick<Workspace, 'members' | 'resolver' | 'rootManifest' | 'manifests'>;

/** The inputs of a lock pass, except the previous lock file. */
export interface LockPassOptions {
  readonly workspace: LockedWorkspace;
  /** `resolver.incompatible-rust-versions`; null if it is not set. */
  readonly incompatibleRustVersions: ResolverSettings['incompatibleRustVersions'];
  readonly catalog: PackageCatalog;
  /** Reads the `[patch]` tables of manifest and configuration. As in cargo, the lock file is opened before that. */
  readonly patches: () => readonly PatchEntry[];
  /** `--offline` or `--frozen` as it was passed; null if the network may be used. */
  readonly offlineFlag: string | null;
  /** The version of Rust to use if no manifest names one. */
  readonly rustVersion: LazyRustVersion;
  readonly publishAge: PublishAgePolicy;
  /**
   * True if the caller reports the changes, which needs the version of Rust: a search then starts the compiler early.
   * The caller must call `rustVersion.stop` in the end.
   */
  readonly reportsChanges?: boolean;
}

/** The packages to choose again, and how. Cargo Book: cargo update. */
export interface LockChoices {
  /** Keys of packages to unlock. */
  readonly toUnlock?: ReadonlySet<string>;
  /** Versions that `--precise` selects. */
  readonly precise?: readonly PreciseVersion[];
}

/** The result of a lock pass. */
export interface SolvedLockPass {
  readonly resolution: Resolution;
  readonly lockfile: Lockfile;
  readonly problem: Problem;
  /** The graph of the previous lock file; null if there was none. */
  readonly previous: Previous | null;
  /** As in `SolvedProblem`. */
  readonly isForced: boolean;
}

/** The lock pass of a workspace, and the inputs that it shares with every further resolution. */
export class LockPass {
  readonly members: readonly Summary[];
  readonly replacements: readonly ReplacementRule[];
  readonly #options: LockPassOptions;
  readonly #report: Report;
  readonly #memberRustVersions: readonly PartialVersion[];
  #knownPatches: readonly PatchEntry[] | null = null;

  /** `report` receives warnings about patches, and the wrong lines in manifests of path packages. */
  constructor(options: LockPassOptions, report: Report) {
    const { members, rootManifest } = options.workspace;
    this.#options = options;
    this.#report = report;
    this.members = members.map(({ summary }) => summary);
    this.replacements = replacementRules(rootManifest);
    this.#memberRustVersions = this.members.flatMap(({ rustVersion }) =>
      rustVersion === null ? [] : [parseRustVersion(rustVersion)],
    );
  }

  /**
   * Resolves with all features. Keeps the versions of `before`, the previous lock file, except those of unlocked
   * packages. Reports problems of patches and path packages. Throws cargo's explanation if there is no solution.
   */
  async solve(
    before: Lockfile | null,
    { toUnlock = new Set(), precise = [] }: LockChoices = {},
  ): Promise<SolvedLockPass> {
    const { catalog, workspace, offlineFlag } = this.#options;
    const report = this.#report;
    const { sources } = workspace.manifests;
    const publishAge = this.#options.publishAge.forSearch();
    const previous = before === null ? null : previousOfLockfile(before);
    for (const { dependency } of this.#patches()) {
      const warning = unusedOverrideFields(dependency, 'patch');
      if (warning !== null) report.warning(warning);
    }
    const { patches, avoid: overridden } = await this.#selectPatches(previous, toUnlock);
    const avoid = new Set([...toUnlock, ...overridden]);
    const unsolved = {
      roots: allFeatures(this.members),
      locks: previous === null ? NO_LOCKS : this.locksOf(previous, avoid),
      patches,
      replacements:
        previous === null
          ? this.replacements
          : lockReplacements(this.replacements, previous, { sources, avoid }),
      overrides: new Map(),
      publishAge,
      offline: offlineFlag !== null,
      precise,
    };
    const { resolution, isForced, problem } = await resolveProblem(unsolved, catalog, {
      rustVersions: () => this.preferredRustVersions(),
      offlineFlag,
      report,
      beforeSearch: () => {
        if (this.#options.reportsChanges === true) this.#options.rustVersion.begin();
      },
    });
    for (const warning of unusedPatchWarnings(resolution, patches)) report.warning(warning);
    const lockfile = toLockfile(resolution, before, { version: this.defaultVersion });
    return { resolution, lockfile, problem, previous, isForced };
  }

  /** Returns a solved pass with the versions of Rust that messages about it name. May start the compiler. */
  async withRustVersions(solved: SolvedLockPass): Promise<SolvedLockPass> {
    if (!solved.isForced) return solved;
    return { ...solved, problem: { ...solved.problem, rustVersions: await this.preferredRustVersions() } };
  }

  /** Returns the path packages that the lock file may name. */
  pathSources(): PathSources {
    return collectPathSources({
      members: this.members,
      overriding: () => [...this.#patches(), ...this.replacements].map(({ dependency }) => dependency),
      pathPackage: (source) => this.#pathPackage(source),
    });
  }

  /** Returns the locks of an earlier resolution, without the packages whose keys are in `avoid`. */
  locksOf(previous: Previous, avoid: ReadonlySet<string>): Problem['locks'] {
    return lockPrevious(previous, {
      members: this.members,
      pathPackage: (source) => this.#pathPackage(source),
      avoid,
      sources: this.#options.workspace.manifests.sources,
    });
  }

  /**
   * Returns the versions of Rust that chosen versions should support; empty if there is no preference.
   * Cargo Book: Configuration, `resolver`.
   */
  async preferredRustVersions(): Promise<readonly PartialVersion[]> {
    if (!this.#honorsRustVersion()) return [];
    if (this.#memberRustVersions.length > 0) return this.#memberRustVersions;
    return [await this.#options.rustVersion.ask()];
  }

  /** The lowest `rust-version` of the members; null if none has one. */
  get lowestRustVersion(): PartialVersion | null {
    return this.#memberRustVersions.toSorted(comparePartialVersions)[0] ?? null;
  }

  /** The format version of a new lock file. */
  get defaultVersion(): LockfileVersion {
    return defaultLockfileVersion(this.lowestRustVersion);
  }

  #patches(): readonly PatchEntry[] {
    return (this.#knownPatches ??= this.#options.patches());
  }

  /** Returns the patches for the search, and the keys of packages that they unlock. Loads missing summaries. */
  async #selectPatches(
    previous: Previous | null,
    toUnlock: ReadonlySet<string>,
  ): Promise<{ readonly patches: Patches; readonly avoid: ReadonlySet<string> }> {
    const { catalog, offlineFlag, workspace } = this.#options;
    const { sources } = workspace.manifests;
    const isOffline = offlineFlag !== null;
    for (;;) {
      const outcome = selectPatches(this.#patches(), {
        table: catalog.table,
        sources,
        previous,
        toUnlock,
        isOffline,
      });
      if (outcome.kind === 'done') return outcome;
      await catalog.loader.load(outcome.missingSummaries);
    }
  }

  #pathPackage(source: SourceId): Summary | null {
    const { manifests } = this.#options.workspace;
    return loadPathPackage(source, { manifests, report: this.#report });
  }

  #honorsRustVersion(): boolean {
    const configured = this.#options.incompatibleRustVersions;
    return configured === null ? this.#options.workspace.resolver === '3' : configured === 'fallback';
  }
}

/** Returns the rules of `[replace]`. Cargo Book: Overriding Dependencies. */
function replacementRules({ replacements }: LockedWorkspace['rootManifest']): readonly ReplacementRule[] {
  return replacements.map(({ spec, dependency }) => {
    const parsed = parsePackageIdSpec(spec);
    return {
      spec: formatPackageIdSpec(parsed),
      matches: (id) => matchesPackageIdSpec(parsed, id),
      dependency,
    };
  });
}
