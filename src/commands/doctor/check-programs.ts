/** Checks of the programs on the machine. */
import type { Config } from '../../io/config/config.ts';
import { compilerSettings } from '../../io/config/compiler-settings.ts';
import { acquireFileLock, CAN_LOCK, NO_LOCKING } from '../../io/disk/file-lock.ts';
import { folderAccess } from '../../io/disk/folder-access.ts';
import { isStandalone } from '../../io/programs/program-file.ts';
import { findCargo } from '../../io/toolchain/find-cargo.ts';
import { programOutput } from '../../io/toolchain/program-output.ts';
import { askRustcVersion } from '../../io/toolchain/rustc.ts';
import { CARGO_RELEASE } from '../../core/version/cargo-release.ts';
import type { OperationContext } from '../../core/report/report.ts';
import { compareVersions } from '../../core/version/compare-versions.ts';
import { parseVersion } from '../../core/version/version.ts';
import { VERSION } from '../shared/version.ts';
import { type Check, check } from './check.ts';

/** The oldest release of Node that tsreg supports. package.json, `engines`. */
const OLDEST_NODE = '20.19.0';
const MAX_OUTPUT_BYTES = 65_536;

/** Checks the program itself and the release of Node. */
export function checkTsreg(nodeVersion = process.versions.node): Check {
  const program = `tsreg ${VERSION}, like cargo ${CARGO_RELEASE}`;
  if (isStandalone) return check('tsreg', { status: 'ok', text: `${program}, standalone executable` });
  const isSupported = compareVersions(parseVersion(nodeVersion), parseVersion(OLDEST_NODE)) >= 0;
  return check('tsreg', {
    status: isSupported ? 'ok' : 'error',
    text: `${program}, on Node ${nodeVersion}`,
    help: isSupported ? null : `install Node ${OLDEST_NODE} or later`,
  });
}

/** Checks for git, which only git dependencies and git indexes need. */
export async function checkGit({ env, cwd }: Config, signal: AbortSignal): Promise<Check> {
  const output = await programOutput('git', ['--version'], { env, cwd, signal, maxBytes: MAX_OUTPUT_BYTES });
  const version = /^git version (\S+)/.exec(output ?? '')?.[1];
  if (version !== undefined) return check('git', { status: 'ok', text: `git ${version}` });
  return check('git', {
    status: 'warning',
    text: 'git was not found: git dependencies and git indexes do not work',
    help: 'install git, and make sure that it is on the PATH',
  });
}

/** Checks whether tsreg can lock the folders that it shares with cargo. Takes a lock on a folder for a moment. */
export async function checkLocks(
  { env, cwd, home }: Config,
  { report, signal }: OperationContext,
): Promise<Check> {
  const ownFolder =
    'tsreg keeps packages in `tsreg/unshared` in CARGO_HOME, and does not share them with cargo';
  if (!CAN_LOCK) return check('locks', { status: 'info', text: `file locks do not work here: ${ownFolder}` });
  const { state } = folderAccess(home);
  const folder = state === 'writable' || state === 'read-only' ? home : cwd;
  const options = { mode: 'shared', isFolder: true, description: 'CARGO_HOME' } as const;
  const lock = await acquireFileLock(folder, options, { env, report, signal });
  if (lock === NO_LOCKING) {
    return check('locks', {
      status: 'warning',
      text: `file locks need the program \`flock\` or \`perl\`: ${ownFolder}`,
      help: 'install flock (util-linux) or perl',
    });
  }
  lock.release();
  return check('locks', { status: 'ok', text: 'file locks work' });
}

/** Looks for cargo and the compiler. Only building needs them. */
export async function checkToolchain(
  config: Config,
  toolchain: string | null,
  signal: AbortSignal,
): Promise<readonly Check[]> {
  const { rustc, wrapper } = compilerSettings(config);
  const { cwd, home } = config;
  // A check must not install a toolchain.
  const env = { ...config.env, RUSTUP_AUTO_INSTALL: '0' };
  const [cargo, compiler] = await Promise.all([
    findCargo({ env, cargoHome: home, rustc, toolchain, cwd }, signal),
    askRustcVersion({ program: rustc, wrapper, toolchain, cwd, env }, signal),
  ]);
  const missing = 'not found: only building needs it';
  return [
    check('cargo', {
      status: 'info',
      subject: cargo?.path ?? null,
      text: cargo === null ? `cargo ${missing}` : `cargo ${cargo.release} in ${cargo.path}`,
    }),
    check('rustc', {
      status: 'info',
      text: compiler === null ? `rustc ${missing}` : `rustc ${compiler.release} for ${compiler.host}`,
    }),
  ];
}
