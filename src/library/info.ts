/** `info` as a function. */
import { packageInfo } from '../ops/info.ts';
import type { InfoDocument } from '../ops/info/info-document.ts';
import { call, type LockfileOptions } from './call.ts';
import { checkRegistry, type RegistryOptions } from './registry-call.ts';

/** What `info` is asked for. */
export interface InfoOptions
  extends Omit<LockfileOptions, 'ignoreRustVersion' | 'manifestPath'>,
    RegistryOptions {
  /** A package id specification: `serde`, `serde@1`, … */
  readonly spec: string;
  /** `legacy` unless given. */
  readonly packageIdFormat?: 'legacy' | 'spec';
}

/**
 * What `tsreg info --json` prints: a package of the workspace of `cwd`, or of a registry. Fetches it, and brings
 * `Cargo.lock` up to date, as that does. Rejects with a `TsregError` whose message and causes are cargo's.
 * Cargo Book: cargo info.
 */
export async function info(options: InfoOptions): Promise<InfoDocument> {
  const { spec, packageIdFormat = 'legacy' } = options;
  return call(options, async (shared, context) => {
    const { describe } = await packageInfo({ ...shared, spec, registry: checkRegistry(options) }, context);
    return describe(packageIdFormat);
  });
}
