/**
 * The resolved graph of a workspace, with its lock file brought up to date: first everything that the members
 * could need (this is what `Cargo.lock` holds), then what the command line asks for.
 * Cargo Book: Dependency Resolution.
 */
import type { LockContext } from '../../disk/file-lock.ts';
import { haveSameLines } from '../../lockfile/compare-lockfiles.ts';
import { encodeLockfile } from '../../lockfile/encode-lockfile.ts';
import type { Lockfile } from '../../lockfile/lockfile.ts';
import { matchesPackage } from '../../resolve/matches-package.ts';
import { selectFeatures } from '../../resolve/cli-features.ts';
import { isSettled } from '../../resolve/is-settled.ts';
import { lockReplacements, previousOfResolution } from '../../resolve/previous.ts';
import type { Patches, Problem, RequestedFeatures } from '../../resolve/problem.ts';
import type { Resolution } from '../../resolve/resolution.ts';
import { unusedOverrideFields } from '../../resolve/unused-override-fields.ts';
import type { Summary } from '../../summary/summary.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { LockFile } from './lock-file.ts';
import { LockPass, type LockPassOptions, type SolvedLockPass } from './lock-pass.ts';
import { reportLockChanges } from './report-lock-changes.ts';
import { resolveProblem, type SolvedProblem } from './resolve-problem.ts';

/** What the lock file of a workspace depends on beside the workspace. */
export interface LockWorkspaceOptions extends LockPassOptions {
  readonly workspace: Workspace;
  /** `--locked` or `--frozen` as it was passed; null if the lock file may change. */
  readonly lockedFlag: string | null;
  /** A lock file instead of the workspace's own; absolute. */
  readonly lockfilePath: string | null;
}

/** What a resolution depends on beside the workspace. */
export interface ResolveWorkspaceOptions extends LockWorkspaceOptions {
  /** Packages of the `paths` configuration, read when the lock file is settled. */
  readonly overrides: () => ReadonlyMap<string, Summary>;
  /** Features that the command line asks for. */
  readonly requested: RequestedFeatures;
  /** Members that it names; all of them unless given. */
  readonly isSelected?: (member: Summary) => boolean;
  /** Names that the user selected packages by. */
  readonly selectedNames?: readonly string[];
}

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
  return resolver.run(options, await resolver.lock());
}

/** Brings the lock file of a workspace up to date, as `resolveWorkspace` does before it looks at what was asked for. */
export async function lockWorkspace(
  options: LockWorkspaceOptions,
  context: LockContext,
): Promise<Omit<ResolvedWorkspace, 'graph'>> {
  return new WorkspaceResolver(options, context).lock();
}

/** What the lock pass leaves for the graph pass. */
interface SettledLock extends Omit<ResolvedWorkspace, 'graph'> {
  readonly patches: Patches;
}

type Asked = Pick<ResolveWorkspaceOptions, 'overrides' | 'requested' | 'isSelected' | 'selectedNames'>;

class WorkspaceResolver {
  readonly #options: LockWorkspaceOptions;
  readonly #context: LockContext;
  readonly #pass: LockPass;
  readonly #lockFile: LockFile;

  constructor(options: LockWorkspaceOptions, context: LockContext) {
    this.#options = options;
    this.#context = context;
    // Where no version is chosen, and so nothing is said of any, the compiler need not be asked.
    const isIdle = options.workspace.members.every(({ summary }) => summary.dependencies.length === 0);
    const passOptions: LockPassOptions = isIdle ? { ...options, incompatibleRustVersions: 'allow' } : options;
    this.#pass = new LockPass(passOptions, context.report);
    this.#lockFile = new LockFile({ ...options, pass: this.#pass });
  }

  async run(asked: Asked, pass: SettledLock): Promise<ResolvedWorkspace> {
    const { resolution, isForced } = await this.#graphPass(pass, asked);
    return { ...pass, graph: resolution, isForced: pass.isForced && isForced };
  }

  async lock(): Promise<SettledLock> {
    try {
      for (;;) {
        const pass = await this.#lockPass();
        // Someone else changed the lock file meanwhile: what was derived from the old one is void.
        if (pass !== null) return pass;
      }
    } finally {
      this.#options.rustVersion.stop();
    }
  }

  async #lockPass(): Promise<SettledLock | null> {
    const { text: original, lockfile: before } = this.#lockFile.read();
    const solved = await this.#pass.solve(before);
    const { lockfile } = solved;
    const text = this.#lockFile.plan(lockfile, original);
    if (text !== null) {
      const isWritten = await this.#lockFile.replace(original, text, this.#context);
      if (!isWritten) return null;
      await this.#reportChanges(solved);
    }
    // Where it may be written, it was compared line by line; a flag forbids only what changes its meaning.
    const isSame = this.#options.lockedFlag === null || !isRewritten(lockfile, original);
    return settle(solved, text ?? (isSame ? original : null));
  }

  async #graphPass(
    { lockPass, lockfile, patches }: SettledLock,
    { requested, isSelected = () => true, selectedNames = [], overrides: readOverrides }: Asked,
  ): Promise<Pick<SolvedProblem, 'resolution' | 'isForced'>> {
    const { catalog, workspace, offlineFlag, publishAge } = this.#options;
    const { currentManifest, manifests } = workspace;
    const { members, replacements } = this.#pass;
    const { report } = this.#context;
    const overrides = readOverrides();
    this.#warnAboutReplacements(lockPass);
    const current = currentManifest.kind === 'package' ? currentManifest.summary : null;
    const roots = selectFeatures(requested, {
      members: members.filter(isSelected),
      others: members.filter((member) => !isSelected(member)),
      names: selectedNames,
      current,
      isForAllMembers: current === null || workspace.resolver !== '1',
    });
    if (isSettled({ roots, patches, replacements, overrides }, members, lockPass))
      return { resolution: lockPass, isForced: true };
    const previous = previousOfResolution(lockPass, lockfile);
    const problem = {
      locks: this.#pass.lock(previous, new Set()),
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

function settle(
  { resolution, lockfile, problem, isForced }: SolvedLockPass,
  lockText: string | null,
): SettledLock {
  const patches = { ...problem.patches, locks: problem.locks };
  return { lockPass: resolution, lockfile, lockText, isForced, patches };
}

/** True if a run that may write would write the file in other words. */
function isRewritten(lockfile: Lockfile, original: string | null): boolean {
  return original === null || !haveSameLines(original, encodeLockfile(lockfile, original));
}
