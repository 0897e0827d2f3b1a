/** The result of a request to publish. */
import type { PublishMetadata } from '../../core/protocol/publish-metadata.ts';
import { MAX_INDEX_FILE_BYTES } from '../store/index-limits.ts';
import type { PublishOutcome } from '../store/values.ts';
import type { PublishWarnings } from './check-metadata.ts';

/** The result. A refused publication has changed nothing. */
export type PublishResult =
  | {
      readonly kind: 'published';
      readonly crate: string;
      readonly version: string;
      /** Hex SHA-256 of the `.crate`; empty after a dry run. */
      readonly checksum: string;
      readonly isNewCrate: boolean;
      readonly warnings: PublishWarnings;
    }
  | PublishRefusal;

/** The response to a publication that breaks a rule. */
export interface PublishRefusal {
  readonly kind: 'refused';
  readonly status: PublishRefusalStatus;
  readonly detail: string;
}

/** 400 for invalid data or a broken rule, 403 for missing rights, 409 for a taken version or name, 413 for size. */
export type PublishRefusalStatus = 400 | 403 | 409 | 413;

/** The rejected metadata, and whether the actor may know which crates exist. */
export interface RefusalContext {
  readonly metadata: PublishMetadata;
  readonly mayRead: boolean;
}

/** Returns the response to a version that the records did not accept. */
export function refusalOf(
  outcome: Exclude<PublishOutcome, { readonly kind: 'published' }>,
  { metadata: { name, version }, mayRead }: RefusalContext,
): PublishRefusal {
  // An actor without read access must not learn which crates exist.
  if (!mayRead && (outcome.kind === 'not-owner' || outcome.kind === 'out-of-scope')) {
    return refused(403, `the token does not allow to publish the crate \`${name}\``);
  }
  switch (outcome.kind) {
    case 'duplicate':
      return outcome.existing === version
        ? refused(409, `crate version \`${version}\` is already uploaded`)
        : refused(
            409,
            `crate version \`${outcome.existing}\` is already uploaded, which differs only in build metadata`,
          );
    case 'other-spelling':
      return refused(
        409,
        `the name \`${name}\` is taken: the crate was previously named \`${outcome.existing}\``,
      );
    case 'version-deleted':
      return refused(409, `crate version \`${version}\` was deleted, and cannot be uploaded again`);
    case 'name-reserved':
      return refused(
        409,
        `a crate named \`${name}\` was deleted, and the name is reserved for its owners until ${new Date(outcome.untilMs).toISOString().slice(0, 10)}`,
      );
    case 'not-owner':
      return refused(403, "this crate exists but you don't seem to be an owner");
    case 'index-full':
      return refused(
        400,
        `the index file of the crate \`${name}\` has ${outcome.bytes} bytes, and cannot take another version (max ${MAX_INDEX_FILE_BYTES})`,
      );
    case 'trusted-only':
      return refused(
        403,
        `new versions of the crate \`${name}\` are published only by trusted publishing: this token is not from trusted publishing`,
      );
    case 'out-of-scope':
      return refused(
        403,
        `the token does not allow this: it needs the scope \`${outcome.scope}\`, for the crate \`${name}\``,
      );
  }
}

function refused(status: PublishRefusalStatus, detail: string): PublishRefusal {
  return { kind: 'refused', status, detail };
}
