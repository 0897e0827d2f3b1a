/** `owner` as a function. */
import { owner as runOwner, type OwnerDocument } from '../commands/owner/run.ts';
import { type OptionChecks, SWITCH, TEXTS } from './option-checks.ts';
import {
  callToTheEnd,
  type CratesCallOptions,
  cratesOptions,
  CRATES_CALL_CHECKS,
  registryOptions,
} from './registry-call.ts';

/** Options of `owner`. */
export interface OwnerOptions extends CratesCallOptions {
  /** Logins of users and teams to add as owners. */
  readonly add?: readonly string[] | undefined;
  /** Logins of users and teams to remove from the owners. */
  readonly remove?: readonly string[] | undefined;
  /** Lists the owners afterwards; true by default, unless `add` or `remove` names an owner. */
  readonly list?: boolean | undefined;
}

const CHECKS: OptionChecks<OwnerOptions> = { ...CRATES_CALL_CHECKS, add: TEXTS, remove: TEXTS, list: SWITCH };

/**
 * Adds, removes and lists owners of crates. Returns the document of `tsreg owner --json`. Rejects with a `TsregError`:
 * an `UnfinishedError` if some owners may have changed. Cargo Book: cargo owner.
 */
export async function owner(options: OwnerOptions = {}): Promise<OwnerDocument> {
  return callToTheEnd(options, CHECKS, (shared, context) => {
    const { add = [], remove = [] } = options;
    const list = options.list ?? (add.length === 0 && remove.length === 0);
    const target = { ...registryOptions(options), ...cratesOptions(options) };
    return runOwner({ ...shared, ...target, add, remove, list }, context);
  });
}
