import { asTable } from '../../core/toml/decode.ts';
import { parseToml } from '../../core/toml/parse.ts';
import type { TomlTable } from '../../core/toml/value.ts';
import type { StatedLicense } from '../store/mirror-status.ts';
import { listFiles, readFile, type SourceArchive } from './crate-files.ts';
import { decodeContent } from './file-content.ts';

/** Larger manifests are not read. */
const MAX_MANIFEST_BYTES = 2 * 1024 * 1024;
/** Longer expressions are not read either. */
const MAX_LICENSE_CHARS = 2000;

/** Reads the license of a package from its archive. Throws as `listFiles` does. */
export function readStatedLicense(archive: SourceArchive): StatedLicense {
  const manifest = listFiles(archive).find(({ path }) => path === 'Cargo.toml');
  if (manifest === undefined || manifest.size > MAX_MANIFEST_BYTES) return { kind: 'unreadable' };
  const bytes = readFile(archive, 'Cargo.toml');
  const content = bytes === null ? null : decodeContent(bytes);
  const table = content?.kind === 'text' ? packageTable(content.text) : null;
  if (table === null) return { kind: 'unreadable' };
  const value = table.get('license');
  const text = typeof value === 'string' ? value.trim() : '';
  if (text.length > MAX_LICENSE_CHARS) return { kind: 'unreadable' };
  if (text !== '') return { kind: 'expression', text };
  return { kind: typeof table.get('license-file') === 'string' ? 'file' : 'none' };
}

/** Returns `[package]`, which old manifests call `[project]`; null if the manifest has none. */
function packageTable(manifest: string): TomlTable | null {
  let root: TomlTable;
  try {
    root = parseToml(manifest);
  } catch {
    return null;
  }
  const table = root.get('package') ?? root.get('project');
  return table === undefined ? null : asTable(table);
}
