/** Registry tokens: lookup, caching, storage and removal. Cargo Book: Registry Authentication. */
import { present } from '../../core/errors/assert.ts';
import type { Config } from '../config/config.ts';
import { programName } from '../config/environment.ts';
import {
  type CredentialProvider,
  loadCredentials,
  type RegistryCredentialConfig,
  registryCredentials,
  TOKEN_PROVIDER,
  tokenVariable,
} from '../config/credentials.ts';
import { describeDefinition } from '../config/definition.ts';
import type { Secret } from '../config/secret.ts';
import { TsregError } from '../../core/errors/error.ts';
import { naming, type ProgramName } from '../../core/errors/wording.ts';
import { CRATES_IO_NAME } from '../../core/package-id/crates-io.ts';
import { displayRegistryName } from '../../core/package-id/describe.ts';
import { configuredName, isCratesIo, type SourceId } from '../../core/package-id/source-id.ts';
import { formatIndexUrl } from '../../core/package-id/source-url.ts';
import {
  checkReadToken,
  checkToken,
  type RefusedToken,
  refusedTokenHint,
} from '../../core/protocol/check-token.ts';
import type { OperationContext } from '../../core/report/report.ts';
import { askProvider } from './ask-provider.ts';
import { chooseProviders, type ProviderChoice } from './choose-providers.ts';
import type {
  CredentialAction,
  CredentialResponse,
  CredentialOperation,
  LoginDialog,
  ProvidedToken,
  TokenCheck,
} from './credential-request.ts';
import { loginUrlIn } from './login-url.ts';
import { tokenBindingProblem } from './token-bindings.ts';

/** Headers of a response. */
export type Headers = readonly (readonly [name: string, value: string])[];

/** The context in which tokens are looked up. */
export interface CredentialContext extends OperationContext {
  readonly config: Config;
}

/** Options of a login. */
export interface LoginOptions {
  /** From the command line or the first line of stdin; null to let the provider prompt for it. */
  readonly token: Secret | null;
  /** The page on which the user finds a token; null if unknown. */
  readonly loginUrl: string | null;
  /** The arguments after `--` on the command line, for the provider. */
  readonly args: readonly string[];
  readonly dialog: LoginDialog;
  /** Called with the token before it is stored, unless the provider obtains the token itself. */
  readonly check?: TokenCheck;
}

/** A cached token is replaced this long before it expires. */
const EARLY_MS = 60_000;
/** The minimal configuration that lets a registry receive a token for reads. */
const CONFIGURE_PROVIDER_HINT =
  'set `registry.global-credential-providers = ["cargo:token"]` in `config.toml` in `CARGO_HOME` to send such registries ' +
  'the tokens that `login` stored';

interface CachedToken {
  readonly token: Secret;
  readonly expiresAt: number | null;
  readonly isOperationIndependent: boolean;
}

interface ProviderRequest {
  readonly action: CredentialAction;
  readonly challenge: Headers;
  readonly args: readonly string[];
  /** True if a provider must be configured: the default does not suffice. */
  readonly needsConfiguration: boolean;
}

/** A lookup of tokens that caches them as their provider allows. Each operation creates one. */
export class RegistryCredentials {
  readonly #context: CredentialContext;
  readonly #cache = new Map<string, CachedToken>();
  readonly #pending = new Map<string, Promise<Secret>>();
  readonly #configured = new Map<string, RegistryCredentialConfig | null>();
  readonly #loginUrls = new Map<string, string>();
  readonly #origins = new Map<string, string>();
  readonly #given = new Map<string, Secret>();
  readonly #refusals = new WeakSet<TsregError>();
  #isLoaded = false;

  constructor(context: CredentialContext) {
    this.#context = context;
  }

  /**
   * Returns the token for a request to the web API of `source`, as value of the `Authorization` header. Rejects with
   * cargo's error if there is none. Does not check whether the token can be sent: `checkToken` does.
   */
  async token(source: SourceId, operation: CredentialOperation): Promise<Secret> {
    return await this.#find(source, operation, { challenge: [], needsConfiguration: false });
  }

  /**
   * Returns the token for reading the index of `source` or downloading from it. `challenge` has the headers of the
   * response that required it; empty if there was none. Rejects if there is no token or no provider is configured.
   */
  async indexToken(source: SourceId, challenge: Headers): Promise<Secret> {
    const loginUrl = loginUrlIn(challenge);
    if (loginUrl !== null) this.#loginUrls.set(source.canonicalUrl, loginUrl);
    const token = await this.#find(source, { kind: 'read' }, { challenge, needsConfiguration: true });
    const check = programName(this.#context.config.env) === 'cargo' ? checkReadToken : checkToken;
    check(token.expose());
    return token;
  }

  /**
   * Uses `token` for every operation on `source`, whatever is configured (`--token`). `origin` names its source in
   * messages; null if the messages need not name it.
   */
  setToken(
    source: SourceId,
    token: Secret,
    { origin = 'the command line' }: { readonly origin?: string | null } = {},
  ): void {
    this.#cache.set(source.canonicalUrl, { token, expiresAt: null, isOperationIndependent: true });
    if (origin === null) this.#origins.delete(source.canonicalUrl);
    else this.#origins.set(source.canonicalUrl, origin);
    this.#given.set(source.canonicalUrl, token);
  }

  /** Returns the token that `setToken` got for `source`; null if there is none. */
  givenToken(source: SourceId): Secret | null {
    return this.#given.get(source.canonicalUrl) ?? null;
  }

  /** Returns the origin of the token for `source`, as messages name it; null before there is a token. */
  origin(source: SourceId): string | null {
    return this.#origins.get(source.canonicalUrl) ?? null;
  }

  /** Stores a token for `source`, or performs the login of its provider. */
  async login(source: SourceId, { args, ...given }: LoginOptions): Promise<void> {
    const action: CredentialAction = { kind: 'login', ...given };
    const result = await this.#perform(source, {
      action,
      args,
      challenge: [],
      needsConfiguration: false,
    });
    if (result.kind === 'not-found') throw authError('credential not found');
    if (result.kind !== 'login') throw unexpectedResponse('login', result);
    this.#forget(source);
  }

  /** Removes the stored token or key for `source`. Returns false if there was none. */
  async logout(source: SourceId, dialog: LoginDialog): Promise<boolean> {
    const action: CredentialAction = { kind: 'logout', dialog };
    const result = await this.#perform(source, {
      action,
      args: [],
      challenge: [],
      needsConfiguration: false,
    });
    if (result.kind === 'not-found') return false;
    if (result.kind !== 'logout') throw unexpectedResponse('logout', result);
    this.#forget(source);
    return true;
  }

  /** Returns the error for a `token` with which the registry rejected a request to its index. */
  rejected(
    source: SourceId,
    { cause, ...refused }: Pick<RefusedToken, 'token' | 'response'> & { readonly cause: TsregError },
  ): TsregError {
    const origin = this.origin(source);
    const hint = origin === null ? null : refusedTokenHint({ ...refused, origin });
    return this.#refusal(source, { reason: 'token rejected', cause, hint });
  }

  /** Returns true if `error` or one of its causes is a missing, rejected, or wrongly bound token. */
  isRefusal(error: unknown): boolean {
    for (let at = error; at instanceof TsregError; at = at.cause) if (this.#refusals.has(at)) return true;
    return false;
  }

  /** Returns the login page that the registry or its web API named; null if there is none. */
  loginUrl(source: SourceId): string | null {
    return this.#loginUrls.get(source.canonicalUrl) ?? null;
  }

  /** Stores the login page that the web API of `source` names, unless the registry has named one. */
  noteLoginUrl(source: SourceId, url: string): void {
    if (!this.#loginUrls.has(source.canonicalUrl)) this.#loginUrls.set(source.canonicalUrl, url);
  }

  /** Clears caches, after the stored token has changed. */
  #forget(source: SourceId): void {
    this.#configured.clear();
    this.#cache.delete(source.canonicalUrl);
  }

  async #find(
    source: SourceId,
    operation: CredentialOperation,
    request: Pick<ProviderRequest, 'challenge' | 'needsConfiguration'>,
  ): Promise<Secret> {
    const { canonicalUrl } = source;
    const cached = this.#cache.get(canonicalUrl);
    if (cached !== undefined) {
      if (cached.expiresAt !== null && Date.now() + EARLY_MS >= cached.expiresAt) {
        this.#cache.delete(canonicalUrl);
      } else if (cached.isOperationIndependent || operation.kind === 'read') return cached.token;
    }
    // Many simultaneous downloads share one request to the provider.
    const key = `${JSON.stringify(operation)} ${request.needsConfiguration} ${canonicalUrl}`;
    let pending = this.#pending.get(key);
    if (pending === undefined) {
      const action: CredentialAction = { kind: 'get', operation };
      pending = this.#ask(source, { ...request, action, args: [] }).finally(() => this.#pending.delete(key));
      this.#pending.set(key, pending);
    }
    return await pending;
  }

  async #ask(source: SourceId, request: ProviderRequest): Promise<Secret> {
    const result = await this.#perform(source, request);
    if (result.kind === 'not-found')
      throw this.#refusal(source, { reason: 'no token found', hint: this.#missingHint(source) });
    if (result.kind !== 'get') throw unexpectedResponse('get', result);
    const { token, cache, expiration, isOperationIndependent } = result;
    if (cache === 'session' || cache === 'expires') {
      const expiresAt = cache === 'expires' && expiration !== null ? expiration * 1000 : null;
      this.#cache.set(source.canonicalUrl, { token, expiresAt, isOperationIndependent });
    }
    return token;
  }

  /** Sends the request to each provider in turn, until one handles it. */
  async #perform(source: SourceId, request: ProviderRequest): Promise<CredentialResponse> {
    const { config, report, signal } = this.#context;
    const { action, challenge, needsConfiguration } = request;
    const { providers, isConfigured } = this.#choose(source, { isTold: true });
    if (needsConfiguration && !isConfigured) {
      throw authError(
        'authenticated registries require a credential-provider to be configured\n' +
          'see https://doc.rust-lang.org/cargo/reference/registry-authentication.html for details',
        CONFIGURE_PROVIDER_HINT,
      );
    }
    const registry = this.#configuration(source);
    const subject = {
      source,
      indexUrl: formatIndexUrl(source),
      name: configuredName(source),
      headers: challenge.map(([name, value]) => `${name}: ${value}`),
    };
    let isNotFound = false;
    for (const [name, ...args] of providers) {
      const provider: CredentialProvider = [name, ...args, ...request.args];
      const result = await askProvider(
        provider,
        { action, subject, args: provider.slice(1) },
        { config, report, signal, registry },
      );
      if (result.kind === 'get') {
        if (name === TOKEN_PROVIDER) this.#checkBinding(source, result.token);
        const definition = name === TOKEN_PROVIDER ? (registry?.token?.definition ?? null) : null;
        const origin = definition === null ? `the provider \`${name}\`` : describeDefinition(definition);
        this.#origins.set(source.canonicalUrl, origin);
      }
      if (result.kind !== 'not-found' && result.kind !== 'url-not-supported') return result;
      isNotFound ||= result.kind === 'not-found';
    }
    if (isNotFound) return { kind: 'not-found' };
    throw authError('no credential providers could handle the request');
  }

  #checkBinding(source: SourceId, token: Secret): void {
    const problem = tokenBindingProblem(source, token, this.#context.config);
    if (problem === null) return;
    this.#refusals.add(problem);
    throw problem;
  }

  #choose(source: SourceId, { isTold }: { readonly isTold: boolean }): ProviderChoice {
    const { config, report } = this.#context;
    const warn = isTold ? (text: string): void => report.warning(text) : null;
    return chooseProviders(source, this.#configuration(source), { config, report, warn });
  }

  #configuration(source: SourceId): RegistryCredentialConfig | null {
    const known = this.#configured.get(source.key);
    if (known !== undefined) return known;
    const { config, report } = this.#context;
    if (!this.#isLoaded) loadCredentials(config, report);
    this.#isLoaded = true;
    const configured = registryCredentials(config, source, report);
    this.#configured.set(source.key, configured);
    return configured;
  }

  #refusal(
    source: SourceId,
    {
      reason,
      cause,
      hint,
    }: { readonly reason: string; readonly cause?: unknown; readonly hint: string | null },
  ): TsregError {
    const advice = naming((program) => this.#advice(source, reason, program));
    const refusal = new TsregError(advice, {
      code: 'auth',
      cause,
      ...(hint === null ? {} : { hint }),
    });
    this.#refusals.add(refusal);
    return refusal;
  }

  /** Returns a hint about getting a token. */
  #missingHint(source: SourceId): string | null {
    const page = this.#loginUrls.get(source.canonicalUrl);
    const args = this.#loginArguments(source);
    if (args === null) return null;
    if (page !== undefined) return `most registries show you a token at ${page}`;
    return this.#usesStoredTokens(source) ? null : `run \`tsreg login${args}\``;
  }

  /** Returns true if the providers find a token that `login` stores. */
  #usesStoredTokens(source: SourceId): boolean {
    return this.#choose(source, { isTold: false }).providers.some(
      ([provider]) => provider === TOKEN_PROVIDER,
    );
  }

  /** Returns the arguments that `login` needs for this registry; null if it has no name. */
  #loginArguments(source: SourceId): string | null {
    const name = configuredName(source);
    if (!isCratesIo(source)) return name === null ? null : ` --registry ${name}`;
    return this.#context.config.string('registry.default') === null ? '' : ` --registry ${CRATES_IO_NAME}`;
  }

  /** Returns true for a cached token without a space. As in cargo, tokens that cannot be cached are not checked. */
  #lacksScheme({ canonicalUrl }: SourceId): boolean {
    return this.#cache.get(canonicalUrl)?.token.expose().includes(' ') === false;
  }

  #advice(source: SourceId, reason: string, program: ProgramName): string {
    const name = displayRegistryName(source);
    const usesTokens = this.#usesStoredTokens(source);
    if (isCratesIo(source)) {
      const args = present(this.#loginArguments(source), 'the arguments of `login`');
      const variable = usesTokens ? '\nor use environment variable CARGO_REGISTRY_TOKEN' : '';
      return `${reason}, please run \`${program} login${args}\`${variable}`;
    }
    if (configuredName(source) !== null) {
      const advice = usesTokens
        ? `, please run \`${program} login --registry ${name}\`\nor use environment variable ${tokenVariable(name)}`
        : "\nYou may need to log in using this registry's credential provider";
      const lacksScheme = reason === 'token rejected' && this.#lacksScheme(source);
      const note = lacksScheme ? '\nnote: the token does not include an authentication scheme' : '';
      return `${reason} for \`${name}\`${advice}${note}`;
    }
    if (reason === 'token rejected') return `${reason} for \`${name}\``;
    return (
      `${reason} for \`${name}\`\n` +
      "consider setting up an alternate registry in Cargo's configuration\n" +
      'as described by https://doc.rust-lang.org/cargo/reference/registries.html\n\n' +
      `[registries]\nmy-registry = { index = "${formatIndexUrl(source)}" }\n`
    );
  }
}

function unexpectedResponse(asked: string, result: CredentialResponse): TsregError {
  return authError(
    `credential provider produced unexpected response for \`${asked}\` request: ${describeResponse(result)}`,
  );
}

function describeResponse(result: CredentialResponse): string {
  if (result.kind === 'get') return describeToken(result);
  return result.kind.charAt(0).toUpperCase() + result.kind.slice(1);
}

function describeToken({ cache, expiration, isOperationIndependent }: ProvidedToken): string {
  const cacheKind = cache.charAt(0).toUpperCase() + cache.slice(1);
  const until = expiration === null ? '' : ` { expiration: ${describeTime(expiration)} }`;
  return `Get { token: Secret { inner: "REDACTED" }, cache: ${cacheKind}${until}, operation_independent: ${isOperationIndependent} }`;
}

/** Returns seconds since 1970 as `1970-01-01 0:00:01.0 +00:00:00`. */
function describeTime(seconds: number): string {
  const time = new Date(seconds * 1000);
  if (Number.isNaN(time.getTime())) return String(seconds);
  const [day = '', clock = ''] = time.toISOString().split('T');
  return `${day} ${clock.slice(0, 8).replace(/^0/, '')}.0 +00:00:00`;
}

function authError(message: string, hint?: string): TsregError {
  return new TsregError(message, { code: 'auth', ...(hint === undefined ? {} : { hint }) });
}
