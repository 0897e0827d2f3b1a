/** The text output of `owner`. Cargo Book: cargo-owner(1). */
import type { OwnerEntry } from './run.ts';
import { sanitizeForTerminal } from '../../core/errors/sanitize-for-terminal.ts';

/** Returns one owner per line; for several crates, below the name of each. */
export function ownerList(crates: readonly OwnerEntry[]): string {
  const listed = crates.flatMap(({ name, owners }) => (owners === null ? [] : [{ name, owners }]));
  const isSingle = crates.length === 1;
  const lines = listed.flatMap(({ name, owners }) => {
    const texts = owners.map((owner) => ownerLine(owner));
    return isSingle ? texts : [`${name}:`, ...texts.map((text) => `  ${text}`)];
  });
  return lines.map((line) => `${line}\n`).join('');
}

function ownerLine({ login, name, email }: NonNullable<OwnerEntry['owners']>[number]): string {
  const details = name !== null && email !== null ? `${name} <${email}>` : (name ?? email);
  return sanitizeForTerminal(details === null ? login : `${login} (${details})`, 'join');
}
