/** `owner` as a function. */
import { owner as runOwner, type OwnerDocument } from '../ops/owner.ts';
import { callToTheEnd, type CratesCallOptions, cratesOptions, registryOptions } from './registry-call.ts';

/** What `owner` is asked for. */
export interface OwnerOptions extends CratesCallOptions {
  /** Logins of users and teams that are to be owners. */
  readonly add?: readonly string[];
  /** Logins of users and teams that are not to be owners any more. */
  readonly remove?: readonly string[];
  /** Asks for the owners afterwards; true unless `add` or `remove` is given. */
  readonly list?: boolean;
}

/**
 * What `tsreg owner --json` does and prints: adds, removes and lists owners of crates. Rejects with a `TsregError`: an
 * `UnfinishedError` if some owners may have changed by then. Cargo Book: cargo owner.
 */
export async function owner(options: OwnerOptions): Promise<OwnerDocument> {
  const { add = [], remove = [] } = options;
  const list = options.list ?? (add.length === 0 && remove.length === 0);
  return callToTheEnd(options, (shared, context) =>
    runOwner(
      { ...shared, ...registryOptions(options), ...cratesOptions(options), add, remove, list },
      context,
    ),
  );
}
