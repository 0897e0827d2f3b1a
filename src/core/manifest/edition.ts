/** Language editions. Cargo Book: The Manifest Format, The edition field. */
import { TsregError } from '../errors/error.ts';
import { Wording } from '../errors/wording.ts';
import type { Edition } from './manifest.ts';

/** All editions, oldest first. */
export const EDITIONS: readonly Edition[] = ['2015', '2018', '2021', '2024'];

/** The first release of Rust with each edition; null for the oldest. */
export const FIRST_RELEASE: Readonly<Record<Edition, string | null>> = {
  '2015': null,
  '2018': '1.31.0',
  '2021': '1.56.0',
  '2024': '1.85.0',
};

/** Returns the edition named `text`; null if there is none. */
export function findEdition(text: string): Edition | null {
  return EDITIONS.find((edition) => edition === text) ?? null;
}

/**
 * Reads an edition. `future` is not part of any release. Throws `manifest` in cargo's words, below a line that names
 * the key.
 */
export function parseEdition(text: string): Edition | 'future' {
  if (text === 'future') return text;
  const edition = findEdition(text);
  if (edition !== null) return edition;
  // As in cargo, a number from 2025 to 2049 is probably a later edition.
  const year = /^\+?[0-9]+$/.test(text) ? Number(text) : 0;
  const message =
    year > 2024 && year < 2050
      ? new Wording(
          `this version of tsreg does not know edition ${text}; update tsreg`,
          `this version of Cargo is older than the \`${text}\` edition, and only supports \`2015\`, \`2018\`, \`2021\`, and \`2024\` editions.`,
        )
      : `supported edition values are \`2015\`, \`2018\`, \`2021\`, or \`2024\`, but \`${text}\` is unknown`;
  throw new TsregError('failed to parse the `edition` key', {
    cause: new TsregError(message, { code: 'manifest' }),
  });
}
