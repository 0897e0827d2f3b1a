/** Records of settings that admins change in the pages. */

/** The settings. The rules of `Records` apply. */
export interface SettingRecords {
  /** Returns the values of all settings by name, without the rules of `UpstreamRuleRecords`. */
  listSettings(): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Changes settings, and adds an audit entry for each. */
  changeSettings(changes: readonly SettingChange[], by: SettingAuthor): Promise<void>;
}

/** A change of one setting. */
export interface SettingChange {
  readonly name: string;
  /** null to delete the setting. */
  readonly value: Uint8Array | null;
  /** The change in plain English, for the audit trail. */
  readonly detail: string;
}

/** Who changes settings, and when. */
export interface SettingAuthor {
  readonly login: string;
  readonly atMs: number;
}
