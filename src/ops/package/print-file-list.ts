/** What `package --list` prints of a package. Cargo Book: cargo package, `--message-format`. */
import type { PlannedFile } from '../../archive/archive-plan.ts';
import { escapeForTerminal } from '../../errors/sanitize-for-terminal.ts';
import { formatPackageId } from '../../package-id/package-id.ts';
import type { PackagePlan } from './plan-package.ts';

/** One path a line, in the order of the archive; characters that would make another line of it are escaped. */
export function fileList({ archive }: PackagePlan): string {
  return archive.files.map(({ path }) => `${escapeForTerminal(path)}\n`).join('');
}

/** One line of JSON: the package's id, and of each file where it comes from. */
export function jsonFileList({ manifest, archive }: PackagePlan): string {
  const id = formatPackageId(manifest.summary.id, 'spec');
  // Joined as text: names of files may be what JavaScript takes for numbers, and puts first.
  const files = archive.files.map((file) => `${JSON.stringify(file.path)}:${describeContent(file)}`);
  return `{"id":${JSON.stringify(id)},"files":{${files.join(',')}}}\n`;
}

function describeContent({ content: { kind, path } }: PlannedFile): string {
  return JSON.stringify(path === null ? { kind } : { kind, path });
}
