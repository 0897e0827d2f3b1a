/**
 * The resolved graph of a workspace, with its lock file brought up to date: first everything that the members
 * could need (this is what `Cargo.lock` holds), then what the command line asks for.
 * Cargo Book: Dependency Resolution.
 */
import { join } from 'node:path';
import type { ResolverSettings } from '../config/resolver-settings.ts';
import { haveSameLines } from '../lockfile/compare-lockfiles.ts';
import { encodeLockfile } from '../lockfile/encode-lockfile.ts';
import { defaultLockfileVersion } from '../lockfile/lockfile-version.ts';
import type { Lockfile } from '../lockfile/lockfile.ts';
import { parseLockfile } from '../lockfile/parse-lockfile.ts';
import { planLockfileWrite } from '../lockfile/plan-write.ts';
import type { SourceId } from '../package-id/source-id.ts';
import {
  matchesPackageIdSpec,
  parsePackageIdSpec,
  formatPackageIdSpec,
} from '../package-id/package-id-spec.ts';
import type { StatusStyle } from '../report/report.ts';
import { matchesPackage } from '../resolve/candidates.ts';
import { allFeatures, selectFeatures } from '../resolve/cli-features.ts';
import type { ChangeNote } from '../resolve/change-note.ts';
import { type LockChange, lockChanges } from '../resolve/lock-changes.ts';
import { lockPrevious, NO_LOCKS } from '../resolve/lock-previous.ts';
import { unusedPatchWarnings } from '../resolve/patch-warnings.ts';
import { collectPathSources } from '../resolve/path-packages.ts';
import {
  lockReplacements,
  previousOfLockfile,
  previousOfResolution,
  toLockfile,
} from '../resolve/previous.ts';
import type { Patches, Previous, Problem, ReplacementRule, RequestedFeatures } from '../resolve/problem.ts';
import type { Resolution } from '../resolve/resolution.ts';
import { type PatchEntry, selectPatches } from '../resolve/select-patches.ts';
import { unusedOverrideFields } from '../resolve/unused-override-fields.ts';
import type { PackageCatalog } from '../sources/catalog.ts';
import type { Dependency, Summary } from '../summary/summary.ts';
import { comparePartialVersions, parseRustVersion, type PartialVersion } from '../version/partial-version.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { readLockFile, replaceLockFile } from '../disk/cargo-lock.ts';
import type { LockContext } from '../disk/file-lock.ts';
import { resolveProblem, type SolvedProblem } from './resolve-problem.ts';

/** What the lock file of a workspace depends on beside the workspace. */
export interface LockWorkspaceOptions {
  readonly workspace: Workspace;
  /** `resolver.incompatible-rust-versions`; null where it is not set. */
  readonly incompatibleRustVersions: ResolverSettings['incompatibleRustVersions'];
  readonly catalog: PackageCatalog;
  /** `[patch]` tables of manifest and configuration. */
  readonly patches: readonly PatchEntry[];
  /** `--locked` or `--frozen` as it was passed; null if the lock file may change. */
  readonly lockedFlag: string | null;
  /** `--offline` or `--frozen` as it was passed; null if the network may be used. */
  readonly offlineFlag: string | null;
  /** A lock file instead of the workspace's own; absolute. */
  readonly lockfilePath: string | null;
  /** The version of Rust where no manifest says one. Asked only where it matters. */
  readonly rustVersion: () => Promise<PartialVersion>;
}

/** What a resolution depends on beside the workspace. */
export interface ResolveWorkspaceOptions extends LockWorkspaceOptions {
  /** Packages of the `paths` configuration, read when the lock file is settled. */
  readonly overrides: () => ReadonlyMap<string, Summary>;
  /** Features that the command line asks for. */
  readonly requested: RequestedFeatures;
}

const CHANGE_STYLES: Readonly<Record<LockChange['verb'], StatusStyle>> = {
  Adding: 'note',
  Updating: 'good',
  Downgrading: 'warn',
};

const NOTE_STYLES: Readonly<Record<ChangeNote['kind'], StatusStyle | null>> = {
  'requires-rust': 'error',
  available: 'warn',
  'available-anyway': null,
};

/** What comes out. */
export interface ResolvedWorkspace {
  /** What the command line asks for. */
  readonly graph: Resolution;
  /** Everything that the members could need: what the lock file holds. */
  readonly lockPass: Resolution;
  readonly lockfile: Lockfile;
  /** True if the lock file left no choice. */
  readonly isForced: boolean;
  /** The text of the lock file on disk; null if it says the same in other words than would be written. */
  readonly lockText: string | null;
}

/** Resolves a workspace; writes `Cargo.lock` and reports the changes where there are any. */
export async function resolveWorkspace(
  options: ResolveWorkspaceOptions,
  context: LockContext,
): Promise<ResolvedWorkspace> {
  const resolver = new WorkspaceResolver(options, context);
  return resolver.run(options);
}

/** Brings the lock file of a workspace up to date, as `resolveWorkspace` does before it looks at what was asked for. */
export async function lockWorkspace(options: LockWorkspaceOptions, context: LockContext): Promise<void> {
  await new WorkspaceResolver(options, context).lock();
}

/** What the lock pass leaves for the graph pass. */
interface LockPass extends Omit<ResolvedWorkspace, 'graph'> {
  readonly patches: Patches;
}

type Asked = Pick<ResolveWorkspaceOptions, 'overrides' | 'requested'>;

class WorkspaceResolver {
  readonly #options: LockWorkspaceOptions;
  readonly #context: LockContext;
  readonly #members: readonly Summary[];
  readonly #replacements: readonly ReplacementRule[];
  readonly #memberRustVersions: readonly PartialVersion[];
  readonly #lockPath: string;

  constructor(options: LockWorkspaceOptions, context: LockContext) {
    const { workspace } = options;
    this.#options = options;
    this.#context = context;
    this.#members = workspace.members.map(({ summary }) => summary);
    this.#replacements = workspace.rootManifest.replacements.map(({ spec, dependency }) => {
      const parsed = parsePackageIdSpec(spec);
      return {
        spec: formatPackageIdSpec(parsed),
        matches: (id) => matchesPackageIdSpec(parsed, id),
        dependency,
      };
    });
    this.#memberRustVersions = this.#members.flatMap(({ rustVersion }) =>
      rustVersion === null ? [] : [parseRustVersion(rustVersion)],
    );
    this.#lockPath = options.lockfilePath ?? join(workspace.root, 'Cargo.lock');
  }

  async run(asked: Asked): Promise<ResolvedWorkspace> {
    const pass = await this.lock();
    const { resolution, isForced } = await this.#graphPass(pass, asked);
    return { ...pass, graph: resolution, isForced: pass.isForced && isForced };
  }

  async lock(): Promise<LockPass> {
    for (;;) {
      const pass = await this.#lockPass();
      // Someone else changed the lock file meanwhile: what was derived from the old one is void.
      if (pass !== null) return pass;
    }
  }

  async #lockPass(): Promise<LockPass | null> {
    const { catalog, workspace, offlineFlag, lockedFlag } = this.#options;
    const { report } = this.#context;
    const { sources } = workspace.manifests;
    const original = readLockFile(this.#lockPath);
    const lockContext = { path: this.#lockPath, sources, pathSources: this.#pathSources() };
    const before = original === null ? null : parseLockfile(original, lockContext);
    const previous = before === null ? null : previousOfLockfile(before);
    for (const { dependency } of this.#options.patches) {
      const warning = unusedOverrideFields(dependency, 'patch');
      if (warning !== null) report.warning(warning);
    }
    const { patches, avoid } = await this.#selectPatches(previous);
    const problem: Problem = {
      roots: allFeatures(this.#members),
      locks: previous === null ? NO_LOCKS : this.#lock(previous, avoid),
      patches,
      replacements:
        previous === null ? this.#replacements : lockReplacements(this.#replacements, previous, sources),
      overrides: new Map(),
      rustVersions: await this.#preferredRustVersions(),
      offline: offlineFlag !== null,
    };
    const { resolution, isForced } = await resolveProblem(problem, catalog, offlineFlag);
    for (const warning of unusedPatchWarnings(resolution, patches)) report.warning(warning);
    const lowest = this.#lowestRustVersion();
    const defaultVersion = defaultLockfileVersion(lowest);
    const lockfile = toLockfile(resolution, before, { version: defaultVersion });
    const text = planLockfileWrite(lockfile, { ...lockContext, original, defaultVersion, lockedFlag });
    if (text !== null) {
      const isWritten = await replaceLockFile(this.#lockPath, { from: original, to: text }, this.#context);
      if (!isWritten) return null;
      await this.#reportChanges(resolution, problem, previous);
    }
    const lockText = text ?? (isRewritten(lockfile, original) ? null : original);
    return {
      lockPass: resolution,
      lockfile,
      lockText,
      isForced,
      patches: { ...patches, locks: problem.locks },
    };
  }

  async #graphPass(
    { lockPass, lockfile, patches }: LockPass,
    { requested, overrides: readOverrides }: Asked,
  ): Promise<SolvedProblem> {
    const { catalog, workspace, offlineFlag } = this.#options;
    const { currentManifest, manifests } = workspace;
    const { report } = this.#context;
    const overrides = readOverrides();
    this.#warnAboutReplacements(lockPass);
    const previous = previousOfResolution(lockPass, lockfile);
    const current = currentManifest.kind === 'package' ? currentManifest.summary : null;
    const problem: Problem = {
      locks: this.#lock(previous, new Set()),
      roots: selectFeatures(requested, {
        members: this.#members,
        current,
        isForAllMembers: current === null || workspace.resolver !== '1',
      }),
      patches,
      replacements: lockReplacements(this.#replacements, previous, manifests.sources),
      overrides,
      rustVersions: await this.#preferredRustVersions(),
      offline: offlineFlag !== null,
    };
    const solved = await resolveProblem(problem, catalog, offlineFlag);
    for (const warning of solved.resolution.warnings) report.warning(warning);
    return solved;
  }

  #lock(previous: Previous, avoid: ReadonlySet<string>): Problem['locks'] {
    return lockPrevious(previous, {
      members: this.#members,
      pathPackage: (source) => this.#pathPackage(source),
      avoid,
      sources: this.#options.workspace.manifests.sources,
    });
  }

  async #selectPatches(
    previous: Previous | null,
  ): Promise<{ readonly patches: Patches; readonly avoid: ReadonlySet<string> }> {
    const { catalog, patches, workspace } = this.#options;
    const { sources } = workspace.manifests;
    for (;;) {
      const outcome = selectPatches(patches, { table: catalog.table, sources, previous });
      if (outcome.kind === 'done') return outcome;
      await catalog.load(outcome.wants);
    }
  }

  #pathSources(): ReturnType<typeof collectPathSources> {
    const overriding: Dependency[] = [
      ...this.#options.patches.map(({ dependency }) => dependency),
      ...this.#replacements.map(({ dependency }) => dependency),
    ];
    return collectPathSources({
      members: this.#members,
      overriding,
      pathPackage: (source) => this.#pathPackage(source),
    });
  }

  #pathPackage(source: SourceId): Summary | null {
    try {
      return this.#options.workspace.manifests.loadPathSource(source).summary;
    } catch {
      return null; // Whoever needs it will load it again, and fail.
    }
  }

  /** Empty unless versions that support a certain Rust are preferred. Cargo Book: Configuration, `resolver`. */
  async #preferredRustVersions(): Promise<readonly PartialVersion[]> {
    if (!this.#honorsRustVersion()) return [];
    if (this.#memberRustVersions.length > 0) return this.#memberRustVersions;
    return [await this.#options.rustVersion()];
  }

  #honorsRustVersion(): boolean {
    const configured = this.#options.incompatibleRustVersions;
    return configured === null ? this.#options.workspace.resolver === '3' : configured === 'fallback';
  }

  #lowestRustVersion(): PartialVersion | null {
    return this.#memberRustVersions.toSorted(comparePartialVersions)[0] ?? null;
  }

  async #reportChanges(resolution: Resolution, problem: Problem, previous: Previous | null): Promise<void> {
    const { catalog } = this.#options;
    const { report } = this.#context;
    const options = {
      previous,
      problem,
      table: catalog.table,
      lowestRustVersion: this.#lowestRustVersion(),
      rustc: await this.#options.rustVersion(),
    };
    for (;;) {
      const changes = lockChanges(resolution, options);
      if (changes.kind === 'needs') {
        await catalog.load(changes.wants);
        continue;
      }
      if (changes.count > 0) report.status('Locking', changes.summary);
      for (const line of changes.lines) {
        const style = CHANGE_STYLES[line.verb];
        const remark =
          line.note === null ? {} : { remark: { ...line.note, style: NOTE_STYLES[line.note.kind] } };
        report.status(line.verb, line.text, { style, ...remark });
      }
      return;
    }
  }

  #warnAboutReplacements(resolution: Resolution): void {
    const { report } = this.#context;
    for (const rule of this.#replacements) {
      const { spec, dependency } = rule;
      const isUsed = resolution.packages.some(
        ({ id }) => rule.matches(id) && !matchesPackage(dependency, id),
      );
      if (!isUsed) report.warning(`package replacement is not used: ${spec}`);
      const warning = unusedOverrideFields(dependency, 'replace');
      if (warning !== null) report.warning(warning);
    }
  }
}

/** True if a run that may write would write the file in other words. */
function isRewritten(lockfile: Lockfile, original: string | null): boolean {
  return original === null || !haveSameLines(original, encodeLockfile(lockfile, original));
}
