/** `yank` as a function. */
import { yank as runYank, type YankDocument } from '../ops/yank.ts';
import { callToTheEnd, type CratesCallOptions, cratesOptions, registryOptions } from './registry-call.ts';

/** What `yank` is asked for. */
export interface YankOptions extends CratesCallOptions {
  /** `NAME`, or `NAME@VERSION` with a version or a range such as `^1.2`. Without any: the package of `cwd`. */
  readonly crates?: readonly string[];
  /** Of the crates that are named without: a version, or a range such as `^1.2`. */
  readonly version?: string;
  /** Puts versions back. */
  readonly undo?: boolean;
  /** For registries that keep it. */
  readonly reason?: string;
}

/**
 * What `tsreg yank --json` does and prints: takes versions out of the index of a registry, or puts them back. Rejects with
 * a `TsregError`: an `UnfinishedError` if some versions may have changed by then. Cargo Book: cargo yank.
 */
export async function yank(options: YankOptions): Promise<YankDocument> {
  const { version = null, undo = false, reason = null } = options;
  return callToTheEnd(options, (shared, context) =>
    runYank(
      { ...shared, ...registryOptions(options), ...cratesOptions(options), version, undo, reason },
      context,
    ),
  );
}
