/** A line of an index file as plain data. Cargo Book: Registry Index, JSON schema. */
import { TsregError } from '../core/errors/error.ts';
import { SourceTable } from '../core/package-id/source-table.ts';
import { decodeIndexLine } from '../core/protocol/index-line.ts';
import { type IndexedVersion, indexedVersionOf } from '../core/protocol/indexed-version.ts';
import { checkOptions, required, TEXT } from './option-checks.ts';

/** Stands for the unknown index. The result does not contain it. */
const INDEX = 'sparse+https://index.invalid/';

/**
 * Parses a line of an index file, which describes one version of a crate. Throws a `TsregError` with the code `source`
 * if the line is invalid, or in a newer format.
 */
export function parseIndexLine(line: string): IndexedVersion {
  checkOptions({ line }, { line: required(TEXT) });
  const sources = new SourceTable();
  const index = sources.forRegistryIndex(INDEX);
  const entry = decodeIndexLine(line, { original: index, actual: index }, sources);
  if (entry === null) throw invalid('the index line has no valid `name` and `vers`');
  if (entry.kind === 'usable') return indexedVersionOf(entry.summary);
  const { name, version, reason } = entry;
  throw invalid(
    reason.kind === 'unsupported-index'
      ? `the index line of \`${name}@${version.text}\` has the format ${reason.indexVersion}, which this version of tsreg does not know; update tsreg`
      : `the index line of \`${name}@${version.text}\` is invalid`,
  );
}

function invalid(message: string): TsregError {
  return new TsregError(message, { code: 'source' });
}
