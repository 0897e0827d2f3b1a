/** Real cargo, where there is one: it builds, which this program does not. Cargo Book: Environment Variables. */
import { realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { programAnswer } from './program-answer.ts';

/** Where cargo is looked for. */
export interface CargoSearch {
  /** Its `PATH` is searched first; cargo runs with all of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of cargo's home, in whose `bin` rustup puts programs. */
  readonly cargoHome: string;
  /** The compiler in use: an absolute path, or a name to be looked for in `PATH`. */
  readonly rustc: string;
  /** Name of a toolchain for rustup to use, null for the one that applies. */
  readonly toolchain: string | null;
  /** Where cargo will run; which toolchain rustup takes can depend on it. */
  readonly cwd: string;
}

/** A cargo that answers. */
export interface CargoProgram {
  /** Absolute path. */
  readonly path: string;
  /** `1.95.0`, with a pre-release such as `-nightly`. */
  readonly release: string;
  /** The environment that it is to run in. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

const EXECUTABLE_SUFFIX = process.platform === 'win32' ? '.exe' : '';
/** More than any cargo says about its version. */
const MAX_ANSWER_BYTES = 65_536;
/** rustup may first have to fetch a toolchain that a project names. */
const MAX_WAIT_MS = 300_000;

/**
 * Finds a program `cargo` that is cargo: on the `PATH`, below cargo's home, or beside the compiler. One that is this
 * program under another name, a link or a script that starts it, is passed over, and so is one of rustup's that has no
 * toolchain. null if there is none.
 */
export async function findCargo(search: CargoSearch, signal: AbortSignal): Promise<CargoProgram | null> {
  const { toolchain } = search;
  const env = toolchain === null ? search.env : { ...search.env, RUSTUP_TOOLCHAIN: toolchain };
  const asked = new Set<string>();
  for (const path of candidates(search)) {
    const real = realFile(path);
    if (real === null || asked.has(path)) continue;
    asked.add(path);
    const release = await askRelease(path, { env, cwd: search.cwd }, signal);
    if (release !== null) return { path, release, env };
  }
  return null;
}

/** Absolute paths of what may be cargo, in the order in which they are to be asked. */
function candidates({ env, cargoHome, rustc }: CargoSearch): readonly string[] {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const compilers = isAbsolute(rustc) ? [rustc] : folders.map((folder) => join(folder, rustc));
  const besideCompiler = compilers.flatMap((path) => {
    const real = realFile(path) ?? realFile(`${path}${EXECUTABLE_SUFFIX}`);
    return real === null ? [] : [dirname(path), dirname(real)];
  });
  const all = [...folders, join(cargoHome, 'bin'), ...besideCompiler];
  return [...new Set(all)].map((folder) => join(folder, `cargo${EXECUTABLE_SUFFIX}`));
}

/** The file behind all links; null if there is none. */
function realFile(path: string): string | null {
  try {
    return statSync(path).isFile() ? realpathSync(path) : null;
  } catch {
    return null;
  }
}

/** null if it does not answer as cargo does. */
async function askRelease(
  path: string,
  options: Pick<CargoProgram, 'env'> & { readonly cwd: string },
  signal: AbortSignal,
): Promise<string | null> {
  const limits = { maxBytes: MAX_ANSWER_BYTES, timeoutMs: MAX_WAIT_MS };
  const answer = await programAnswer(path, ['--version', '--verbose'], { ...options, ...limits, signal });
  return answer === null ? null : parseRelease(answer);
}

/** Cargo also says which libraries it was built with; whatever only calls itself cargo has none. */
function parseRelease(text: string): string | null {
  const release = /^cargo (\d+\.\d+\.\d+\S*)/.exec(text)?.[1];
  const hasLibraries = /^(?:libgit2|libcurl): \d/m.test(text);
  return release === undefined || !hasLibraries ? null : release;
}
