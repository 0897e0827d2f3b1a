/** `metadata` as a function. */
import type { MetadataDocument } from '../core/document/document.ts';
import { DOCUMENT_FIELDS } from '../core/document/document-fields.ts';
import { bytesOfText } from '../core/document/document-text.ts';
import { metadata as runMetadata } from '../commands/metadata/run.ts';
import { cachedCall } from './cached-call.ts';
import { type CallOptions, CALL_CHECKS } from './call.ts';
import { oneOf, type OptionChecks, SWITCH, TEXTS } from './option-checks.ts';

/** Options of `metadata`. */
export interface MetadataOptions extends CallOptions {
  /** Returns only members: resolves, fetches and writes nothing. */
  readonly noDeps?: boolean | undefined;
  /** Target triples; dependencies that none of them needs are left out. */
  readonly filterPlatforms?: readonly string[] | undefined;
  /** `legacy` by default. */
  readonly packageIdFormat?: 'legacy' | 'spec' | undefined;
}

const CHECKS: OptionChecks<MetadataOptions> = {
  ...CALL_CHECKS,
  noDeps: SWITCH,
  filterPlatforms: TEXTS,
  packageIdFormat: oneOf('legacy', 'spec'),
};

/** The document of `metadata`. */
export interface Metadata {
  /**
   * The output of `tsreg metadata` without the line break: one line of JSON in UTF-8. (If its output is not coloured,
   * the program omits U+007F from strings, as cargo does.)
   */
  readonly bytes: Uint8Array;
  /**
   * Returns the document as a value, a new one for each call. Integers beyond 53 bits in `metadata` tables lose
   * precision here, and `1.0` becomes `1`; the bytes are exact.
   */
  readonly parse: () => MetadataDocument;
}

/**
 * Returns the document of `tsreg metadata --format-version 1`: a workspace and its resolved dependencies. Creates or
 * updates `Cargo.lock` and fetches packages, as the command does. Rejects with a `TsregError` that has cargo's message
 * and causes. Cargo Book: cargo metadata.
 */
export async function metadata(options: MetadataOptions = {}): Promise<Metadata> {
  const bytes = await cachedCall('metadata', { options, checks: CHECKS }, async (shared, context) => {
    const document = await runMetadata(
      {
        ...shared,
        formatVersion: 1,
        noDeps: options.noDeps ?? false,
        filterPlatforms: options.filterPlatforms ?? [],
        idForm: options.packageIdFormat ?? 'legacy',
        fields: DOCUMENT_FIELDS,
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
