/** The file of `sbom --output`. */
import { TsregError } from '../../core/errors/error.ts';
import { joinPath, toNativeSeparators } from '../../core/files/path.ts';
import { osError } from '../../io/disk/errno.ts';
import { inputRecorder } from '../../io/disk/input-recorder.ts';
import { statsOrNull } from '../../io/disk/stats.ts';
import { writeFileAtomic } from '../../io/disk/write-file-atomic.ts';

/** Returns the absolute path to write to. Throws `usage` if a folder or a device is there. */
export function outputPath(output: string, cwd: string): string {
  const path = toNativeSeparators(joinPath(cwd, output));
  const stats = statsOrNull(path);
  if (stats === null || stats.isFile()) return path;
  throw new TsregError(`\`${output}\` is not a file`, {
    code: 'usage',
    hint: stats.isDirectory()
      ? '`--output` takes the file to write, such as `bom.json`'
      : 'without `--output`, tsreg prints the document',
  });
}

/** Writes the document. Replaces an existing file. */
export async function writeOutput(path: string, text: string): Promise<void> {
  inputRecorder()?.reject('a file is written');
  try {
    await writeFileAtomic(path, text);
  } catch (error) {
    throw new TsregError(`failed to write \`${path}\``, { cause: osError(error) });
  }
}
