/** Runs programs of others: custom subcommands, and cargo. Cargo Book: External tools, Custom subcommands. */
import { basename, delimiter, join, resolve } from 'node:path';
import type { Config } from '../io/config/config.ts';
import type { Environment } from '../io/config/environment.ts';
import { isExecutable, namesIn, nextCargo } from '../io/toolchain/next-cargo.ts';
import { runInPlace } from '../io/toolchain/run-in-place.ts';

const PREFIX = 'cargo-';
const SUFFIX = process.platform === 'win32' ? '.exe' : '';

/** How this program was started. */
export interface StartedProgram {
  readonly env: Environment;
  /** Absolute path of the file that was started; links are not resolved. */
  readonly program: string;
  /** True if stdin is a terminal. */
  readonly hasTerminal: boolean;
}

/**
 * Runs the cargo behind the shim that started this program, with the same arguments. Returns its exit status; null if
 * no shim started this program, or if there is no such cargo.
 */
export async function runCargoBehindShim(
  args: readonly string[],
  { env, program, hasTerminal }: StartedProgram,
): Promise<number | null> {
  if (env['TSREG_SHIM'] === undefined) return null;
  const cargo = nextCargo(env['PATH'] ?? '', program);
  return cargo === null
    ? null
    : runInPlace(cargo, args, { env: cleanEnvironment({ env, program }), hasTerminal });
}

/**
 * Runs the program `cargo-NAME`. Like cargo, looks in cargo's home first, then in `PATH`, and sets `CARGO` to this
 * program. Returns the exit status; null if there is no such program.
 */
export async function runCustomCommand(
  name: string,
  args: readonly string[],
  { home, env, program, hasTerminal }: StartedProgram & Pick<Config, 'home'>,
): Promise<number | null> {
  const file = findCustomCommand(name, { home, env });
  if (file === null) return null;
  const cargo = env['TSREG_SHIM'] ?? ownName({ env, program });
  return runInPlace(file, [name, ...args], {
    env: { ...cleanEnvironment({ env, program }), CARGO: cargo },
    hasTerminal,
  });
}

/** Returns the absolute path of the program `cargo-NAME` that cargo would run; null if there is none. */
export function findCustomCommand(name: string, context: Pick<Config, 'home' | 'env'>): string | null {
  if (name.includes('/')) return null;
  const files = searchedFolders(context).map((folder) => resolve(folder, `${PREFIX}${name}${SUFFIX}`));
  return files.find(isExecutable) ?? null;
}

/** Returns the absolute paths of all programs `cargo-NAME`, by name. */
export function customCommands(context: Pick<Config, 'home' | 'env'>): ReadonlyMap<string, string> {
  const commands = new Map<string, string>();
  for (const folder of searchedFolders(context)) {
    for (const file of namesIn(folder)) {
      if (!file.startsWith(PREFIX) || !file.endsWith(SUFFIX)) continue;
      const name = file.slice(PREFIX.length, file.length - SUFFIX.length);
      const path = resolve(folder, file);
      if (!commands.has(name) && isExecutable(path)) commands.set(name, path);
    }
  }
  return commands;
}

/** Returns the folders in which cargo looks for programs: first that of its home, unless `PATH` contains it. */
function searchedFolders({ home, env }: Pick<Config, 'home' | 'env'>): readonly string[] {
  const folders = (env['PATH'] ?? '').split(delimiter);
  const bin = join(home, 'bin');
  return folders.includes(bin) ? folders : [bin, ...folders];
}

/** Returns the file that started this program if it is named `cargo`; else, as cargo does, `CARGO`; else that file. */
function ownName({ env, program }: Pick<StartedProgram, 'env' | 'program'>): string {
  return basename(program) === 'cargo' ? program : (env['CARGO'] ?? program);
}

/** Removes the variables that are only for a program started as cargo: they must not reach its child processes. */
function cleanEnvironment({ env, program }: Pick<StartedProgram, 'env' | 'program'>): Environment {
  if (env['TSREG_SHIM'] === undefined && basename(program) !== 'cargo') return env;
  const { TSREG_SHIM: _shim, TSREG_COMPAT: _compat, ...rest } = env;
  return rest;
}
