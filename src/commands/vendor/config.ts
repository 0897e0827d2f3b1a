/** The configuration that makes cargo use vendored packages. Cargo Book: Source Replacement. */
import { compareBytes } from '../../core/files/compare-bytes.ts';
import { CRATES_IO_NAME } from '../../core/package-id/crates-io.ts';
import { isCratesIo, type SourceId } from '../../core/package-id/source-id.ts';
import { formatIndexUrl, formatUnpinnedUrl } from '../../core/package-id/source-url.ts';
import { buildTable } from '../../core/toml/build-table.ts';
import type { TomlTable } from '../../core/toml/value.ts';
import { writeToml } from '../../core/toml/write-toml.ts';

/** The name that cargo gives to the folder in the configuration. */
const VENDORED = 'vendored-sources';

/**
 * Returns the `[source]` tables for the sources of vendored packages; null if there are none. `directory` is the vendor
 * folder as the user named it.
 */
export function vendorConfig(sources: readonly SourceId[], directory: string): string | null {
  if (sources.length === 0) return null;
  const tables = new Map<string, TomlTable>();
  for (const source of sources) tables.set(nameOf(source), replacementTable(source));
  tables.set(VENDORED, buildTable({ directory: directory.replaceAll('\\', '/') }));
  const sorted = Array.from(tables).sort(([a], [b]) => compareBytes(a, b));
  return writeToml(new Map([['source', new Map(sorted)]]));
}

function nameOf(source: SourceId): string {
  return isCratesIo(source) ? CRATES_IO_NAME : formatUnpinnedUrl(source, { encoded: false });
}

/** Returns the table that replaces `source` by the vendored packages. */
function replacementTable(source: SourceId): TomlTable {
  const { kind, url, reference } = source;
  if (isCratesIo(source)) return buildTable({ 'replace-with': VENDORED });
  if (kind !== 'git') {
    return buildTable({ registry: formatIndexUrl(source), 'replace-with': VENDORED });
  }
  // The kinds equal cargo's keys: `tag`, `branch` and `rev`.
  const name = reference === null || reference.kind === 'default' ? {} : { [reference.kind]: reference.name };
  return buildTable({ git: url, ...name, 'replace-with': VENDORED });
}
