/** The parts that forms for trusted publishers share. */
import { TsregError } from '../../../core/errors/error.ts';
import type { Claim } from '../../store/values.ts';
import { parseClaim } from '../../trusted/publishers.ts';

/** Parses claims, one per line. Returns the problem of the first invalid line as a sentence. */
export function readClaims(text: string): readonly Claim[] | string {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const claims = lines.map(parseClaim);
  // Without an invalid line, the index is -1.
  const wrongLine = lines[claims.indexOf(null)];
  return wrongLine === undefined
    ? claims.filter((claim) => claim !== null)
    : `“${wrongLine.slice(0, 100)}” is not KEY=VALUE.`;
}

/**
 * Returns the usage error that a command reports, such as an invalid claim, as a sentence for a page: with its values
 * in quotation marks instead of backticks. Throws any other error again.
 */
export function describeUsageError(error: unknown): string {
  if (!(error instanceof TsregError) || error.code !== 'usage') throw error;
  const text = error.message.replaceAll(/`([^`]*)`/g, '“$1”');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
