/** Reads the description, links and readme of a package from its archive. */
import { asTable } from '../../core/toml/decode.ts';
import { parseToml } from '../../core/toml/parse.ts';
import type { TomlTable } from '../../core/toml/value.ts';
import { listFiles, readFile, type SourceArchive, type SourceFile } from './crate-files.ts';
import { decodeContent } from './file-content.ts';

/** Facts of a package for its page. Missing ones, and those of an unexpected form, are null. */
export interface PackageSummary {
  readonly description: string | null;
  readonly license: string | null;
  readonly homepage: string | null;
  readonly documentation: string | null;
  readonly repository: string | null;
  /** Path in the archive. */
  readonly readmePath: string | null;
  /** Also null if the readme is too large or not text. */
  readonly readme: string | null;
}

/** Larger manifests and readmes are not read. */
const MAX_TEXT_BYTES = 512 * 1024;
/** Longer values are not shown. */
const MAX_VALUE_CHARS = 2000;
/** The readmes that cargo finds if the manifest names none. Cargo Book: The Manifest Format, The readme field. */
const USUAL_READMES = ['README.md', 'README.txt', 'README'];

/** Reads the summary of an archive. Throws as `listFiles` does. */
export function readPackageSummary(archive: SourceArchive): PackageSummary {
  const files = listFiles(archive);
  const table = packageTable(readText(archive, { files, path: 'Cargo.toml' }) ?? '');
  const valueOf = (key: string): string | null => {
    const value = table.get(key);
    return typeof value === 'string' && value.length <= MAX_VALUE_CHARS ? value.trim() : null;
  };
  const readmePath = findReadme(table, files);
  return {
    description: valueOf('description'),
    license: valueOf('license'),
    homepage: valueOf('homepage'),
    documentation: valueOf('documentation'),
    repository: valueOf('repository'),
    readmePath,
    readme: readmePath === null ? null : readText(archive, { files, path: readmePath }),
  };
}

function packageTable(manifest: string): TomlTable {
  try {
    const table = parseToml(manifest).get('package');
    return (table === undefined ? null : asTable(table)) ?? new Map();
  } catch {
    return new Map();
  }
}

/** Returns the path of the readme. Packaging writes it into the manifest; old packages may rely on its usual name. */
function findReadme(table: TomlTable, files: readonly SourceFile[]): string | null {
  const value = table.get('readme');
  if (value === false) return null;
  const candidates = typeof value === 'string' ? [value.replace(/^\.\//, '')] : USUAL_READMES;
  return candidates.find((path) => files.some((file) => file.path === path)) ?? null;
}

/** Returns null for a file that does not exist, is too large or is not text. */
function readText(
  archive: SourceArchive,
  { files, path }: { readonly files: readonly SourceFile[]; readonly path: string },
): string | null {
  const file = files.find((known) => known.path === path);
  if (file === undefined || file.size > MAX_TEXT_BYTES) return null;
  const bytes = readFile(archive, path);
  const content = bytes === null ? null : decodeContent(bytes);
  return content?.kind === 'text' ? content.text : null;
}
