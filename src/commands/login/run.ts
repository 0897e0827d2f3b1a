/** `login`: stores a token for a registry. Cargo Book: cargo login; Registry Authentication. */
import { Secret } from '../../io/config/secret.ts';
import { TsregError } from '../../core/errors/error.ts';
import { displayRegistryName } from '../../core/package-id/describe.ts';
import type { Account } from '../../core/protocol/api-responses.ts';
import type { Transport } from '../../io/http/transport.ts';
import type { OperationContext } from '../../core/report/report.ts';
import type { LoginInput } from '../shared/login-dialog.ts';
import { askAccount } from '../shared/registry/ask-account.ts';
import {
  prepareRegistry,
  type PreparedRegistry,
  type RegistryCommandOptions,
} from '../shared/registry/open-registry.ts';
import { type RegistryName, registryNameOf } from '../shared/registry/registry-document.ts';
import { chooseRegistry, type RegistryFlags } from '../shared/registry/select-registry.ts';

/** The most bytes to read of a registry's login page, whose content does not matter. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;

/** The command-line options of `login`. */
export interface LoginOptions extends RegistryCommandOptions {
  readonly registry: RegistryFlags;
  /** Arguments after `--`, for the provider of the registry. */
  readonly args: readonly string[];
  /** True to ask the registry which user the token belongs to. */
  readonly check: boolean;
  readonly input: LoginInput;
}

/** The document of `login --json`. */
export interface LoginDocument {
  /** Version of this format. */
  readonly version: 1;
  readonly registry: RegistryName;
  /** The page where the registry gives out tokens; null if it does not name one. */
  readonly loginUrl: string | null;
  /** The login of the token's user; null unless it was checked successfully. */
  readonly user: string | null;
  /** The result of the check; null without a check. `unknown`: the registry did not respond, or supports no check. */
  readonly check: 'accepted' | 'refused' | 'unknown' | null;
  /** False if the check failed before the token was stored. Then the old token is unchanged. */
  readonly stored: boolean;
}

/** The result of `login`. */
export interface LoginResult {
  readonly document: LoginDocument;
  /** The error of the check; null if it did not fail. */
  readonly failure: TsregError | null;
}

/**
 * Passes a token to the provider of the registry, which prompts for it if there is none. With `check`, stores the token
 * only after the registry has named its user. A token that the provider gets by itself is checked after it is stored.
 * Rejects with cargo's errors.
 */
export async function login(options: LoginOptions, context: OperationContext): Promise<LoginResult> {
  const { args, config, input, token } = options;
  const choice = chooseRegistry(options.registry, config);
  const prepared = await prepareRegistry(
    { ...options, choice, refreshes: false, needsToken: false },
    context,
  );
  const { original } = prepared.source;
  try {
    const { isPublic, loginUrl: knownUrl } = await findLoginUrl(prepared);
    const inputToken = token ?? (input.isTerminal ? null : await readPipedToken(input));
    // Do not send a person to a page that does not exist. cargo names it without a check.
    const mustExist = inputToken === null && isPublic && knownUrl !== null && !options.isCargo;
    const isMissing = mustExist && !(await mayExist(knownUrl, prepared.access.transport));
    const loginUrl = isMissing ? null : knownUrl;
    const check = options.check ? new LoginCheck(prepared, context, { isPublic }) : null;
    const hook = check === null ? {} : { check: (newToken: Secret) => check.run(newToken) };
    let stored = false;
    try {
      await prepared.credentials.login(original, {
        token: inputToken,
        loginUrl,
        args,
        dialog: input,
        ...hook,
      });
      stored = true;
      // The provider got the token by itself, and did not call the hook.
      if (check?.account === null) await check.run(null);
    } catch (error) {
      // The result contains the failure of the check.
      if (check === null || check.failure === null) throw error;
    }
    return {
      document: {
        version: 1,
        registry: registryNameOf(original),
        loginUrl,
        user: check?.account?.login ?? null,
        check: check?.outcome ?? null,
        stored,
      },
      failure: check?.failure ?? null,
    };
  } finally {
    await prepared.close();
  }
}

/**
 * Returns the page where users find their tokens; null if it is unknown. `isPublic` is false if the registry cannot
 * be read without a token: then the page is the one that its refusal names.
 */
async function findLoginUrl(
  prepared: PreparedRegistry,
): Promise<{ readonly isPublic: boolean; readonly loginUrl: string | null }> {
  const { source, credentials, access } = prepared;
  let isPublic = false;
  try {
    const { host, isAuthRequired } = await prepared.open();
    isPublic = true;
    if (isAuthRequired) await credentials.token(source.original, { kind: 'read' });
    access.transport.assertOnline();
    return { isPublic, loginUrl: `${host}/me` };
  } catch (error) {
    if (!credentials.isRefusal(error)) throw error;
    return { isPublic, loginUrl: isPublic ? null : credentials.loginUrl(source.actual) };
  }
}

/** Returns false only if the server responds that the page does not exist. */
async function mayExist(url: string, transport: Transport): Promise<boolean> {
  try {
    const { status } = await transport.send({ url, headers: {}, maxBytes: MAX_PAGE_BYTES }, { isOnce: true });
    return status !== 404 && status !== 410;
  } catch (error) {
    if (error instanceof TsregError && error.code !== 'aborted') return true;
    throw error;
  }
}

/** Returns the token that a program has written to stdin; null for an empty line. */
async function readPipedToken(input: LoginInput): Promise<Secret | null> {
  const line = await input.readSecretLine();
  return line === '' ? null : new Secret(line);
}

/** A check of the token with the registry, and its result. */
class LoginCheck {
  /** The user of the token; null before a successful check. */
  account: Account | null = null;
  /** The error of the check; null if it did not fail. */
  failure: TsregError | null = null;
  readonly #prepared: PreparedRegistry;
  /** False if the registry cannot be read without a token. */
  readonly #isPublic: boolean;
  readonly #context: OperationContext;

  constructor(
    prepared: PreparedRegistry,
    context: OperationContext,
    { isPublic }: { readonly isPublic: boolean },
  ) {
    this.#prepared = prepared;
    this.#isPublic = isPublic;
    this.#context = context;
  }

  /** The result of a finished check. */
  get outcome(): NonNullable<LoginDocument['check']> {
    if (this.failure === null) return 'accepted';
    return this.failure.code === 'auth' ? 'refused' : 'unknown';
  }

  /** Checks `token` before it is stored; null for the stored one. Rejects with `failure`. */
  async run(token: Secret | null): Promise<void> {
    const { report, signal } = this.#context;
    const { source, credentials, index } = this.#prepared;
    const name = displayRegistryName(source.original);
    if (token !== null) credentials.setToken(source.original, token, { origin: null });
    // The registry refused requests without this token: send them again.
    if (!this.#isPublic) index.expire();
    try {
      this.account = await askAccount(await this.#prepared.open());
    } catch (cause) {
      signal.throwIfAborted();
      this.failure = checkFailure(name, { cause, isStored: token === null });
      throw this.failure;
    }
    report.status('Checked', `token for \`${name}\` belongs to \`${this.account.login}\``);
  }
}

/** Returns the error for a failed check. `isStored` is true if the provider stored the token before the check. */
function checkFailure(
  name: string,
  { cause, isStored }: { readonly cause: unknown; readonly isStored: boolean },
): TsregError {
  const isRefused = cause instanceof TsregError && cause.code === 'auth';
  const problem = isRefused ? 'the registry refuses it' : 'it could not be checked';
  if (isStored) return new TsregError(`the token for \`${name}\` is stored, but ${problem}`, { cause });
  const message = `the token for \`${name}\` was not stored, as ${problem}; a token that was stored before is unchanged`;
  if (isRefused) return new TsregError(message, { cause });
  return new TsregError(message, {
    cause,
    hint: 'without `--check`, tsreg stores the token and does not test it',
  });
}
