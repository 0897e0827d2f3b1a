/** `shim`: puts a program `cargo` into a folder that sends commands to this program. */
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { osError } from '../disk/errno.ts';
import { writeFileAtomic } from '../disk/write-file-atomic.ts';
import { TsregError, withContext, withContextAsync } from '../errors/error.ts';
import { makeWay, whatStandsAt } from '../toolchain/shim-file.ts';
import { firstCargo, nextCargo } from '../toolchain/next-cargo.ts';
import { shellShim, windowsShim } from './shim/shim-script.ts';

/** What the command line of `shim` asks for. */
export interface ShimOptions {
  readonly config: Config;
  /** The folder as typed. */
  readonly folder: string;
  /** Absolute path of the file of this program. */
  readonly program: string;
  /** True if it runs by itself, without Node. */
  readonly isStandalone: boolean;
  /** The names of its commands. */
  readonly commands: readonly string[];
  /** Writes over what is not a script of this command. */
  readonly force: boolean;
}

/** What `shim` has done, and what it found. */
export interface ShimDocument {
  /** Of this form. */
  readonly version: 1;
  /** Absolute paths of the scripts. */
  readonly files: readonly string[];
  /** The folder that belongs at the head of the `PATH`. */
  readonly folder: string;
  /** True if a program that is looked for now would be found there first. */
  readonly is_first_on_path: boolean;
  /** The cargo that gets the rest; null if there is none. */
  readonly cargo: string | null;
  /** Null where the program needs none. */
  readonly node: string | null;
  readonly program: string;
}

const EXECUTABLE = 0o777;

/** Writes the scripts. Fails, before anything is written, where something else stands in their place. */
export async function writeShim({
  config,
  folder,
  program,
  isStandalone,
  commands,
  force,
}: ShimOptions): Promise<ShimDocument> {
  const absolute = resolve(config.cwd, folder);
  const target = { node: isStandalone ? null : process.execPath, program };
  const script = shellShim({ ...target, commands });
  const shell = join(absolute, 'cargo');
  const scripts = new Map([[shell, script]]);
  if (process.platform === 'win32') scripts.set(`${shell}.cmd`, windowsShim(target));
  for (const file of scripts.keys()) checkPlace(file, force);
  for (const [file, text] of scripts) {
    makeWay(file);
    await withContextAsync(`failed to write \`${file}\``, () =>
      writeFileAtomic(file, text, { mode: EXECUTABLE }),
    );
  }
  const path = config.env['PATH'] ?? '';
  return {
    version: 1,
    files: [...scripts.keys()],
    folder: absolute,
    is_first_on_path: scripts.has(firstCargo(path) ?? ''),
    cargo: nextCargo(path, program),
    ...target,
  };
}

function checkPlace(file: string, force: boolean): void {
  const there = withContext(`\`cargo\` cannot be written to \`${dirname(file)}\``, () => lookAt(file), {
    hint: 'name a folder; tsreg creates it if it does not exist',
  });
  if (there === 'folder') throw taken(`\`${file}\` is a folder`, 'name another folder to write to');
  if (there === 'other' && !force) {
    throw taken(
      `\`${file}\` already exists, and \`tsreg shim\` did not write it`,
      'name another folder, or pass `--force` to overwrite it',
    );
  }
}

function lookAt(file: string): ReturnType<typeof whatStandsAt> {
  try {
    return whatStandsAt(file);
  } catch (error) {
    throw osError(error);
  }
}

function taken(what: string, help: string): TsregError {
  return new TsregError(`${what}\n\nhelp: ${help}`, { code: 'usage' });
}
