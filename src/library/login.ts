/** `login` and `logout` as functions. */
import type { LoginInput } from '../ops/login.ts';
import { login as runLogin, type LoginDocument } from '../ops/login.ts';
import { logout as runLogout, type LogoutDocument } from '../ops/logout.ts';
import { call } from './call.ts';
import { type OptionChecks, SWITCH, TEXTS } from './option-checks.ts';
import {
  callToTheEnd,
  OF_REGISTRY_CALLS,
  type RegistryCallOptions,
  registryOptions,
} from './registry-call.ts';

/** What `login` is asked for. */
export interface LoginOptions extends Omit<RegistryCallOptions, 'index'> {
  /** The token to store; none for providers that get one by themselves. Nothing is read from stdin. */
  readonly token?: string | undefined;
  /** For the credential provider of the registry. */
  readonly args?: readonly string[] | undefined;
  /** Asks the registry whose the token is, and stores it only then. */
  readonly check?: boolean | undefined;
}

/** What `logout` is asked for. */
export type LogoutOptions = Omit<RegistryCallOptions, 'index' | 'token' | 'maxWaitMs'>;

const LOGIN_CHECKS: OptionChecks<LoginOptions> = { ...OF_REGISTRY_CALLS, args: TEXTS, check: SWITCH };

/** Where there is nobody to ask. */
const NOBODY: LoginInput = { isTerminal: false, say() {}, readSecretLine: async () => '' };

/**
 * What `tsreg login --json` does and prints: gives a token to the credential provider of a registry, which keeps it.
 * Rejects with a `TsregError` whose message and causes are cargo's: an `UnfinishedError` where the check failed. Cargo
 * Book: cargo login.
 */
export async function login(options: LoginOptions): Promise<LoginDocument> {
  return callToTheEnd(options, LOGIN_CHECKS, (shared, context) => {
    const { args = [], check = false } = options;
    return runLogin({ ...shared, ...registryOptions(options), args, check, input: NOBODY }, context);
  });
}

/**
 * What `tsreg logout --json` does and prints: lets the credential provider of a registry forget its token. Rejects with a
 * `TsregError` whose message and causes are cargo's. Cargo Book: cargo logout.
 */
export async function logout(options: LogoutOptions): Promise<LogoutDocument> {
  return call(options, OF_REGISTRY_CALLS, ({ config }, context) => {
    const { registry } = registryOptions(options);
    return runLogout({ config, registry, dialog: NOBODY }, context);
  });
}
