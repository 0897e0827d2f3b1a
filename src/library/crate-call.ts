/** The common parts of the functions on one crate of a registry, without a workspace. */
import { Secret } from '../io/config/secret.ts';
import type { RegistryFlags } from '../commands/shared/registry/select-registry.ts';
import { COMMON_CHECKS, type CommonOptions } from './call.ts';
import { checkOptions, type OptionChecks, required, TEXT } from './option-checks.ts';
import { checkRegistry, REGISTRY_OPTION_CHECKS, type RegistryOptions } from './registry-call.ts';

/** Options of the functions on one crate of a registry. */
export interface CrateCallOptions extends CommonOptions, RegistryOptions {
  /** For registries that require a token for reading; by default, the configured one is used. */
  readonly token?: string | undefined;
}

/** The checks for `CrateCallOptions`. */
export const CRATE_CALL_CHECKS: OptionChecks<CrateCallOptions> = {
  ...COMMON_CHECKS,
  ...REGISTRY_OPTION_CHECKS,
  token: TEXT,
};

const ARGUMENT_CHECKS: OptionChecks<{ readonly spec: string }> = { spec: required(TEXT) };

/** Returns the crate and the registry for operations. Throws `usage` if `spec` is no string. */
export function crateOptions(
  spec: string,
  { token, ...options }: Pick<CrateCallOptions, 'registry' | 'index' | 'token'>,
): { readonly spec: string; readonly registry: RegistryFlags; readonly token: Secret | null } {
  checkOptions({ spec }, ARGUMENT_CHECKS);
  return { spec, registry: checkRegistry(options), token: token === undefined ? null : new Secret(token) };
}
