/** `update`: updates packages in the lock file. Cargo Book: cargo update. */
import { resolve } from 'node:path';
import type { Config } from '../../io/config/config.ts';
import { asUsageError, TsregError, withContext } from '../../core/errors/error.ts';
import { closestNameHint } from '../../core/errors/similar-names.ts';
import { naming } from '../../core/errors/wording.ts';
import type { PackageId } from '../../core/package-id/package-id.ts';
import {
  matchesPackageIdSpec,
  type PackageIdSpec,
  parseGivenSpec,
} from '../../core/package-id/package-id-spec.ts';
import { queryPackageIdSpec } from '../../core/package-id/query-package-id-spec.ts';
import { isRegistry, type SourceId } from '../../core/package-id/source-id.ts';
import type { OperationContext, Report } from '../../core/report/report.ts';
import { packagesToUnlock } from '../../core/resolve/packages-to-unlock.ts';
import { previousOfLockfile } from '../../core/resolve/previous.ts';
import type { PreciseVersion, Previous } from '../../core/resolve/problem.ts';
import type { PackageCatalog } from '../../io/sources/catalog.ts';
import { parseVersion, type Version } from '../../core/version/version.ts';
import type { Workspace } from '../../io/workspace/workspace.ts';
import { describeUpdate } from '../shared/lock/describe-update.ts';
import { writeNewLockFile } from '../shared/lock/write-new-lock-file.ts';
import { LockFile } from '../shared/lock/lock-file.ts';
import { LockPass } from '../shared/lock/lock-pass.ts';
import { type LockOptions, type LockRun, startLockRun } from '../shared/lock/lock-run.ts';
import { missingSpec } from '../shared/workspace/missing-values.ts';
import { reportUpdate } from '../shared/lock/report-lock-changes.ts';
import type { UpdateResult } from '../shared/lock/update-document.ts';

/** The command-line options of `update`. */
export interface UpdateOptions extends Omit<LockOptions, 'flagProblem'> {
  /** Package id specifications to update; empty for all packages. null is an error: `-p` without a value. */
  readonly specs: readonly string[] | null;
  /** The version or commit that the packages get; null for the newest. */
  readonly precise: string | null;
  /** True to also update all dependencies of the packages. */
  readonly recursive: boolean;
  /** Without specifications, true to change only what edits of the workspace require. */
  readonly workspace: boolean;
  /** True to write nothing if there is a lock file. */
  readonly dryRun: boolean;
}

/** Updates packages, reports the changes and writes `Cargo.lock`. */
export async function update(options: UpdateOptions, context: OperationContext): Promise<UpdateResult> {
  const run = startLockRun(options, context);
  const specs = checkSpecs(options, run.workspace);
  return updateLockFile({ ...options, specs }, run);
}

/** Options that are valid for the workspace. */
interface CheckedOptions extends UpdateOptions {
  readonly specs: readonly string[];
}

function checkSpecs({ specs }: UpdateOptions, { members }: Workspace): readonly string[] {
  if (specs === null) throw missingSpec(members.map(({ summary }) => summary.id.name));
  const toolchain = specs.find((spec) => spec.startsWith('+'));
  if (toolchain === undefined) return specs;
  throw new TsregError(
    naming(
      (program) =>
        `invalid character \`+\` in package name: \`${toolchain}\`\n` +
        `    Use \`${program} ${toolchain} update\` if you meant to use the \`${toolchain.slice(1)}\` toolchain.`,
    ),
    { code: 'config' },
  );
}

async function updateLockFile(options: CheckedOptions, run: LockRun): Promise<UpdateResult> {
  if (run.workspace.members.length === 0) {
    throw new TsregError("you can't generate a lockfile for an empty workspace.", { code: 'workspace' });
  }
  for (;;) {
    const opened = run.open();
    try {
      const result = await updateOnce(options, run, opened);
      if (result !== null) return result;
    } finally {
      opened.rustVersion.stop();
    }
  }
}

/** Returns null if another process changed the lock file: the update must start again. */
async function updateOnce(
  options: CheckedOptions,
  run: LockRun,
  opened: ReturnType<LockRun['open']>,
): Promise<UpdateResult | null> {
  const { precise, dryRun, verbosity } = options;
  const { workspace, context } = run;
  const { report } = context;
  const pass = new LockPass(opened, report);
  const lockFile = new LockFile({ ...opened, pass });
  const { text: original, lockfile } = lockFile.read();
  if (lockfile === null && precise === null) return writeNewLockFile(run);
  // `--precise` applies to packages of a lock file. If there is none, they are those of a new one.
  const before = lockfile ?? (await pass.solve(null)).lockfile;
  const catalog = lockfile === null ? opened.catalog.again(null) : opened.catalog;
  const again = lockfile === null ? new LockPass({ ...opened, catalog }, report) : pass;
  const choices = choose(previousOfLockfile(before), { options, workspace, catalog, report });
  for (const source of choices.sources) catalog.refresh(source);
  if (lockfile === null) {
    // These packages are not from a lock file, so query the registries again.
    for (const { id } of before.packages) if (isRegistry(id.source)) catalog.invalidate(id.source);
  }
  const solved = await again.withRustVersions(await again.solve(before, choices));
  await reportUpdate(solved, {
    catalog,
    report,
    lowestRustVersion: pass.lowestRustVersion,
    rustVersion: opened.rustVersion,
    publishAge: opened.publishAge,
    isPrecise: precise !== null,
    isVerbose: verbosity === 'verbose',
  });
  if (dryRun) report.warning('not updating lockfile due to dry run');
  const text = dryRun ? null : lockFile.plan(solved.lockfile, original);
  if (text !== null && !(await lockFile.replace(original, text, context))) return null;
  const settled = { solved, catalog, lockfile: lockFile.path, written: text !== null };
  const { toUnlock } = choices;
  return {
    describe: () =>
      describeUpdate({
        ...settled,
        before: lockfile === null ? null : previousOfLockfile(lockfile),
        toUnlock,
      }),
  };
}

/** The packages to choose again, and the sources to refresh first. */
interface Choices {
  readonly toUnlock: ReadonlySet<string>;
  readonly precise: readonly PreciseVersion[];
  readonly sources: readonly SourceId[];
}

function choose(
  previous: Previous,
  {
    options: { specs, precise, recursive, workspace: isWorkspaceOnly, config },
    workspace: { members, manifests },
    catalog,
    report,
  }: {
    readonly options: CheckedOptions;
    readonly workspace: Workspace;
    readonly catalog: PackageCatalog;
    readonly report: Report;
  },
): Choices {
  const named: PackageId[] = [];
  const asked: PreciseVersion[] = [];
  const sources: SourceId[] = [];
  for (const text of specs) {
    const spec = parseSpec(text, previous.packages, config);
    const id = queryPackageIdSpec(spec, previous.packages);
    const unused = previous.unusedPatches.filter((patch) => matchesPackageIdSpec(spec, patch));
    named.push(id, ...(unused.length === 1 ? unused : []));
    if (recursive) continue;
    const isFirst = !sources.some((source) => source.unpinnedKey === id.source.unpinnedKey);
    if (precise !== null && isRegistry(id.source)) {
      const { source, name, version } = id;
      const to = parsePrecise(precise);
      // Each source takes only the first precise version, and a directory source has no other versions.
      const hasChoice = catalog.sourceOf(source).actual.kind !== 'directory';
      if (isFirst && hasChoice)
        asked.push({ source, name, from: version, to, onYanked: warnOnce(name, to, report) });
    }
    sources.push(manifests.sources.withPrecise(id.source, precise));
  }
  const isAboutAll = specs.length === 0 && !isWorkspaceOnly;
  const toUnlock = packagesToUnlock(previous, {
    named: isAboutAll ? null : named,
    isRecursive: recursive,
    members: members.map(({ summary }) => summary),
  });
  return { toUnlock, precise: asked, sources };
}

function parseSpec(text: string, ids: readonly PackageId[], config: Config): PackageIdSpec {
  const existingPath = (path: string): string | null => {
    const absolute = resolve(config.cwd, path);
    return config.files.exists(absolute) ? absolute : null;
  };
  return withContext(
    () => {
      const hint = closestNameHint(
        text,
        ids.map(({ name }) => name),
        'package',
      );
      return `invalid package ID specification: \`${text}\`${hint}`;
    },
    () => parseGivenSpec(text, { existingPath }),
  );
}

function parsePrecise(text: string): Version {
  const parse = (): Version => parseVersion(text);
  const words = (): string =>
    text.startsWith('v')
      ? `the version provided, \`${text}\` is not a valid SemVer version\n\nhelp: try changing the version to \`${text.slice(1)}\``
      : `invalid version format for precise version \`${text}\``;
  return asUsageError(() => withContext(words, parse));
}

/** Returns a function that warns about a yanked version on its first call. */
function warnOnce(name: string, version: Version, report: Report): () => void {
  let hasWarned = false;
  return () => {
    if (hasWarned) return;
    hasWarned = true;
    report.warning({
      title: `selected package \`${name}@${version.text}\` was yanked by the author`,
      isBold: false,
      remarks: [{ label: 'help', text: 'if possible, try a compatible non-yanked version' }],
    });
  };
}
