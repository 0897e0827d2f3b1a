/** Decides where `download` writes, and that it replaces nothing. */
import type { Config } from '../../io/config/config.ts';
import { isTaken, statsOrNull } from '../../io/disk/stats.ts';
import { crateFileName, isStoredWithChecksum, packageDirName } from '../../io/sources/crate-file.ts';
import { TsregError } from '../../core/errors/error.ts';
import { joinPath, toNativeSeparators } from '../../core/files/path.ts';
import type { Summary } from '../../core/summary/summary.ts';

/** Where to write, and in which form. */
export interface OutputOptions {
  readonly config: Pick<Config, 'cwd'>;
  /** The folder to write to, relative to the working folder; null for the working folder itself. */
  readonly output: string | null;
  /** True to write the content of each `.crate` as a folder instead of the file. */
  readonly extract: boolean;
}

/** A crate, and where to write it. */
export interface PlannedCrate {
  readonly summary: Summary;
  /** The path for the user: relative to the working folder, unless `output` is absolute. */
  readonly shownPath: string;
  /** True if the right file is already there. */
  readonly isSaved: boolean;
}

/** Returns the absolute output folder. Throws `usage` for `-`, and if a file or a dangling link is there. */
export function outputFolder({ config, output }: OutputOptions): string {
  if (output === '-') {
    throw new TsregError('`download` cannot write to stdout', {
      code: 'usage',
      hint: '`--output` takes the folder to write to; `./-` is a folder with the name `-`',
    });
  }
  const folder = toNativeSeparators(joinPath(config.cwd, output ?? ''));
  const stats = statsOrNull(folder);
  if (stats === null ? !isTaken(folder) : stats.isDirectory()) return folder;
  throw new TsregError(`\`${folder}\` is not a folder`, {
    code: 'usage',
    hint: '`--output` takes the folder to write to; tsreg creates it if it does not exist',
  });
}

/** Returns each version once, with its path in `folder`. Throws `io` if a path is taken by anything else. */
export function planDownload(
  versions: readonly Summary[],
  folder: string,
  { output, extract }: OutputOptions,
): readonly PlannedCrate[] {
  const unique = new Map(versions.map((summary) => [summary.id.key, summary]));
  return Array.from(unique.values(), (summary) => {
    const { id, checksum } = summary;
    const name = extract ? packageDirName(id) : crateFileName(id);
    const shownPath = output === null ? name : toNativeSeparators(joinPath(output, name));
    const path = joinPath(folder, name);
    const isSaved = !extract && checksum !== null && isStoredWithChecksum(path, checksum);
    if (isSaved || !isTaken(path)) return { summary, shownPath, isSaved };
    throw new TsregError(
      extract ? `\`${shownPath}\` already exists` : `\`${shownPath}\` already exists, with other content`,
      { code: 'io', hint: 'remove it, or write to another folder with `--output`' },
    );
  });
}
