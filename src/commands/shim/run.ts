/** `shim`: writes a program `cargo` that passes commands to this program. */
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../../io/config/config.ts';
import { osError } from '../../io/disk/errno.ts';
import { writeFileAtomic } from '../../io/disk/write-file-atomic.ts';
import { TsregError, withContext, withContextAsync } from '../../core/errors/error.ts';
import { removeIfOther, classifyPath } from '../../io/toolchain/shim-file.ts';
import { firstCargo, nextCargo } from '../../io/toolchain/next-cargo.ts';
import { shellShim, windowsShim } from './script.ts';

/** The command-line options of `shim`. */
export interface ShimOptions {
  readonly config: Config;
  /** The folder as typed. */
  readonly folder: string;
  /** Absolute path of the file of this program. */
  readonly program: string;
  /** True if this program runs without Node. */
  readonly isStandalone: boolean;
  /** The names of this program's commands. */
  readonly commands: readonly string[];
  /** True to overwrite files that `shim` did not write. */
  readonly force: boolean;
}

/** The result of `shim`. */
export interface ShimDocument {
  /** Version of this format. */
  readonly version: 1;
  /** Absolute paths of the scripts. */
  readonly files: readonly string[];
  /** The folder that belongs at the head of `PATH`. */
  readonly folder: string;
  /** True if `PATH` finds a script of this run before any other `cargo`. */
  readonly is_first_on_path: boolean;
  /** The cargo that runs all other commands; null if there is none. */
  readonly cargo: string | null;
  /** null if this program runs without Node. */
  readonly node: string | null;
  readonly program: string;
}

/** The file mode of an executable, before the umask. */
const EXECUTABLE = 0o777;

/** Writes the scripts. Throws, before it writes anything, if something else is in their place. */
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
  const shellFile = join(absolute, 'cargo');
  const scripts = new Map([[shellFile, shellShim({ ...target, commands })]]);
  if (process.platform === 'win32') scripts.set(`${shellFile}.cmd`, windowsShim(target));
  for (const file of scripts.keys()) checkPlace(file, { force });
  for (const [file, text] of scripts) {
    removeIfOther(file);
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

/** Throws `usage` if `file` cannot be written, or if another program wrote it and `force` is false. */
function checkPlace(file: string, { force }: { readonly force: boolean }): void {
  const existing = withContext(`\`cargo\` cannot be written to \`${dirname(file)}\``, () => classify(file), {
    hint: 'name a folder; tsreg creates it if it does not exist',
  });
  if (existing === 'folder') throw placeTaken(`\`${file}\` is a folder`, 'name another folder to write to');
  if (existing === 'other' && !force) {
    throw placeTaken(
      `\`${file}\` already exists, and \`tsreg shim\` did not write it`,
      'name another folder, or pass `--force` to overwrite it',
    );
  }
}

function classify(file: string): ReturnType<typeof classifyPath> {
  try {
    return classifyPath(file);
  } catch (error) {
    throw osError(error);
  }
}

function placeTaken(problem: string, help: string): TsregError {
  return new TsregError(`${problem}\n\nhelp: ${help}`, { code: 'usage' });
}
