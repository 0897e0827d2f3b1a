/** `yank` as a function. */
import { yank as runYank, type YankDocument } from '../ops/yank.ts';
import { type OptionChecks, SWITCH, TEXT } from './option-checks.ts';
import {
  callToTheEnd,
  type CratesCallOptions,
  cratesOptions,
  OF_CRATES_CALLS,
  registryOptions,
} from './registry-call.ts';

/** What `yank` is asked for. */
export interface YankOptions extends CratesCallOptions {
  /** `NAME`, or `NAME@VERSION` with a version or a range such as `^1.2`. Without any: the package of `cwd`. */
  readonly crates?: readonly string[] | undefined;
  /** Of the crates that are named without: a version, or a range such as `^1.2`. */
  readonly version?: string | undefined;
  /** Puts versions back. */
  readonly undo?: boolean | undefined;
  /** For registries that keep it. */
  readonly reason?: string | undefined;
}

const CHECKS: OptionChecks<YankOptions> = { ...OF_CRATES_CALLS, version: TEXT, undo: SWITCH, reason: TEXT };

/**
 * What `tsreg yank --json` does and prints: takes versions out of the index of a registry, or puts them back. Rejects with
 * a `TsregError`: an `UnfinishedError` if some versions may have changed by then. Cargo Book: cargo yank.
 */
export async function yank(options: YankOptions): Promise<YankDocument> {
  return callToTheEnd(options, CHECKS, (shared, context) => {
    const { version = null, undo = false, reason = null } = options;
    const which = { ...registryOptions(options), ...cratesOptions(options) };
    return runYank({ ...shared, ...which, version, undo, reason }, context);
  });
}
