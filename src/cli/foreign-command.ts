/**
 * Runs programs of others: custom subcommands, and cargo. Cargo Book: External tools, Custom subcommands. The scripts of
 * commands/shim/script.ts set `TSREG_SHIM` to their own path.
 */
import { basename, delimiter, join, resolve } from 'node:path';
import type { Environment } from '../io/config/environment.ts';
import { isExecutable, namesIn, nextCargo } from '../io/toolchain/next-cargo.ts';
import { runInPlace } from '../io/toolchain/run-in-place.ts';

const PREFIX = 'cargo-';
/** The suffix of executable files. */
const SUFFIX = process.platform === 'win32' ? '.exe' : '';

/** How this program was started. */
export interface StartedProgram {
  readonly env: Environment;
  /** Absolute path of the file that was started; links are not resolved. */
  readonly program: string;
  /** True if stdin is a terminal. */
  readonly hasTerminal: boolean;
}

/** Where to look for programs. */
export interface ProgramSearch {
  /** cargo's home. */
  readonly home: string;
  readonly env: Environment;
}

/**
 * Runs the cargo behind the shim that started this program, with the same arguments. Returns its exit status; null if
 * no shim started this program, or if there is no such cargo.
 */
export async function runCargoBehindShim(
  args: readonly string[],
  started: StartedProgram,
): Promise<number | null> {
  const { env, program, hasTerminal } = started;
  if (env['TSREG_SHIM'] === undefined) return null;
  const cargo = nextCargo(env['PATH'] ?? '', program);
  return cargo === null ? null : runInPlace(cargo, args, { env: childEnvironment(started), hasTerminal });
}

/**
 * Runs the program `cargo-NAME`. Like cargo, looks in cargo's home first, then in `PATH`, and sets `CARGO` to this
 * program. Returns the exit status; null if there is no such program.
 */
export async function runCustomCommand(
  name: string,
  args: readonly string[],
  { home, started }: { readonly home: string; readonly started: StartedProgram },
): Promise<number | null> {
  const { env, hasTerminal } = started;
  const file = findCustomCommand(name, { home, env });
  if (file === null) return null;
  return runInPlace(file, [name, ...args], {
    env: { ...childEnvironment(started), CARGO: env['TSREG_SHIM'] ?? cargoPath(started) },
    hasTerminal,
  });
}

/** Returns the absolute path of the program `cargo-NAME` that cargo would run; null if there is none. */
export function findCustomCommand(name: string, search: ProgramSearch): string | null {
  if (name.includes('/')) return null;
  const files = searchedFolders(search).map((folder) => resolve(folder, `${PREFIX}${name}${SUFFIX}`));
  return files.find(isExecutable) ?? null;
}

/** Returns the absolute paths of all programs `cargo-NAME`, by NAME. */
export function customCommands(search: ProgramSearch): ReadonlyMap<string, string> {
  const commands = new Map<string, string>();
  for (const folder of searchedFolders(search)) {
    for (const file of namesIn(folder)) {
      if (!file.startsWith(PREFIX) || !file.endsWith(SUFFIX)) continue;
      const name = file.slice(PREFIX.length, file.length - SUFFIX.length);
      const path = resolve(folder, file);
      if (!commands.has(name) && isExecutable(path)) commands.set(name, path);
    }
  }
  return commands;
}

/**
 * Returns the folders in which cargo looks for programs: first that of its home, unless `PATH` contains it. cargo:
 * src/bin/cargo/main.rs, search_directories.
 */
function searchedFolders({ home, env }: ProgramSearch): readonly string[] {
  const folders = env['PATH']?.split(delimiter) ?? [];
  const bin = join(home, 'bin');
  return folders.includes(bin) ? folders : [bin, ...folders];
}

/** Returns the file that started this program if it is named `cargo`; else, as cargo does, `CARGO`; else that file. */
function cargoPath({ env, program }: StartedProgram): string {
  return basename(program) === 'cargo' ? program : (env['CARGO'] ?? program);
}

/** Returns `env` without variables that are only for a program started as cargo, not for its child processes. */
function childEnvironment({ env, program }: StartedProgram): Environment {
  if (env['TSREG_SHIM'] === undefined && basename(program) !== 'cargo') return env;
  const { TSREG_SHIM: _shim, TSREG_COMPAT: _compat, ...childEnv } = env;
  return childEnv;
}
