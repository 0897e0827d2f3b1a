/** Entry of what starts the program on releases of Node that do not keep compiled programs themselves. */
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CompiledFiles } from './compiled-files.ts';

export { holdBackV8, leaveV8ToThread, takeV8Over, underOwnFlags } from './v8-flags.ts';

declare const BUILD_OF_SOURCES: string;
declare const BUNDLE_FOLDER: string;

/** The files that every run of `metadata` loads. */
const COMMON = ['main', 'metadata'];
/** And what others of them load. Each of the rest is small, or belongs to a command that takes its time. */
const NAMES = [...COMMON, 'read-manifests', 'load-metadata', 'read-ahead'];

type Environment = Readonly<Record<string, string | undefined>>;

/** From this release on Node keeps what V8 makes of programs by itself. */
const FIRST_KEEPING_RELEASE = 22;

/**
 * The files of the program; null where nothing is to be kept of them: because Node does it, by the user's will, or as it
 * cannot be safe.
 */
export function openFiles(env: Environment): CompiledFiles | null {
  if (Number.parseInt(process.versions.node, 10) >= FIRST_KEEPING_RELEASE) return null;
  if (env.TSREG_CACHE === 'off' || env.NODE_DISABLE_COMPILE_CACHE || process.getuid === undefined)
    return null;
  try {
    return filesKeptIn(env);
  } catch {
    // The working folder is gone, or the file of Node that is running: whatever that means is for the program to say.
    return null;
  }
}

function filesKeptIn(env: Environment): CompiledFiles | null {
  // What later releases of Node keep themselves goes there as well.
  const named = env.NODE_COMPILE_CACHE ?? '';
  const base = named === '' ? cargoHome(env) : resolve(named);
  if (base === null) return null;
  return new CompiledFiles({
    folder: BUNDLE_FOLDER,
    keepIn: join(base, 'tsreg', 'compiled'),
    makesParents: named !== '',
    engine: engineOf(env),
    build: `${BUILD_OF_SOURCES}-${process.version}-${process.arch}`,
    require,
    names: NAMES,
    common: COMMON,
  });
}

/** As the configuration has it; the user's home is not asked for where the environment does not name it. */
function cargoHome({ CARGO_HOME: configured = '', HOME: home = '' }: Environment): string | null {
  if (configured !== '') return resolve(configured);
  return home === '' ? null : resolve(home, '.cargo');
}

/**
 * Versions alone do not tell: V8 20.20.2 takes what 20.20.1 made, and is ended by it (nodejs/node#62781), and those who
 * distribute Node change it without changing its version.
 */
function engineOf(env: Environment): string {
  const { execPath, execArgv, version, versions, arch, platform } = process;
  const { size, mtimeMs } = statSync(execPath);
  return JSON.stringify([
    ...[version, versions.v8, arch, platform, execPath, size, mtimeMs],
    ...[execArgv, env['NODE_OPTIONS'] ?? ''],
  ]);
}
