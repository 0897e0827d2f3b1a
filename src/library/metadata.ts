/** `metadata` as a function. */
import type { MetadataDocument } from '../metadata/document.ts';
import { bytesOfText } from '../metadata/document-text.ts';
import { metadata as runMetadata } from '../ops/metadata.ts';
import { cachedCall } from './cached-call.ts';
import { type CallOptions, OF_CALLS } from './call.ts';
import { oneOf, type OptionChecks, SWITCH, TEXTS } from './option-checks.ts';

/** What `metadata` is asked for. */
export interface MetadataOptions extends CallOptions {
  /** Members only: nothing is resolved, fetched or written. */
  readonly noDeps?: boolean | undefined;
  /** Target triples; what any of them needs. */
  readonly filterPlatforms?: readonly string[] | undefined;
  /** `legacy` unless given. */
  readonly packageIdFormat?: 'legacy' | 'spec' | undefined;
}

const CHECKS: OptionChecks<MetadataOptions> = {
  ...OF_CALLS,
  noDeps: SWITCH,
  filterPlatforms: TEXTS,
  packageIdFormat: oneOf('legacy', 'spec'),
};

/** The document of `metadata`. */
export interface Metadata {
  /**
   * As `tsreg metadata` prints it, without the line break: one line of JSON in UTF-8. (The program
   * leaves U+007F out of strings, as cargo does, where its output is not coloured.)
   */
  readonly bytes: Uint8Array;
  /**
   * The document as a value, new at each call. Integers beyond 53 bits in `metadata` tables lose their last digits
   * here, and `1.0` becomes `1`; the bytes have them right.
   */
  readonly parse: () => MetadataDocument;
}

/**
 * What `tsreg metadata --format-version 1` prints: a workspace and its resolved dependencies. Creates or updates
 * `Cargo.lock` and fetches packages as that does. Rejects with a `TsregError` whose message and causes are cargo's.
 * Cargo Book: cargo metadata.
 */
export async function metadata(options: MetadataOptions): Promise<Metadata> {
  const bytes = await cachedCall('metadata', { options, checks: CHECKS }, async (shared, context) => {
    const document = await runMetadata(
      {
        ...shared,
        formatVersion: 1,
        noDeps: options.noDeps ?? false,
        filterPlatforms: options.filterPlatforms ?? [],
        idForm: options.packageIdFormat ?? 'legacy',
        lockfilePath: null,
      },
      context,
    );
    return bytesOfText(document);
  });
  return { bytes, parse: () => parseDocument(bytes) };
}

function parseDocument(bytes: Uint8Array): MetadataDocument {
  const document: MetadataDocument = JSON.parse(Buffer.from(bytes).toString('utf8'));
  return document;
}
