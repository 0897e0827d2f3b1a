/** Checks the registries that dependencies of published crates may name. Cargo Book: Registry Index, JSON schema. */
import { TsregError } from '../../core/errors/error.ts';
import { CRATES_IO_INDEX, CRATES_IO_SPARSE_INDEX } from '../../core/package-id/crates-io.ts';

/** Index URLs of crates.io, which every client knows. */
const WELL_KNOWN = [CRATES_IO_INDEX, `sparse+${CRATES_IO_SPARSE_INDEX}`];

/** Returns true if `url` is an index of crates.io or one of `allowed`. A slash at the end does not matter. */
export function allowsDependencyRegistry(url: string, allowed: readonly string[]): boolean {
  const identity = identityOf(url);
  return isCratesIoIndex(url) || allowed.some((known) => identityOf(known) === identity);
}

/** Returns true if `url` is an index of crates.io. A slash at the end does not matter. */
export function isCratesIoIndex(url: string): boolean {
  const identity = identityOf(url);
  return WELL_KNOWN.some((known) => identityOf(known) === identity);
}

/**
 * Returns the index URL of `--allow-dependency-registry` after checking it. Every client of the registry fetches from
 * there, so only HTTP(S) is possible. Throws `usage`, without showing a password.
 */
export function parseDependencyRegistry(text: string): string {
  const isSparse = text.startsWith('sparse+');
  const address = isSparse ? text.slice('sparse+'.length) : text;
  const url = URL.canParse(address) ? new URL(address) : null;
  const fail = (message: string): TsregError =>
    new TsregError(
      `${message}: expected \`sparse+https://HOST/PATH/\`, or \`https://HOST/PATH\` for a git index`,
      {
        code: 'usage',
      },
    );
  if (url !== null && (url.username !== '' || url.password !== '')) {
    throw fail('`--allow-dependency-registry` has a user or a password in it');
  }
  const isFetchable = url?.protocol === 'https:' || (isSparse && url?.protocol === 'http:');
  if (url === null || !isFetchable || url.search !== '' || url.hash !== '' || url.hostname.startsWith('-')) {
    throw fail(`\`--allow-dependency-registry ${text}\` is not the URL of an index`);
  }
  return text;
}

/** Returns a text that is the same for all spellings of an index URL. A git index differs from a sparse one. */
function identityOf(url: string): string {
  const prefix = url.startsWith('sparse+') ? 'sparse+' : '';
  const address = url.slice(prefix.length);
  const href = URL.canParse(address) ? new URL(address).href : address;
  return prefix + href.replace(/\/$/, '');
}
