/** Records of changes of crates and versions. */
import type { Publication, PublishOutcome, YankOutcome, DeleteOutcome, Actor } from './values.ts';

/** Changes of crates and versions. The rules of `Records` apply. */
export interface PublishRecords {
  /** Adds a version, and the crate if it is new. The actor then owns that crate. */
  publishVersion(publication: Publication): Promise<PublishOutcome>;
  /** Yanks or unyanks a version. */
  setYanked(change: YankChange): Promise<YankOutcome>;
  /** Deletes a version permanently. Deletes the crate too if it is the last version. */
  deleteVersion(deletion: Deletion & { readonly version: string }): Promise<DeleteOutcome>;
  /** Deletes a crate with all versions permanently. Reserves its name, so that it never comes from the upstream. */
  deleteCrate(deletion: Deletion): Promise<DeleteOutcome>;
}

/** Maximum length of the reason of a yank, from the web API and from the pages. */
export const MAX_YANK_REASON_CHARS = 500;

/** A yank or unyank. */
export interface YankChange {
  readonly crate: string;
  readonly version: string;
  readonly isYanked: boolean;
  readonly reason: string | null;
  readonly atMs: number;
  readonly actor: Actor;
}

/** A crate or version to delete permanently. The caller checks the rights. */
export interface Deletion {
  readonly crate: string;
  /** null for the command line. */
  readonly actor: Actor | null;
  readonly reason: string | null;
  readonly atMs: number;
  /** Whether the same versions may be published again. */
  readonly mayReuseVersions: boolean;
  /** Until then, only former owners and admins may use the name of a deleted crate. */
  readonly nameReservedUntilMs: number;
}
