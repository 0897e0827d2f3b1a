/** The real cargo, if it is installed: it builds, which tsreg does not. Cargo Book: Environment Variables. */
import { realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { programOutput } from './program-output.ts';

/** The places where cargo may be. */
export interface CargoSearch {
  /** `findCargo` searches its `PATH` first. cargo runs with all of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The absolute path of `CARGO_HOME`. rustup puts programs in its `bin` folder. */
  readonly cargoHome: string;
  /** The compiler in use: an absolute path, or a name to find in `PATH`. */
  readonly rustc: string;
  /** The name of a toolchain for rustup to use; null for its own choice. */
  readonly toolchain: string | null;
  /** The folder in which cargo will run. rustup's choice of a toolchain can depend on it. */
  readonly cwd: string;
}

/** A working cargo. */
export interface CargoProgram {
  /** Absolute path. */
  readonly path: string;
  /** `1.95.0`, with a pre-release such as `-nightly`. */
  readonly release: string;
  /** The environment to run it in. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

const EXECUTABLE_SUFFIX = process.platform === 'win32' ? '.exe' : '';
/** More than any cargo prints about its version. */
const MAX_RESPONSE_BYTES = 65_536;
/** rustup may first have to download the toolchain that a project requires. */
const MAX_WAIT_MS = 300_000;

/**
 * Finds a real `cargo`: in `PATH`, in `CARGO_HOME`, or next to the compiler. Skips links to tsreg and scripts that
 * start it, and rustup's `cargo` if it has no toolchain. Returns null if there is none.
 */
export async function findCargo(search: CargoSearch, signal: AbortSignal): Promise<CargoProgram | null> {
  const { toolchain } = search;
  const env = toolchain === null ? search.env : { ...search.env, RUSTUP_TOOLCHAIN: toolchain };
  for (const path of candidates(search)) {
    if (realFile(path) === null) continue;
    const release = await askRelease(path, { env, cwd: search.cwd, toolchain }, signal);
    if (release !== null) return { path, release, env };
  }
  return null;
}

/** Returns absolute paths where cargo may be, in search order. */
function candidates({ env, cargoHome, rustc }: CargoSearch): readonly string[] {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const compilers = isAbsolute(rustc) ? [rustc] : folders.map((folder) => join(folder, rustc));
  const besideCompiler = compilers.flatMap((path) => {
    const realCompiler = realFile(path) ?? realFile(`${path}${EXECUTABLE_SUFFIX}`);
    return realCompiler === null ? [] : [dirname(path), dirname(realCompiler)];
  });
  const searchedFolders = [...folders, join(cargoHome, 'bin'), ...besideCompiler];
  return [...new Set(searchedFolders.map((folder) => join(folder, `cargo${EXECUTABLE_SUFFIX}`)))];
}

/** Returns the path of a file with all links resolved; null if it is not a file. */
function realFile(path: string): string | null {
  try {
    return statSync(path).isFile() ? realpathSync(path) : null;
  } catch {
    return null;
  }
}

/** Returns the release of cargo; null if the program does not respond like cargo, or cannot choose the toolchain. */
async function askRelease(
  path: string,
  { toolchain, ...options }: Pick<CargoProgram, 'env'> & Pick<CargoSearch, 'cwd' | 'toolchain'>,
  signal: AbortSignal,
): Promise<string | null> {
  const limits = { maxBytes: MAX_RESPONSE_BYTES, timeoutMs: MAX_WAIT_MS };
  // Only rustup's `cargo` accepts this: another one would build with its own toolchain.
  const choice = toolchain === null ? [] : [`+${toolchain}`];
  const args = [...choice, '--version', '--verbose'];
  const output = await programOutput(path, args, { ...options, ...limits, signal });
  return output === null ? null : parseRelease(output);
}

/** Returns the release in cargo's version text, else null. Only a real cargo also lists the libraries in it. */
function parseRelease(text: string): string | null {
  const release = /^cargo (\d+\.\d+\.\d+\S*)/.exec(text)?.[1];
  const hasLibraries = /^(?:libgit2|libcurl): \d/m.test(text);
  return release === undefined || !hasLibraries ? null : release;
}
