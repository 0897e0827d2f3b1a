/**
 * Resolves a workspace and brings its lock file up to date. The lock pass resolves everything that the members could
 * need, which is the content of `Cargo.lock`. The graph pass resolves what the command line requests.
 * Cargo Book: Dependency Resolution.
 */
import type { LockContext } from '../../../io/disk/file-lock.ts';
import { haveSameLines } from '../../../core/lockfile/compare-lockfiles.ts';
import { encodeLockfile } from '../../../core/lockfile/encode-lockfile.ts';
import type { Lockfile } from '../../../core/lockfile/lockfile.ts';
import { matchesPackage } from '../../../core/resolve/matches-package.ts';
import { selectFeatures } from '../../../core/resolve/cli-features.ts';
import { isFullyPinned } from '../../../core/resolve/is-fully-pinned.ts';
import { lockReplacements, previousOfResolution } from '../../../core/resolve/previous.ts';
import type { Patches, Problem, RequestedFeatures } from '../../../core/resolve/problem.ts';
import type { Resolution } from '../../../core/resolve/resolution.ts';
import { unusedOverrideFields } from '../../../core/resolve/unused-override-fields.ts';
import type { Summary } from '../../../core/summary/summary.ts';
import type { Workspace } from '../../../io/workspace/workspace.ts';
import { LockFile } from './lock-file.ts';
import { LockPass, type LockPassOptions, type SolvedLockPass } from './lock-pass.ts';
import { reportLockChanges } from './report-lock-changes.ts';
import { resolveProblem, type SolvedProblem } from './resolve-problem.ts';

/** A workspace, and everything else that its lock file depends on. */
export interface LockWorkspaceOptions extends LockPassOptions {
  readonly workspace: Workspace;
  /** `--locked` or `--frozen` as it was passed; null if the lock file may change. */
  readonly lockedFlag: string | null;
  /** Absolute path of a lock file to use instead of the workspace's; null for none. */
  readonly lockfilePath: string | null;
}

/** The part of the locked packages that the command line requests. */
export interface GraphRequest {
  /** Reads the packages of the `paths` configuration. Called once the lock file is up to date. */
  readonly overrides: () => ReadonlyMap<string, Summary>;
  /** Features that the command line requests. */
  readonly requested: RequestedFeatures;
  /** Returns true for members that the command line names; by default for all. */
  readonly isSelected?: (member: Summary) => boolean;
  /** Names with which the user selected packages. */
  readonly selectedNames?: readonly string[];
}

/** The result of `lockWorkspace`: the lock file is up to date. */
export interface LockResult {
  /** Everything that the members could need, which is the content of the lock file. */
  readonly lockResolution: Resolution;
  readonly lockfile: Lockfile;
  /** As in `SolvedProblem`. */
  readonly isForced: boolean;
  /** The text of the lock file on disk; null if tsreg would write the same content as a different text. */
  readonly lockText: string | null;
}

/** The result of `resolveWorkspace`. `isForced` is about both passes. */
export interface ResolvedWorkspace extends LockResult {
  /** The graph that the command line requests. */
  readonly graph: Resolution;
}

/** Resolves the requested graph of a workspace. If the lock file changes, writes it and reports the changes. */
export async function resolveWorkspace(
  request: GraphRequest,
  options: LockWorkspaceOptions,
  context: LockContext,
): Promise<ResolvedWorkspace> {
  const resolver = new WorkspaceResolver(options, context);
  return resolver.resolveGraph(request, await resolver.lock());
}

/** Brings the lock file of a workspace up to date, like `resolveWorkspace`, but without the graph pass. */
export async function lockWorkspace(
  options: LockWorkspaceOptions,
  context: LockContext,
): Promise<LockResult> {
  return new WorkspaceResolver(options, context).lock();
}

/** The results of the lock pass that the graph pass needs. */
interface LockWithPatches extends LockResult {
  readonly patches: Patches;
}

/** The two passes over one workspace, and the objects that they share. */
class WorkspaceResolver {
  readonly #options: LockWorkspaceOptions;
  readonly #context: LockContext;
  readonly #pass: LockPass;
  readonly #lockFile: LockFile;

  constructor(options: LockWorkspaceOptions, context: LockContext) {
    this.#options = options;
    this.#context = context;
    // Without dependencies no version is chosen or reported, so there is no need to start the compiler.
    const isIdle = options.workspace.members.every(({ summary }) => summary.dependencies.length === 0);
    const passOptions: LockPassOptions = isIdle ? { ...options, incompatibleRustVersions: 'allow' } : options;
    this.#pass = new LockPass(passOptions, context.report);
    this.#lockFile = new LockFile({ ...options, pass: this.#pass });
  }

  /** Runs the graph pass. `lock` is the result of `lock()`. */
  async resolveGraph(request: GraphRequest, lock: LockWithPatches): Promise<ResolvedWorkspace> {
    const { resolution, isForced } = await this.#graphPass(lock, request);
    return { ...lock, graph: resolution, isForced: lock.isForced && isForced };
  }

  /** Brings the lock file up to date. Starts again if another process changes it meanwhile. */
  async lock(): Promise<LockWithPatches> {
    try {
      for (;;) {
        const lock = await this.#tryLock();
        // Another process changed the lock file: the results from the old one are invalid.
        if (lock !== null) return lock;
      }
    } finally {
      this.#options.rustVersion.stop();
    }
  }

  /** Runs the lock pass and writes the lock file. Returns null if another process changed the file meanwhile. */
  async #tryLock(): Promise<LockWithPatches | null> {
    const { text: original, lockfile: before } = this.#lockFile.read();
    const solved = await this.#pass.solve(before);
    const { lockfile } = solved;
    const text = this.#lockFile.plan(lockfile, original);
    if (text !== null) {
      const isWritten = await this.#lockFile.replace(original, text, this.#context);
      if (!isWritten) return null;
      await this.#reportChanges(solved);
    }
    // Without a flag, `plan` has compared the lines. With one, the text may differ if the meaning does not.
    const isSame = this.#options.lockedFlag === null || !isRewritten(lockfile, original);
    return withPatches(solved, text ?? (isSame ? original : null));
  }

  /** Resolves the requested graph with the locked versions. Warns about rules of `[replace]` without an effect. */
  async #graphPass(
    { lockResolution, lockfile, patches }: LockWithPatches,
    { requested, isSelected = () => true, selectedNames = [], overrides: readOverrides }: GraphRequest,
  ): Promise<Pick<SolvedProblem, 'resolution' | 'isForced'>> {
    const { catalog, workspace, offlineFlag, publishAge } = this.#options;
    const { currentManifest, manifests } = workspace;
    const { members, replacements } = this.#pass;
    const { report } = this.#context;
    const overrides = readOverrides();
    this.#warnAboutReplacements(lockResolution);
    const current = currentManifest.kind === 'package' ? currentManifest.summary : null;
    const roots = selectFeatures(requested, {
      members: members.filter(isSelected),
      others: members.filter((member) => !isSelected(member)),
      names: selectedNames,
      current,
      isForAllMembers: current === null || workspace.resolver !== '1',
    });
    if (isFullyPinned({ roots, patches, replacements, overrides }, members, lockResolution))
      return { resolution: lockResolution, isForced: true };
    const previous = previousOfResolution(lockResolution, lockfile);
    const problem = {
      locks: this.#pass.locksOf(previous, new Set()),
      roots,
      patches,
      replacements: lockReplacements(replacements, previous, {
        sources: manifests.sources,
        avoid: new Set(),
      }),
      overrides,
      publishAge: publishAge.forSearch(),
      offline: offlineFlag !== null,
    };
    const rustVersions = (): Promise<Problem['rustVersions']> => this.#pass.preferredRustVersions();
    return resolveProblem(problem, catalog, { offlineFlag, report, rustVersions });
  }

  async #reportChanges(solved: SolvedLockPass): Promise<void> {
    const { catalog, rustVersion, publishAge } = this.#options;
    const { report } = this.#context;
    const { lowestRustVersion } = this.#pass;
    await reportLockChanges(await this.#pass.withRustVersions(solved), {
      catalog,
      lowestRustVersion,
      rustVersion,
      publishAge,
      report,
    });
  }

  /** Warns about rules of `[replace]` without an effect, and about fields that cargo ignores in them. */
  #warnAboutReplacements(resolution: Resolution): void {
    const { report } = this.#context;
    for (const rule of this.#pass.replacements) {
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

function withPatches(
  { resolution, lockfile, problem, isForced }: SolvedLockPass,
  lockText: string | null,
): LockWithPatches {
  const patches = { ...problem.patches, locks: problem.locks };
  return { lockResolution: resolution, lockfile, lockText, isForced, patches };
}

/** Returns true if a run that may write the file would change its text. */
function isRewritten(lockfile: Lockfile, original: string | null): boolean {
  return original === null || !haveSameLines(original, encodeLockfile(lockfile, original));
}
