/** `info` as a function. */
import { packageInfo } from '../commands/info/run.ts';
import type { InfoDocument } from '../commands/info/document.ts';
import { call, COMMON_CHECKS, type CommonOptions } from './call.ts';
import { oneOf, type OptionChecks, required, TEXT } from './option-checks.ts';
import { checkRegistry, REGISTRY_OPTION_CHECKS, type RegistryOptions } from './registry-call.ts';

/** Options of `info`. */
export interface InfoOptions extends CommonOptions, RegistryOptions {
  /** A package id specification: `serde`, `serde@1`, … */
  readonly spec: string;
  /** `legacy` by default. */
  readonly packageIdFormat?: 'legacy' | 'spec' | undefined;
}

const CHECKS: OptionChecks<InfoOptions> = {
  ...COMMON_CHECKS,
  ...REGISTRY_OPTION_CHECKS,
  spec: required(TEXT),
  packageIdFormat: oneOf('legacy', 'spec'),
};

/**
 * Returns the document of `tsreg info --json`: a package of the workspace in `cwd`, or of a registry. Downloads it and
 * updates `Cargo.lock`, as the command does. Rejects with a `TsregError` that has cargo's message and causes. Cargo
 * Book: cargo info.
 */
export async function info(options: InfoOptions): Promise<InfoDocument> {
  return call(options, CHECKS, async (shared, context) => {
    const { spec, packageIdFormat = 'legacy' } = options;
    const { describe } = await packageInfo({ ...shared, spec, registry: checkRegistry(options) }, context);
    return describe(packageIdFormat);
  });
}
