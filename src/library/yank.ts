/** `yank` as a function. */
import { yank as runYank, type YankDocument } from '../commands/yank/run.ts';
import { type OptionChecks, SWITCH, TEXT } from './option-checks.ts';
import {
  callToTheEnd,
  type CratesCallOptions,
  cratesOptions,
  CRATES_CALL_CHECKS,
  registryOptions,
} from './registry-call.ts';

/** Options of `yank`. */
export interface YankOptions extends CratesCallOptions {
  /** `NAME`, or `NAME@VERSION` with a version or a range such as `^1.2`. By default it is the package in `cwd`. */
  readonly crates?: readonly string[] | undefined;
  /** For crates without their own version: a version, or a range such as `^1.2`. */
  readonly version?: string | undefined;
  /** Unyanks the versions. */
  readonly undo?: boolean | undefined;
  /** The reason, for registries that store it. */
  readonly reason?: string | undefined;
}

const CHECKS: OptionChecks<YankOptions> = {
  ...CRATES_CALL_CHECKS,
  version: TEXT,
  undo: SWITCH,
  reason: TEXT,
};

/**
 * Yanks or unyanks versions in a registry. Returns the document of `tsreg yank --json`. Rejects with a `TsregError`: an
 * `UnfinishedError` if some versions may have changed. Cargo Book: cargo yank.
 */
export async function yank(options: YankOptions = {}): Promise<YankDocument> {
  return callToTheEnd(options, CHECKS, (shared, context) => {
    const { version = null, undo = false, reason = null } = options;
    const target = { ...registryOptions(options), ...cratesOptions(options) };
    return runYank({ ...shared, ...target, version, undo, reason }, context);
  });
}
