/** Rules of admins about crates of the upstream, in addition to those of flags. They are settings. */
import type { SettingAuthor } from './setting-records.ts';
import type { Page, PageRequest } from './values.ts';

/** The rules. The rules of `Records` apply. */
export interface UpstreamRuleRecords {
  /** Returns the rules for a crate, always in the same order. */
  findUpstreamRules(crate: string): Promise<readonly UpstreamRule[]>;
  /** Lists rules of one kind by name. */
  listUpstreamRules(kind: UpstreamRuleKind, request: PageRequest): Promise<Page<UpstreamRule>>;
  /** Adds a rule, with an audit entry. Returns false, and changes nothing, if it exists already. */
  addUpstreamRule(rule: NewUpstreamRule, by: SettingAuthor): Promise<boolean>;
  /** Removes a rule, with an audit entry. Returns false if it does not exist. */
  removeUpstreamRule(rule: UpstreamRuleTarget, by: SettingAuthor): Promise<boolean>;
}

/** `block`: not served. `allow`: served whatever the other rules say. */
export type UpstreamRuleKind = 'block' | 'allow';

/** A rule without its details. No two rules have the same one. */
export interface UpstreamRuleTarget {
  readonly kind: UpstreamRuleKind;
  /** In the spelling of the admin. */
  readonly name: string;
  /** Without build metadata; null for all versions. */
  readonly version: string | null;
}

/** A rule to add. */
export interface NewUpstreamRule extends UpstreamRuleTarget {
  /** In plain English. */
  readonly reason: string | null;
}

/** A stored rule. */
export interface UpstreamRule extends NewUpstreamRule {
  readonly addedAtMs: number;
}
