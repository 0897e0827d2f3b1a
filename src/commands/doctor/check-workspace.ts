/** The checks of the workspace and its lock file. */
import type { LockContext } from '../../io/disk/file-lock.ts';
import { failureText } from '../../io/disk/failure-text.ts';
import { readLockFile } from '../../io/disk/read-lock-file.ts';
import { TsregError, withContext } from '../../core/errors/error.ts';
import type { Warning } from '../../core/errors/warning.ts';
import { decodeRawLockfile } from '../../core/lockfile/raw-lockfile.ts';
import { type OperationContext, reportTo } from '../../core/report/report.ts';
import { lockFilePath } from '../shared/lock/lock-file.ts';
import { type LockOptions, type LockRun, startLockRun } from '../shared/lock/lock-run.ts';
import { type LockWorkspaceOptions, lockWorkspace } from '../shared/lock/resolve-workspace.ts';
import { type Check, check, count, failureHelp } from './check.ts';

const SILENT = reportTo({});

/** Checks the manifests of the workspace, and whether its lock file is up to date. Changes nothing, uses no network. */
export async function checkWorkspace(
  options: LockOptions,
  { signal }: Pick<OperationContext, 'signal'>,
): Promise<readonly Check[]> {
  const context = { report: SILENT, signal };
  try {
    const run = startLockRun({ ...options, frozen: true, offline: true, ignoreRustVersion: false }, context);
    const { root, members, warnings } = run.workspace;
    const workspace = check('workspace', {
      status: warnings.length === 0 ? 'ok' : 'warning',
      subject: root,
      text: [`${root}: ${count(members.length, 'member')}`, ...warnings.map(titleOf)].join('\n'),
    });
    return [workspace, await checkLockFile(run, options)];
  } catch (error) {
    signal.throwIfAborted();
    const isMissing =
      error instanceof TsregError && error.code === 'not-found' && options.manifestPath === null;
    if (isMissing && error.cause === undefined) {
      return [check('workspace', { status: 'info', text: 'no package or workspace in this folder' })];
    }
    const help = failureHelp(error) ?? 'correct the manifest';
    return [check('workspace', { status: 'error', text: failureText(error), help })];
  }
}

async function checkLockFile(run: LockRun, { locked, frozen }: LockOptions): Promise<Check> {
  const { workspace, context } = run;
  const lockOptions = run.open();
  const path = lockFilePath(lockOptions);
  // The status of a lock file that would change, which `--locked` forbids.
  const outdatedStatus = locked || frozen ? 'error' : 'warning';
  const statuses = { outdated: outdatedStatus, current: 'ok', unknown: 'info' } as const;
  try {
    const text = readLockFile(path);
    if (text === null) {
      const isNeeded = workspace.members.some(({ summary }) => summary.dependencies.length > 0);
      return check('lockfile', {
        status: isNeeded ? outdatedStatus : 'info',
        subject: path,
        text: 'no Cargo.lock',
        help: isNeeded ? 'run `tsreg generate-lockfile`' : null,
      });
    }
    const packages = withContext(`failed to parse lock file at: ${path}`, () =>
      count(decodeRawLockfile(text).packages.length, 'package'),
    );
    const { state, text: remark } = await lockState(lockOptions, context);
    return check('lockfile', {
      status: statuses[state],
      subject: path,
      text: `Cargo.lock: ${packages}, ${remark}`,
      help: state === 'outdated' ? 'run `tsreg update --workspace`' : null,
    });
  } catch (error) {
    context.signal.throwIfAborted();
    const help = failureHelp(error) ?? 'correct the file, or delete it and run `tsreg generate-lockfile`';
    return check('lockfile', { status: 'error', subject: path, text: failureText(error), help });
  }
}

/** Whether the lock file fits the manifests; `unknown` if that needs the network. */
interface LockState {
  readonly state: 'current' | 'outdated' | 'unknown';
  readonly text: string;
}

/** Compares the lock file with the manifests. Rejects if it is invalid. */
async function lockState(options: LockWorkspaceOptions, context: LockContext): Promise<LockState> {
  try {
    await lockWorkspace(options, context);
    return { state: 'current', text: 'up to date' };
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof TsregError) || error.code === 'bug') throw error;
    if (error.code !== 'lockfile') {
      return { state: 'unknown', text: 'not compared: this needs index files that are not on disk' };
    }
    // Other errors are about the content of the file.
    if (error.cause !== undefined) throw error;
    return { state: 'outdated', text: error.hint ?? 'the lock file does not match the manifests' };
  }
}

function titleOf(warning: Warning): string {
  return typeof warning === 'string' ? warning : warning.title;
}
