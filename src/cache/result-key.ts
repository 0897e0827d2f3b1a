/** What a result depends on beside files: the request, and everything around it that the program can see. */
import { isAbsolute, join } from 'node:path';
import { hashText } from './hash-text.ts';

declare const BUILD_OF_SOURCES: string | undefined;

/** A run as far as its result depends on it. */
export interface RunInputs {
  /** The command line, or the name of a library function and its options. */
  readonly request: unknown;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The key of a result, and where its entry is stored. */
export interface ResultKey {
  /** Equal for two runs only if they would do the same with the same files. */
  readonly text: string;
  /** Absolute path of the entry. */
  readonly path: string;
}

/** Environment variables that the program reads: all with one of these beginnings … */
const PREFIXES = /^(?:_*CARGO|RUST|TSREG|GIT|SSL_|NODE_|LC_|XDG_|CLICOLOR|FORCE_|CONEMU|DBUS_|ACTIONS_)/i;
/** … and these. */
const NAMES = new Set(
  [
    'ALL_PROXY BUILDKITE CI COLORTERM COLUMNS DOMTERM HOME HTTPS_PROXY HTTP_PROXY HTTP_TIMEOUT',
    'KONSOLE_VERSION LANG MAKEFLAGS MFLAGS NO_COLOR NO_PROXY PATH PTYXIS_VERSION SHELL SYSTEMROOT TEAMCITY_VERSION TERM TERM_FEATURES TERM_PROGRAM',
    'TF_BUILD USERPROFILE VTE_VERSION WT_SESSION',
  ].flatMap((names) => names.split(' ')),
);

/** True if what the program does may depend on the environment variable of that name. */
export function isReadVariable(name: string): boolean {
  return PREFIXES.test(name) || NAMES.has(name.toUpperCase());
}

/**
 * The key of the result of a run, or of the graph in it; null where results are not cached: `TSREG_CACHE=off`, or no home folder is known.
 */
export function resultKey(
  { request, cwd, env }: RunInputs,
  folder: 'graphs' | 'results' = 'results',
): ResultKey | null {
  const home = cargoHome(cwd, env);
  if (env['TSREG_CACHE'] === 'off' || home === null) return null;
  const variables = Object.keys(env)
    .filter((name) => name !== 'TSREG_CACHE' && isReadVariable(name))
    .sort()
    .map((name) => [name, env[name]]);
  const build = typeof BUILD_OF_SOURCES === 'undefined' ? '' : BUILD_OF_SOURCES;
  const text = JSON.stringify([build, process.execPath, request, cwd, variables]);
  return { text, path: join(home, 'tsreg', 'cache', folder, hashText(text)) };
}

/** Where the cache is, by the same rule as the configuration: `CARGO_HOME`, else `.cargo` in the home folder. */
function cargoHome(cwd: string, env: RunInputs['env']): string | null {
  const configured = env['CARGO_HOME'];
  if (configured !== undefined && configured !== '')
    return isAbsolute(configured) ? configured : join(cwd, configured);
  const home = env['HOME'] ?? env['USERPROFILE'];
  return home === undefined || home === '' ? null : join(home, '.cargo');
}
