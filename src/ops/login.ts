/** `login`: stores a token for a registry. Cargo Book: cargo login; Registry Authentication. */
import { Secret } from '../config/secret.ts';
import type { LoginDialog } from '../credentials/credential-request.ts';
import { withContextAsync } from '../errors/error.ts';
import { displayRegistryName } from '../package-id/describe.ts';
import type { Account } from '../protocol/api-answers.ts';
import { type OperationContext, reportTo } from '../report/report.ts';
import { askAccount } from './ask-account.ts';
import { prepareRegistry, type PreparedRegistry, type RegistryCommandOptions } from './open-registry.ts';
import { type RegistryName, registryNameOf } from './registry-document.ts';
import { chooseRegistry, type RegistryFlags } from './select-registry.ts';

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
    const loginUrl = await findLoginUrl(prepared);
    const given = token ?? (input.isTerminal ? null : await readGivenToken(input));
    await prepared.credentials.login(original, { token: given, loginUrl, args, dialog: input });
    const account = check ? await checkLogin(options, context) : null;
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
async function findLoginUrl(prepared: PreparedRegistry): Promise<string | null> {
  const { source, credentials, access } = prepared;
  try {
    const { host, isAuthRequired } = await prepared.open();
    if (isAuthRequired) await credentials.token(source.original, { kind: 'read' });
    access.transport.assertOnline();
    return `${host}/me`;
  } catch (error) {
    if (!credentials.isRefusal(error)) throw error;
    return credentials.loginUrl(source.actual);
  }
}

async function readGivenToken(input: LoginInput): Promise<Secret | null> {
  const line = await input.readSecretLine();
  return line === '' ? null : new Secret(line);
}

/** Whose the token is that commands will find from now on. */
async function checkLogin(options: LoginOptions, context: OperationContext): Promise<Account> {
  const { config } = options;
  const choice = chooseRegistry(options.registry, config);
  // What there is to say about the configuration was said.
  const quiet = { ...context, report: reportTo({}) };
  const prepared = prepareRegistry(
    { ...options, choice, token: null, refreshes: false, needsToken: false },
    quiet,
  );
  const { original } = prepared.source;
  const name = displayRegistryName(original);
  try {
    const account = await withContextAsync(
      `the token for \`${name}\` is stored, but could not be checked`,
      async () => await askAccount(await prepared.open()),
    );
    context.report.status('Checked', `token for \`${name}\` belongs to \`${account.login}\``);
    return account;
  } finally {
    await prepared.close();
  }
}
