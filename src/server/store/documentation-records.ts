/** Records of the documentation of versions: the output of rustdoc, packed into one blob for each version. */
import type { StoredVersion } from './crate-records.ts';
import type { Actor } from './values.ts';

/** The documentation of versions. The rules of `Records` apply. */
export interface DocumentationRecords {
  /** Finds the documentation of a version by the exact text of the version. */
  findDocumentation(crate: string, version: string): Promise<Documentation | null>;
  /** Lists the documentation of a crate: the highest version first, and yanked versions last. */
  listDocumentation(crate: string): Promise<readonly Documentation[]>;
  /**
   * Adds or replaces the documentation of a version, whose blob is stored, with an audit entry. With `stored: null`, only
   * checks whether the actor may do this.
   */
  setDocumentation(change: DocumentationChange & DocumentationUpload): Promise<DocumentationOutcome>;
  /** Removes the documentation of a version, with an audit entry. */
  deleteDocumentation(change: DocumentationChange): Promise<DocumentationRemovalOutcome>;
  /** Yields the documentation of every version in the form that `eachVersion` has, with the blob of the documentation. */
  eachDocumentation(): AsyncIterable<StoredVersion>;
}

/** The documentation of a version. */
export interface Documentation extends DocumentationBlob {
  readonly crate: string;
  readonly version: string;
  readonly uploadedAtMs: number;
}

/** A blob with packed documentation. */
export interface DocumentationBlob {
  /** The key in `Blobs`. Differs between uploads. */
  readonly blobKey: string;
  /** Hex SHA-256 of the blob. */
  readonly checksum: string;
  /** Bytes of the blob. */
  readonly size: number;
  /** Bytes of the index at the end of the blob. */
  readonly indexSize: number;
}

/** A change of the documentation of a version. */
export interface DocumentationChange {
  readonly crate: string;
  readonly version: string;
  readonly atMs: number;
  readonly actor: Actor;
}

/** The new documentation. */
export interface DocumentationUpload {
  /** null to check the rights only. */
  readonly stored: DocumentationBlob | null;
}

/** The reason why the documentation of a version cannot be changed. */
export type DocumentationRefusal =
  | { readonly kind: 'no-crate' }
  | { readonly kind: 'not-owner' }
  | { readonly kind: 'no-version'; readonly crate: string };

/** The result of an upload. */
export type DocumentationOutcome =
  /** The names as they were published, and the key of the previous blob, to which no record refers now. */
  | {
      readonly kind: 'stored';
      readonly crate: string;
      readonly version: string;
      readonly replacedKey: string | null;
    }
  /** Only tokens of trusted publishing may upload. */
  | { readonly kind: 'trusted-only'; readonly crate: string }
  | DocumentationRefusal;

/** The result of a removal. No record refers to the blob `blobKey`, which the caller deletes. */
export type DocumentationRemovalOutcome =
  | { readonly kind: 'removed'; readonly crate: string; readonly blobKey: string }
  | { readonly kind: 'no-documentation'; readonly crate: string }
  | DocumentationRefusal;
