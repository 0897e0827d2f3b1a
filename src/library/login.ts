/** `login` and `logout` as functions. */
import type { LoginInput } from '../commands/shared/login-dialog.ts';
import { login as runLogin, type LoginDocument } from '../commands/login/run.ts';
import { logout as runLogout, type LogoutDocument } from '../commands/logout/run.ts';
import { call } from './call.ts';
import { type OptionChecks, SWITCH, TEXTS } from './option-checks.ts';
import {
  callToTheEnd,
  REGISTRY_CALL_CHECKS,
  type RegistryCallOptions,
  registryOptions,
} from './registry-call.ts';

/** Options of `login`. */
export interface LoginOptions extends Omit<RegistryCallOptions, 'index'> {
  /** The token to store; omit it if the credential provider gets one itself. Nothing is read from stdin. */
  readonly token?: string | undefined;
  /** Arguments for the credential provider of the registry. */
  readonly args?: readonly string[] | undefined;
  /** Asks the registry which user the token belongs to. A given token is stored only if it responds. */
  readonly check?: boolean | undefined;
}

/** Options of `logout`. */
export type LogoutOptions = Omit<RegistryCallOptions, 'index' | 'token' | 'maxWaitMs'>;

const LOGIN_CHECKS: OptionChecks<LoginOptions> = { ...REGISTRY_CALL_CHECKS, args: TEXTS, check: SWITCH };

/** The dialog of a call: nobody reads what it says or types a token. */
const NO_DIALOG: LoginInput = { isTerminal: false, say() {}, readSecretLine: async () => '' };

/**
 * Passes a token to the credential provider of a registry, which stores it. Returns the document of
 * `tsreg login --json`. Rejects with a `TsregError` that has cargo's message and causes: an `UnfinishedError` if the
 * check failed. Cargo Book: cargo login.
 */
export async function login(options: LoginOptions = {}): Promise<LoginDocument> {
  return callToTheEnd(options, LOGIN_CHECKS, (shared, context) => {
    const { args = [], check = false } = options;
    return runLogin({ ...shared, ...registryOptions(options), args, check, input: NO_DIALOG }, context);
  });
}

/**
 * Makes the credential provider of a registry delete its token. Returns the document of `tsreg logout --json`. Rejects
 * with a `TsregError` that has cargo's message and causes. Cargo Book: cargo logout.
 */
export async function logout(options: LogoutOptions = {}): Promise<LogoutDocument> {
  return call(options, REGISTRY_CALL_CHECKS, ({ config }, context) => {
    const { registry } = registryOptions(options);
    return runLogout({ config, registry, dialog: NO_DIALOG }, context);
  });
}
