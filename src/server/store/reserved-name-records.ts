/** Reserved names, which never come from the upstream. */

/** The reserved names of a registry. The rules of `Records` apply. */
export interface ReservedNameRecords {
  /**
   * Returns true if the upstream must not supply this name: a crate of it exists here, or the name is reserved. The name
   * may be in any spelling: upper case equals lower case, and `-` equals `_`.
   */
  isLocalName(name: string): Promise<boolean>;
  /** Returns true if the name, in any spelling, is reserved. */
  isReserved(name: string): Promise<boolean>;
  /** Lists reserved names by pattern. */
  listReservedNames(): Promise<readonly ReservedName[]>;
  /** Reserves a name, with an audit entry. Returns false, and changes nothing, if it is reserved already. */
  addReservedName(change: ReservedNameChange): Promise<boolean>;
  /** Releases a name, with an audit entry. Returns false if it is not reserved. */
  removeReservedName(change: ReservedNameChange): Promise<boolean>;
}

/** A reserved name, which never comes from the upstream. */
export interface ReservedName {
  /** A name, or a prefix followed by `*`; in lower case with `_` for `-`. */
  readonly pattern: string;
  /** In plain English. */
  readonly reason: string | null;
  readonly addedAtMs: number;
}

/** A name to reserve or release. */
export interface ReservedNameChange {
  /** A name, or a prefix followed by `*`, in any spelling. */
  readonly pattern: string;
  readonly reason: string | null;
  readonly atMs: number;
  /** Login of the admin; absent for the command line. */
  readonly actor?: string;
}
