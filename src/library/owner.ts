/** `owner` as a function. */
import { owner as runOwner, type OwnerDocument } from '../ops/owner.ts';
import { type OptionChecks, SWITCH, TEXTS } from './option-checks.ts';
import {
  callToTheEnd,
  type CratesCallOptions,
  cratesOptions,
  OF_CRATES_CALLS,
  registryOptions,
} from './registry-call.ts';

/** What `owner` is asked for. */
export interface OwnerOptions extends CratesCallOptions {
  /** Logins of users and teams that are to be owners. */
  readonly add?: readonly string[] | undefined;
  /** Logins of users and teams that are not to be owners any more. */
  readonly remove?: readonly string[] | undefined;
  /** Asks for the owners afterwards; true unless `add` or `remove` is given. */
  readonly list?: boolean | undefined;
}

const CHECKS: OptionChecks<OwnerOptions> = { ...OF_CRATES_CALLS, add: TEXTS, remove: TEXTS, list: SWITCH };

/**
 * What `tsreg owner --json` does and prints: adds, removes and lists owners of crates. Rejects with a `TsregError`: an
 * `UnfinishedError` if some owners may have changed by then. Cargo Book: cargo owner.
 */
export async function owner(options: OwnerOptions): Promise<OwnerDocument> {
  return callToTheEnd(options, CHECKS, (shared, context) => {
    const { add = [], remove = [] } = options;
    const list = options.list ?? (add.length === 0 && remove.length === 0);
    const which = { ...registryOptions(options), ...cratesOptions(options) };
    return runOwner({ ...shared, ...which, add, remove, list }, context);
  });
}
