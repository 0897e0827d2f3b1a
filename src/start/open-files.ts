/** Entry of what starts the program, so that what V8 makes of its text is kept. */
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CompiledFiles } from './compiled-files.ts';
import { type Environment, letNodeKeep } from './node-compile-cache.ts';

export { holdBackV8, leaveV8ToThread, takeV8Over, underOwnFlags } from './v8-flags.ts';

declare const BUILD_OF_SOURCES: string;
declare const BUNDLE_FOLDER: string;

/** The files that every run of `metadata` loads. */
const COMMON = ['main', 'metadata'];
/** And what others of them load, and those of other commands. Each of the rest is small, or its command takes its time. */
const NAMES = [...COMMON, 'read-manifests', 'load-metadata', 'read-ahead', 'commands'];

/**
 * The files of the program; null where nothing is to be kept of them here: by the user's will, or as it cannot be safe,
 * or because Node does it.
 */
export function openFiles(env: Environment): CompiledFiles | null {
  if (env.TSREG_CACHE === 'off' || env.NODE_DISABLE_COMPILE_CACHE) return null;
  if (process.getuid === undefined) {
    // Nobody can be asked here who else may write where it would be kept.
    letNodeKeep(env);
    return null;
  }
  try {
    return filesKeptIn(env);
  } catch {
    // The working folder is gone, or the file of Node that is running: whatever that means is for the program to say.
    return null;
  }
}

function filesKeptIn(env: Environment): CompiledFiles | null {
  // What Node keeps itself goes there as well.
  const named = env.NODE_COMPILE_CACHE ?? '';
  const base = named === '' ? cargoHome(env) : resolve(named);
  if (base === null) {
    letNodeKeep(env);
    return null;
  }
  return new CompiledFiles({
    folder: BUNDLE_FOLDER,
    keepIn: join(base, 'tsreg', 'compiled'),
    makesParents: named !== '',
    engine: engineOf(env),
    // The rest of what makes an engine hardly ever changes from run to run.
    build: `${BUILD_OF_SOURCES}-${process.version}-${process.arch}`,
    require,
    beforeOthers: () => letNodeKeep(env),
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
