/** `login`: stores a token for a registry. Cargo Book: cargo login; Registry Authentication. */
import { Secret } from '../config/secret.ts';
import type { LoginDialog } from '../credentials/credential-request.ts';
import { TsregError } from '../errors/error.ts';
import { displayRegistryName } from '../package-id/describe.ts';
import type { Account } from '../protocol/api-answers.ts';
import type { OperationContext } from '../report/report.ts';
import { askAccount } from './registry/ask-account.ts';
import {
  prepareRegistry,
  type PreparedRegistry,
  type RegistryCommandOptions,
} from './registry/open-registry.ts';
import { type RegistryName, registryNameOf } from './registry/registry-document.ts';
import { chooseRegistry, type RegistryFlags } from './registry/select-registry.ts';

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
}

/** Gives a token to the provider of the registry, which asks for it if there is none. Rejects in cargo's words. */
export async function login(options: LoginOptions, context: OperationContext): Promise<LoginDocument> {
  const { args, check, config, input, token } = options;
  const choice = chooseRegistry(options.registry, config);
  const prepared = prepareRegistry({ ...options, choice, refreshes: false, needsToken: false }, context);
  const { original } = prepared.source;
  try {
    const { isOpen, loginUrl } = await findLoginUrl(prepared);
    const given = token ?? (input.isTerminal ? null : await readGivenToken(input));
    await prepared.credentials.login(original, { token: given, loginUrl, args, dialog: input });
    const account = check ? await checkLogin(prepared, isOpen, context) : null;
    return {
      version: 1,
      registry: registryNameOf(original),
      login_url: loginUrl,
      user: account?.login ?? null,
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

async function readGivenToken(input: LoginInput): Promise<Secret | null> {
  const line = await input.readSecretLine();
  return line === '' ? null : new Secret(line);
}

/** Whose the token is that commands will find from now on. */
async function checkLogin(
  prepared: PreparedRegistry,
  isOpen: boolean,
  { report }: OperationContext,
): Promise<Account> {
  const name = displayRegistryName(prepared.source.original);
  // What a registry refused without a token is to be asked for with it.
  if (!isOpen) prepared.index.expire();
  let account: Account;
  try {
    account = await askAccount(await prepared.open());
  } catch (cause) {
    const isRefused = cause instanceof TsregError && cause.code === 'auth';
    const problem = isRefused ? 'the registry refuses it' : 'it could not be checked';
    throw new TsregError(`the token for \`${name}\` is stored, but ${problem}`, { cause });
  }
  report.status('Checked', `token for \`${name}\` belongs to \`${account.login}\``);
  return account;
}
