/** `update` as a function. */
import { TsregError } from '../core/errors/error.ts';
import { update as runUpdate } from '../commands/update/run.ts';
import type { UpdateDocument } from '../commands/shared/lock/update-document.ts';
import { call, type LockfileOptions, LOCKFILE_CHECKS } from './call.ts';
import { type OptionChecks, SWITCH, TEXT, TEXTS } from './option-checks.ts';

/** Options of `update`. */
export interface UpdateOptions extends LockfileOptions {
  /** Package id specifications of packages to update; all packages by default. */
  readonly specs?: readonly string[] | undefined;
  /** The version or commit to update them to. Only with `specs`. */
  readonly precise?: string | undefined;
  /** Also updates their dependencies. Not together with `precise`. */
  readonly recursive?: boolean | undefined;
  /** Without `specs`: updates only as far as changes in the workspace require. */
  readonly workspace?: boolean | undefined;
  /** Does not write `Cargo.lock`. */
  readonly dryRun?: boolean | undefined;
}

const CHECKS: OptionChecks<UpdateOptions> = {
  ...LOCKFILE_CHECKS,
  specs: TEXTS,
  precise: TEXT,
  recursive: SWITCH,
  workspace: SWITCH,
  dryRun: SWITCH,
};

/**
 * Updates packages in `Cargo.lock`. Returns the document of `tsreg update --json`. Rejects with a `TsregError` that has
 * cargo's message and causes; the file is unchanged then. Cargo Book: cargo update.
 */
export async function update(options: UpdateOptions = {}): Promise<UpdateDocument> {
  return call(options, CHECKS, async (shared, context) => {
    const { specs = [], precise = null, recursive = false, workspace = false, dryRun = false } = options;
    const { ignoreRustVersion = false } = options;
    if (precise !== null && (specs.length === 0 || recursive)) {
      const problem = recursive ? 'cannot be used with `recursive`' : 'needs `specs`';
      throw new TsregError(`\`precise\` ${problem}`, { code: 'usage' });
    }
    const selection = { specs, listsPackages: false, precise, recursive, workspace };
    const { describe } = await runUpdate({ ...shared, ...selection, ignoreRustVersion, dryRun }, context);
    return describe();
  });
}
