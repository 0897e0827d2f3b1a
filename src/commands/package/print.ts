/** The output of `package --list` for a package. Cargo Book: cargo package, `--message-format`. */
import type { PlannedFile } from '../../io/archive/archive-plan.ts';
import { escapeForTerminal } from '../../core/errors/sanitize-for-terminal.ts';
import { formatPackageId } from '../../core/package-id/package-id.ts';
import type { PackagePlan } from '../shared/packaging/pack-crate.ts';

/** Returns one path per line, in archive order, with unsafe characters escaped. */
export function fileList({ archive }: PackagePlan): string {
  return archive.files.map(({ path }) => `${escapeForTerminal(path)}\n`).join('');
}

/** Returns one line of JSON: the package's id, and the origin of each file. */
export function jsonFileList({ manifest, archive }: PackagePlan): string {
  const id = formatPackageId(manifest.summary.id, 'spec');
  // Joined as text, because a JavaScript object would put integer-like file names first.
  const files = archive.files.map((file) => `${JSON.stringify(file.path)}:${describeContent(file)}`);
  return `{"id":${JSON.stringify(id)},"files":{${files.join(',')}}}\n`;
}

/** A package in the document of `package --list --json`. */
export interface ListedPackage {
  readonly name: string;
  readonly version: string;
  /** In archive order. */
  readonly files: readonly ListedFile[];
}

interface ListedFile {
  readonly path: string;
  readonly kind: PlannedFile['content']['kind'];
  /** The file that it is copied from; null if there is none. */
  readonly source: string | null;
}

/** Returns the package and the files that its archive would have. */
export function listedPackage({ manifest, archive }: PackagePlan): ListedPackage {
  const { name, version } = manifest.summary.id;
  const files = archive.files.map(({ path, content }) => {
    return { path, kind: content.kind, source: content.path };
  });
  return { name, version: version.text, files };
}

function describeContent({ content: { kind, path } }: PlannedFile): string {
  return JSON.stringify(path === null ? { kind } : { kind, path });
}
