/** `login`: stores a token for a registry. Cargo Book: cargo login; Registry Authentication. */
import { Secret } from '../config/secret.ts';
import type { LoginDialog } from '../credentials/credential-request.ts';
import { TsregError } from '../errors/error.ts';
import { displayRegistryName } from '../package-id/describe.ts';
import type { Account } from '../protocol/api-answers.ts';
import type { Transport } from '../http/transport.ts';
import type { OperationContext } from '../report/report.ts';
import { askAccount } from './registry/ask-account.ts';
import {
  prepareRegistry,
  type PreparedRegistry,
  type RegistryCommandOptions,
} from './registry/open-registry.ts';
import { type RegistryName, registryNameOf } from './registry/registry-document.ts';
import { chooseRegistry, type RegistryFlags } from './registry/select-registry.ts';

const MAX_PAGE_BYTES = 16 * 1024 * 1024;

/** Where tokens come from that are not on the command line. */
export interface LoginInput extends LoginDialog {
  /** True if a person types; else a program may have sent a token already. */
  readonly isTerminal: boolean;
}

/** What the command line asks for. */
export interface LoginOptions extends RegistryCommandOptions {
  readonly registry: RegistryFlags;
  /** Behind `--`, for the provider of the registry. */
  readonly args: readonly string[];
  /** True to ask the registry whose the token is. */
  readonly check: boolean;
  readonly input: LoginInput;
}

/** The document of `login --json`. */
export interface LoginDocument {
  /** Of this form. */
  readonly version: 1;
  readonly registry: RegistryName;
  /** Where the registry gives out tokens; null if it does not say. */
  readonly login_url: string | null;
  /** The login of whose the token is; null unless it was asked for. */
  readonly user: string | null;
  /**
   * What the registry said of the token: `unknown` where it could not be asked, or does not tell. Null unless it was asked
   * for.
   */
  readonly check: 'accepted' | 'refused' | 'unknown' | null;
  /** False where the check failed before the token was stored; the token stored before is unchanged then. */
  readonly stored: boolean;
}

/** What became of it. */
export interface LoginResult {
  readonly document: LoginDocument;
  /** Why the check failed; null if it did not. */
  readonly failure: TsregError | null;
}

/**
 * Gives a token to the provider of the registry, which asks for it if there is none. With `check`, a token is stored only
 * once the registry has said whose it is; one that its provider gets by itself is checked afterwards. Rejects in
 * cargo's words.
 */
export async function login(options: LoginOptions, context: OperationContext): Promise<LoginResult> {
  const { args, config, input, token } = options;
  const choice = chooseRegistry(options.registry, config);
  const prepared = prepareRegistry({ ...options, choice, refreshes: false, needsToken: false }, context);
  const { original } = prepared.source;
  try {
    const { isOpen, loginUrl: named } = await findLoginUrl(prepared);
    const given = token ?? (input.isTerminal ? null : await readGivenToken(input));
    // A person is sent to no page that is not there; cargo names it unseen.
    const isChecked = given === null && isOpen && named !== null && !options.isCargo;
    const isMissing = isChecked && !(await mayBeThere(named, prepared.access.transport));
    const loginUrl = isMissing ? null : named;
    const checked = options.check ? new LoginCheck(prepared, isOpen, context) : null;
    const hook = checked === null ? {} : { check: (found: Secret) => checked.run(found) };
    let stored = false;
    try {
      await prepared.credentials.login(original, { token: given, loginUrl, args, dialog: input, ...hook });
      stored = true;
      if (checked?.account === null) await checked.run(null);
    } catch (error) {
      if (checked === null || checked.failure === null) throw error;
    }
    return {
      document: {
        version: 1,
        registry: registryNameOf(original),
        login_url: loginUrl,
        user: checked?.account?.login ?? null,
        check: checked?.outcome ?? null,
        stored,
      },
      failure: checked?.failure ?? null,
    };
  } finally {
    await prepared.close();
  }
}

/** The page on which users find their tokens. A registry that may not be read without one says it when it refuses. */
async function findLoginUrl(
  prepared: PreparedRegistry,
): Promise<{ readonly isOpen: boolean; readonly loginUrl: string | null }> {
  const { source, credentials, access } = prepared;
  let isOpen = false;
  try {
    const { host, isAuthRequired } = await prepared.open();
    isOpen = true;
    if (isAuthRequired) await credentials.token(source.original, { kind: 'read' });
    access.transport.assertOnline();
    return { isOpen, loginUrl: `${host}/me` };
  } catch (error) {
    if (!credentials.isRefusal(error)) throw error;
    return { isOpen, loginUrl: isOpen ? null : credentials.loginUrl(source.actual) };
  }
}

/** False only where the server says that there is no such page. */
async function mayBeThere(url: string, transport: Transport): Promise<boolean> {
  try {
    const { status } = await transport.send({ url, headers: {}, maxBytes: MAX_PAGE_BYTES }, { isOnce: true });
    return status !== 404 && status !== 410;
  } catch (error) {
    if (error instanceof TsregError && error.code !== 'aborted') return true;
    throw error;
  }
}

async function readGivenToken(input: LoginInput): Promise<Secret | null> {
  const line = await input.readSecretLine();
  return line === '' ? null : new Secret(line);
}

/** Asks the registry whose a token is, and keeps what came of it. */
class LoginCheck {
  account: Account | null = null;
  failure: TsregError | null = null;
  readonly #prepared: PreparedRegistry;
  /** False where the registry could not be read without a token. */
  readonly #isOpen: boolean;
  readonly #context: OperationContext;

  constructor(prepared: PreparedRegistry, isOpen: boolean, context: OperationContext) {
    this.#prepared = prepared;
    this.#isOpen = isOpen;
    this.#context = context;
  }

  get outcome(): NonNullable<LoginDocument['check']> {
    if (this.failure === null) return 'accepted';
    return this.failure.code === 'auth' ? 'refused' : 'unknown';
  }

  /** Asks with `token`, which is not stored yet; with null for the stored one. Rejects with `failure`. */
  async run(token: Secret | null): Promise<void> {
    const { report, signal } = this.#context;
    const { source, credentials, index } = this.#prepared;
    const name = displayRegistryName(source.original);
    if (token !== null) credentials.setToken(source.original, token, { origin: null });
    // What a registry refused without a token, or with another one, is to be asked for with this one.
    if (!this.#isOpen) index.expire();
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
