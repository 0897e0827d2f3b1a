/** A site where every text that users choose is hostile. */
import { listFiles } from '../../src/server/source/crate-files.ts';
import type { User } from '../../src/server/store/values.ts';
import { ATTACKS } from '../server/pages/html-attacks.ts';
import type { PagesSite } from './pages-site.ts';
import { packFiles, type PackedFiles } from './source-crates.ts';

/** The attacks on one line each, without the characters that the database refuses. */
export const LINES: readonly string[] = ATTACKS.filter((attack) => attack.length < 1000).map((attack) =>
  attack.replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, ' '),
);

/** All of them in one text. A page that contains it literally has escaped each of them. */
export const ALL_LINES = LINES.join(' ');

/** Files whose names and contents are attacks, for the version `version` of the crate `everything`. */
export function attackingFiles(version: string): PackedFiles {
  const code = ATTACKS.filter((attack) => attack.length < 1000).join('\n');
  const names = ATTACKS.flatMap((attack) => [attack, attack.replace(/[<>:"|?*\\/]/g, reference)]);
  const paths = [...new Set(names)].map((name) => `names/${name}`).filter(isFileName);
  const named = Object.fromEntries(paths.map((file) => [file, `${file}\n`] as const));
  const contents = ['lib.rs', 'a.toml', 'a.md', 'a.html', 'a.js'].map(
    (name) => [`src/${name}`, version === '1.0.0' ? 'old\n' : code] as const,
  );
  return version === '1.0.0' ? Object.fromEntries(contents) : { ...named, ...Object.fromEntries(contents) };
}

/** Returns a character that no name of a file has as one that a page must not decode twice. */
function reference(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}

/** Returns true if archives may contain a file with this path. */
function isFileName(path: string): boolean {
  if (Buffer.byteLength(path) > 80) return false;
  try {
    const options = { topFolder: 'a-1.0.0', maxUnpackedBytes: 1e6, maxFiles: 10 };
    listFiles({ bytes: new Uint8Array(packFiles('a-1.0.0', { [path]: '' })), options });
    return true;
  } catch {
    return false;
  }
}

/**
 * Publishes a crate `readme-N` with each attack as its readme, and the versions 1.0.0 and 1.1.0 of the crate
 * `everything`, where every other text is an attack. Returns its owner, an admin.
 */
export async function addAttacks(site: PagesSite): Promise<User> {
  const owner = await site.addUser('mira', { isAdmin: true, name: ALL_LINES });
  for (const [index, readme] of ATTACKS.entries())
    await site.publish(
      owner,
      { name: `readme-${index}`, version: '1.0.0', readme },
      packFiles(`readme-${index}-1.0.0`, {}),
    );
  const texts = {
    ...{ description: ALL_LINES, license: ALL_LINES, links: ALL_LINES, rustVersion: ALL_LINES },
    ...{ homepage: ALL_LINES, documentation: `https://ok.example/${ALL_LINES}`, repository: ALL_LINES },
    ...{ keywords: LINES, categories: LINES, features: new Map(LINES.map((line) => [line, [line]])) },
  };
  for (const version of ['1.0.0', '1.1.0'])
    await site.publish(
      owner,
      { ...texts, name: 'everything', version },
      packFiles(`everything-${version}`, attackingFiles(version)),
    );
  const { records } = site.store;
  const actor = { user: owner, token: null };
  const yank = { crate: 'everything', version: '1.0.0', isYanked: true, atMs: site.nowMs, actor };
  await records.setYanked({ ...yank, reason: ALL_LINES });
  for (const detail of LINES)
    await records.addAudit({
      ...{ atMs: 1, actor: 'mira', action: 'make-token' },
      tokenId: 1,
      subject: detail,
      detail,
    });
  return owner;
}
