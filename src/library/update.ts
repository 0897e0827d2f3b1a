/** `update` as a function. */
import { TsregError } from '../errors/error.ts';
import { update as runUpdate } from '../ops/update.ts';
import type { UpdateDocument } from '../ops/update/update-document.ts';
import { call, type LockfileOptions, OF_LOCKFILES } from './call.ts';
import { type OptionChecks, SWITCH, TEXT, TEXTS } from './option-checks.ts';

/** What `update` is asked for. */
export interface UpdateOptions extends LockfileOptions {
  /** Package id specifications of what is to be updated; everything unless given. */
  readonly specs?: readonly string[] | undefined;
  /** The version or the commit that they are to have. Only with `specs`. */
  readonly precise?: string | undefined;
  /** With everything that they depend on. Not together with `precise`. */
  readonly recursive?: boolean | undefined;
  /** Without `specs`: only what changes of the workspace ask for. */
  readonly workspace?: boolean | undefined;
  /** Leaves `Cargo.lock` as it is. */
  readonly dryRun?: boolean | undefined;
}

const CHECKS: OptionChecks<UpdateOptions> = {
  ...OF_LOCKFILES,
  specs: TEXTS,
  precise: TEXT,
  recursive: SWITCH,
  workspace: SWITCH,
  dryRun: SWITCH,
};

/**
 * What `tsreg update --json` does and prints: chooses packages of `Cargo.lock` anew. Rejects with a `TsregError` whose
 * message and causes are cargo's; then the file is as it was. Cargo Book: cargo update.
 */
export async function update(options: UpdateOptions): Promise<UpdateDocument> {
  return call(options, CHECKS, async (shared, context) => {
    const { specs = [], precise = null, recursive = false } = options;
    if (precise !== null && (specs.length === 0 || recursive)) {
      const problem = recursive ? 'cannot be used with `recursive`' : 'needs `specs`';
      throw new TsregError(`\`precise\` ${problem}`, { code: 'usage' });
    }
    const own = { ignoreRustVersion: options.ignoreRustVersion ?? false, specs, precise, recursive };
    const { workspace = false, dryRun = false } = options;
    const { describe } = await runUpdate({ ...shared, ...own, workspace, dryRun }, context);
    return describe();
  });
}
