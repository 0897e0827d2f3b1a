/** Names of folders under `CARGO_HOME` and of build folders. Cargo Book: Cargo Home. */
import { folderName } from './path-part.ts';
import { REFERENCE_INDEX, SOURCE_KIND_INDEX, type SourceId } from './source-id.ts';
import { stableHash } from './stable-hash.ts';
import { lastPathSegment, urlHost } from './url.ts';

/** Returns the folder name of a registry below `registry/index`, `registry/cache` and `registry/src`. */
export function registryDirName(source: SourceId): string {
  return folderName(`${urlHost(source.url)}-${shortHash(source)}`);
}

/** Returns the folder name of a repository below `git/db` and `git/checkouts`. It is the same for every reference. */
export function gitDbName(source: SourceId): string {
  const { canonicalUrl } = source;
  return folderName(`${lastPathSegment(canonicalUrl) || '_empty'}-${stableHash(hashedText(canonicalUrl))}`);
}

/** Returns the hash of a source's kind, git reference and canonical URL: 16 hexadecimal digits. */
export function shortHash(source: SourceId): string {
  const bytes = [SOURCE_KIND_INDEX[source.kind]];
  const { reference } = source;
  if (reference !== null) {
    bytes.push(REFERENCE_INDEX[reference.kind]);
    if (reference.kind !== 'default') bytes.push(...hashedText(reference.name));
  }
  return stableHash(Buffer.concat([Buffer.from(bytes), hashedText(source.canonicalUrl)]));
}

/**
 * Returns the hash of an absolute path as in Rust: of its components, then of their lengths. It is for
 * `{workspace-path-hash}` of `build.build-dir`: 16 hexadecimal digits. Cargo Book: Configuration, build.build-dir.
 */
export function pathHash(path: string): string {
  const components: Uint8Array[] = [];
  // Rust adds each length to the others and rotates the sum to the right by 2 of 64 bits.
  let lengths = 0n;
  for (const component of path.split('/')) {
    if (component === '' || component === '.') continue;
    const bytes = Buffer.from(component);
    components.push(bytes);
    const sum = (lengths + BigInt(bytes.length)) & 0xffff_ffff_ffff_ffffn;
    lengths = (sum >> 2n) | ((sum & 3n) << 62n);
  }
  const lengthBytes = Buffer.alloc(8);
  lengthBytes.writeBigUInt64LE(lengths);
  return stableHash(Buffer.concat([...components, lengthBytes]));
}

/** Returns text as UTF-8 with the byte that Rust's `str` adds to its hash. */
function hashedText(text: string): Buffer {
  return Buffer.concat([Buffer.from(text), Buffer.of(0xff)]);
}
