/** The inputs of a result besides files: the request, and the environment that the program can see. */
import { dirname, isAbsolute, join } from 'node:path';
import { hashText } from './hash-text.ts';

/** Identifies the sources of this build. The build defines it; it is undefined when run from sources. */
declare const BUILD_OF_SOURCES: string | undefined;

/** The inputs of a result except files. A result is the output of a run, or the graph that `metadata` resolves. */
export interface RunInputs {
  /** The command line, the name of a library function and its options, or the options that determine a graph. */
  readonly request: unknown;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A cache key, and the path of its entry. */
export interface ResultKey {
  /** Equal for two runs only if they have the same effect on the same files. */
  readonly text: string;
  /** Absolute path of the entry, in a subfolder of the cache folder. */
  readonly path: string;
}

/** Returns the absolute path of the cache folder that contains the entry of a key. */
export function cacheFolderOf({ path }: ResultKey): string {
  return dirname(dirname(path));
}

/** Prefixes of environment variables that the program reads. On Windows, names of variables ignore case. */
const PREFIXES = /^(?:_*CARGO|RUST|TSREG|GIT|SSL_|NODE_|LC_|XDG_|CLICOLOR|FORCE_|CONEMU|DBUS_|ACTIONS_)/i;
/** Names of all others that it reads. A test compares them with the sources. */
const NAMES = new Set(
  [
    'ALL_PROXY BUILDKITE CI COLORTERM COLUMNS DOMTERM HOME HTTPS_PROXY HTTP_PROXY HTTP_TIMEOUT',
    'KONSOLE_VERSION LANG MAKEFLAGS MFLAGS NO_COLOR NO_PROXY PATH PTYXIS_VERSION SHELL SOURCE_DATE_EPOCH SYSTEMROOT',
    'TEAMCITY_VERSION TERM TERM_FEATURES TERM_PROGRAM TF_BUILD USERPROFILE VTE_VERSION WT_SESSION',
  ].flatMap((names) => names.split(' ')),
);

/** Names of variables that contain secrets, and addresses with a password. */
const SECRET_NAMES = /TOKEN|SECRET|PASSW|GIT_CONFIG|_(?:KEY|PAT)$/i;
const SECRET_ADDRESS = /:\/\/[^/]*@/;

/** Returns true if the program may depend on the environment variable `name`. */
export function isReadVariable(name: string): boolean {
  return PREFIXES.test(name) || NAMES.has(name.toUpperCase());
}

/**
 * Returns the cache key of a run, or of its graph. `folder` is the subfolder of the cache folder for the entry. Returns
 * null if results are not cached: with `TSREG_CACHE=off` or a wrong value of it, or if the environment names no home
 * folder.
 */
export function resultKey(
  { request, cwd, env }: RunInputs,
  folder: 'graphs' | 'results' = 'results',
): ResultKey | null {
  const home = cargoHome(cwd, env);
  if (!['', 'on', 'verify'].includes(env['TSREG_CACHE'] ?? '') || home === null) return null;
  const variables = Object.keys(env)
    .filter((name) => name !== 'TSREG_CACHE' && isReadVariable(name))
    .toSorted()
    .map((name) => [name, storedValue(name, env[name])]);
  const build = typeof BUILD_OF_SOURCES === 'undefined' ? '' : BUILD_OF_SOURCES;
  const text = JSON.stringify([build, process.execPath, request, cwd, variables]);
  return { text, path: join(home, 'tsreg', 'cache', folder, hashText(text)) };
}

/** Returns the value of a variable for a key, which is stored on disk: only a checksum if it contains a secret. */
function storedValue(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return value;
  return SECRET_NAMES.test(name) || SECRET_ADDRESS.test(value) ? hashText(value) : value;
}

/**
 * Returns `CARGO_HOME`, or `.cargo` in the home folder, like `cargoHome` in `io/config`. Unlike that, returns null if
 * the environment does not name the home folder.
 */
function cargoHome(cwd: string, env: RunInputs['env']): string | null {
  const configured = env['CARGO_HOME'];
  if (configured !== undefined && configured !== '')
    return isAbsolute(configured) ? configured : join(cwd, configured);
  const home = env['HOME'] ?? env['USERPROFILE'];
  return home === undefined || home === '' ? null : join(home, '.cargo');
}
