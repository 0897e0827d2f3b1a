/** Names of folders under `CARGO_HOME` and of build folders. Cargo Book: Cargo Home. */
import { folderName } from './path-part.ts';
import type { GitReference, SourceId, SourceKind } from './source-id.ts';
import { stableHash } from './stable-hash.ts';
import { lastPathSegment, urlHost } from './url.ts';

/** Numbers that go into the hash. Their order is not that of `compareSources`. */
const KIND_BYTE: Readonly<Record<SourceKind, number>> = {
  git: 0,
  path: 1,
  registry: 2,
  'sparse-registry': 3,
  'local-registry': 4,
  directory: 5,
};
const REFERENCE_BYTE: Readonly<Record<GitReference['kind'], number>> = {
  tag: 0,
  branch: 1,
  rev: 2,
  default: 3,
};

/** Returns the folder name of a registry below `registry/index`, `registry/cache` and `registry/src`. */
export function registryDirName(source: SourceId): string {
  return folderName(`${urlHost(source.url)}-${shortHash(source)}`);
}

/** Returns the folder name of a repository below `git/db` and `git/checkouts`. It is the same for every reference. */
export function gitDbName(source: SourceId): string {
  const { canonicalUrl } = source;
  return folderName(`${lastPathSegment(canonicalUrl) || '_empty'}-${stableHash(terminated(canonicalUrl))}`);
}

/** Returns the hash of a source's kind, git reference and canonical URL: 16 hexadecimal digits. */
export function shortHash(source: SourceId): string {
  const head = [KIND_BYTE[source.kind]];
  const { reference } = source;
  if (reference !== null) {
    head.push(REFERENCE_BYTE[reference.kind]);
    if (reference.kind !== 'default') head.push(...terminated(reference.name));
  }
  return stableHash(Buffer.concat([Buffer.from(head), terminated(source.canonicalUrl)]));
}

/**
 * Returns the hash of an absolute path, for `{workspace-path-hash}` of `build.build-dir`: 16 hexadecimal digits. Cargo
 * Book: Configuration, build.build-dir.
 */
export function pathHash(path: string): string {
  const parts: Uint8Array[] = [];
  let lengths = 0n;
  for (const component of path.split('/')) {
    if (component === '' || component === '.') continue;
    const bytes = Buffer.from(component);
    parts.push(bytes);
    const sum = (lengths + BigInt(bytes.length)) & 0xffff_ffff_ffff_ffffn;
    lengths = (sum >> 2n) | ((sum & 3n) << 62n);
  }
  const tail = Buffer.alloc(8);
  tail.writeBigUInt64LE(lengths);
  return stableHash(Buffer.concat([...parts, tail]));
}

function terminated(text: string): Buffer {
  return Buffer.concat([Buffer.from(text), Buffer.of(0xff)]);
}
