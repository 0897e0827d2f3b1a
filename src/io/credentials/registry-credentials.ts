/** Registry tokens: lookup, caching, storage and removal. Cargo Book: Registry Authentication. */
import type { Config } from '../config/config.ts';
import { programName } from '../config/environment.ts';
import {
  type CredentialProvider,
  loadCredentials,
  type RegistryCredentialConfig,
  registryCredentials,
  TOKEN_PROVIDER,
} from '../config/credentials.ts';
import { describeDefinition } from '../config/definition.ts';
import type { Secret } from '../config/secret.ts';
import { TsregError } from '../../core/errors/error.ts';
import { configuredName, type SourceId } from '../../core/package-id/source-id.ts';
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
  TokenCheck,
} from './credential-request.ts';
import { loginUrlIn } from './login-url.ts';
import { missingTokenHint, tokenAdvice, type TokenAdviceInputs, type TokenProblem } from './token-advice.ts';
import { type FoundToken, tokenBindingProblem } from './token-bindings.ts';
import { unexpectedResponse } from './unexpected-response.ts';

/** Headers of a response. */
export type Headers = readonly (readonly [name: string, value: string])[];

/** The context of a lookup of tokens. */
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

/** The program replaces a cached token this long before it expires. */
const EARLY_MS = 60_000;
/** The minimal configuration that lets a registry receive a token for reads. */
const CONFIGURE_PROVIDER_HINT =
  'set `registry.global-credential-providers = ["cargo:token"]` in `config.toml` in `CARGO_HOME` to send such registries ' +
  'the tokens that `login` stored';

interface CachedToken {
  readonly token: Secret;
  /** Milliseconds since 1970; null if it does not expire. */
  readonly expiresAtMs: number | null;
  readonly isOperationIndependent: boolean;
}

/** A token, the response that rejected it, and the error for this response. */
interface RejectedToken {
  readonly token: string;
  readonly response: RefusedToken['response'];
  readonly cause: TsregError;
}

/** The circumstances in which a token is requested. */
interface TokenNeed {
  /** The headers of the response that required a token; empty if there was none. */
  readonly challenge: Headers;
  /** True if a provider must be configured: the default does not suffice. */
  readonly needsConfiguration: boolean;
}

interface ProviderRequest extends TokenNeed {
  readonly action: CredentialAction;
  readonly args: readonly string[];
}

/** A request to the web API, or a request by the user. */
const NO_CHALLENGE: TokenNeed = { challenge: [], needsConfiguration: false };

/** A lookup of tokens that caches them as their provider allows. Each operation creates one. */
export class RegistryCredentials {
  readonly #context: CredentialContext;
  // The keys of the maps are canonical URLs of sources, if no comment says otherwise.
  readonly #cache = new Map<string, CachedToken>();
  /** By operation, need of configuration, and URL. */
  readonly #pending = new Map<string, Promise<Secret>>();
  /** By the key of the source. */
  readonly #configurations = new Map<string, RegistryCredentialConfig | null>();
  readonly #loginUrls = new Map<string, string>();
  /** The origins of tokens, as messages name them. */
  readonly #origins = new Map<string, string>();
  /** The tokens of `setToken`. */
  readonly #explicitTokens = new Map<string, Secret>();
  /** The errors for which `isRefusal` returns true. */
  readonly #refusals = new WeakSet<TsregError>();
  /** True after the credentials file was read. */
  #areCredentialsLoaded = false;

  constructor(context: CredentialContext) {
    this.#context = context;
  }

  /**
   * Returns the token for a request to the web API of `source`, as value of the `Authorization` header. Rejects with
   * cargo's error if there is none. Does not check whether the token can be sent: `checkToken` does.
   */
  async token(source: SourceId, operation: CredentialOperation): Promise<Secret> {
    return await this.#findToken(source, operation, NO_CHALLENGE);
  }

  /**
   * Returns the token for reading the index of `source` or downloading from it. `challenge` has the headers of the
   * response that required it; empty if there was none. Rejects if there is no token or no provider is configured.
   */
  async indexToken(source: SourceId, challenge: Headers): Promise<Secret> {
    const loginUrl = loginUrlIn(challenge);
    if (loginUrl !== null) this.#loginUrls.set(source.canonicalUrl, loginUrl);
    const token = await this.#findToken(source, { kind: 'read' }, { challenge, needsConfiguration: true });
    if (programName(this.#context.config.env) === 'cargo') checkReadToken(token.expose());
    else checkToken(token.expose(), this.origin(source));
    return token;
  }

  /**
   * Uses `token` for every operation on `source`, whatever is configured (`--token`). `origin` names its source in
   * messages; null if the messages need not name it.
   */
  setToken(
    source: SourceId,
    token: Secret,
    { origin = '`--token`' }: { readonly origin?: string | null } = {},
  ): void {
    this.#cache.set(source.canonicalUrl, { token, expiresAtMs: null, isOperationIndependent: true });
    if (origin === null) this.#origins.delete(source.canonicalUrl);
    else this.#origins.set(source.canonicalUrl, origin);
    this.#explicitTokens.set(source.canonicalUrl, token);
  }

  /** Returns the token that `setToken` got for `source`; null if there is none. */
  explicitToken(source: SourceId): Secret | null {
    return this.#explicitTokens.get(source.canonicalUrl) ?? null;
  }

  /** Returns the origin of the token for `source`, as messages name it; null before there is a token. */
  origin(source: SourceId): string | null {
    return this.#origins.get(source.canonicalUrl) ?? null;
  }

  /** Stores a token for `source`, or performs the login of its provider. */
  async login(source: SourceId, { args, ...loginInputs }: LoginOptions): Promise<void> {
    const action: CredentialAction = { kind: 'login', ...loginInputs };
    const result = await this.#askProviders(source, { action, args, ...NO_CHALLENGE });
    if (result.kind === 'not-found') throw authError('credential not found');
    if (result.kind !== 'login') throw unexpectedResponse('login', result);
    this.#forget(source);
  }

  /** Removes the stored token or key for `source`. Returns false if there was none. */
  async logout(source: SourceId, dialog: LoginDialog): Promise<boolean> {
    const action: CredentialAction = { kind: 'logout', dialog };
    const result = await this.#askProviders(source, { action, args: [], ...NO_CHALLENGE });
    if (result.kind === 'not-found') return false;
    if (result.kind !== 'logout') throw unexpectedResponse('logout', result);
    this.#forget(source);
    return true;
  }

  /** Returns the error for a request to the index of `source` that the registry rejected because of its token. */
  rejectedTokenError(source: SourceId, { token, response, cause }: RejectedToken): TsregError {
    const origin = this.origin(source);
    const hint = origin === null ? null : refusedTokenHint({ token, response, origin });
    return this.#refusal(source, { problem: 'token rejected', cause, hint });
  }

  /** Returns true if `error` or one of its causes is a missing, rejected, or wrongly bound token. */
  isRefusal(error: unknown): boolean {
    for (let cause = error; cause instanceof TsregError; cause = cause.cause)
      if (this.#refusals.has(cause)) return true;
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
    this.#configurations.clear();
    this.#cache.delete(source.canonicalUrl);
  }

  /** Returns the cached token, or one of the providers. */
  async #findToken(source: SourceId, operation: CredentialOperation, need: TokenNeed): Promise<Secret> {
    const { canonicalUrl } = source;
    const cached = this.#cache.get(canonicalUrl);
    if (cached !== undefined) {
      if (cached.expiresAtMs !== null && Date.now() + EARLY_MS >= cached.expiresAtMs) {
        this.#cache.delete(canonicalUrl);
      } else if (cached.isOperationIndependent || operation.kind === 'read') return cached.token;
    }
    // Many simultaneous downloads share one request to the provider.
    const key = `${JSON.stringify(operation)} ${need.needsConfiguration} ${canonicalUrl}`;
    let pending = this.#pending.get(key);
    if (pending === undefined) {
      const action: CredentialAction = { kind: 'get', operation };
      pending = this.#requestToken(source, { ...need, action, args: [] }).finally(() =>
        this.#pending.delete(key),
      );
      this.#pending.set(key, pending);
    }
    return await pending;
  }

  /** Gets a token from the providers, and caches it if its provider allows that. */
  async #requestToken(source: SourceId, request: ProviderRequest): Promise<Secret> {
    const result = await this.#askProviders(source, request);
    if (result.kind === 'not-found')
      throw this.#refusal(source, { problem: 'no token found', hint: this.#missingTokenHint(source) });
    if (result.kind !== 'get') throw unexpectedResponse('get', result);
    const { token, cache, expiration, isOperationIndependent } = result;
    if (cache === 'session' || cache === 'expires') {
      const expiresAtMs = cache === 'expires' && expiration !== null ? expiration * 1000 : null;
      this.#cache.set(source.canonicalUrl, { token, expiresAtMs, isOperationIndependent });
    }
    return token;
  }

  /** Sends the request to each provider in turn, until one handles it. */
  async #askProviders(source: SourceId, request: ProviderRequest): Promise<CredentialResponse> {
    const { config, report, signal } = this.#context;
    const { action, challenge, needsConfiguration } = request;
    const { providers, isConfigured } = this.#chooseProviders(source, { warns: true });
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
        const definition = name === TOKEN_PROVIDER ? (registry?.token?.definition ?? null) : null;
        const origin = definition === null ? `the provider \`${name}\`` : describeDefinition(definition);
        if (name === TOKEN_PROVIDER) this.#checkBinding(source, { token: result.token, origin });
        this.#origins.set(source.canonicalUrl, origin);
      }
      if (result.kind !== 'not-found' && result.kind !== 'url-not-supported') return result;
      isNotFound ||= result.kind === 'not-found';
    }
    if (isNotFound) return { kind: 'not-found' };
    throw authError('no credential providers could handle the request');
  }

  /** Throws if `login` stored the token for another registry. */
  #checkBinding(source: SourceId, found: FoundToken): void {
    const problem = tokenBindingProblem(source, found, this.#context.config);
    if (problem === null) return;
    this.#refusals.add(problem);
    throw problem;
  }

  #chooseProviders(source: SourceId, { warns }: { readonly warns: boolean }): ProviderChoice {
    const { config, report } = this.#context;
    const warn = warns ? (text: string): void => report.warning(text) : null;
    return chooseProviders(source, this.#configuration(source), { config, report, warn });
  }

  /** Returns the configuration of a registry; null if there is none. Reads the credentials file first. */
  #configuration(source: SourceId): RegistryCredentialConfig | null {
    const cachedConfiguration = this.#configurations.get(source.key);
    if (cachedConfiguration !== undefined) return cachedConfiguration;
    const { config, report } = this.#context;
    if (!this.#areCredentialsLoaded) loadCredentials(config, report);
    this.#areCredentialsLoaded = true;
    const configured = registryCredentials(config, source, report);
    this.#configurations.set(source.key, configured);
    return configured;
  }

  /** Returns an error that `isRefusal` recognizes, with cargo's advice. `hint` is null for none. */
  #refusal(
    source: SourceId,
    {
      problem,
      cause,
      hint,
    }: { readonly problem: TokenProblem; readonly cause?: unknown; readonly hint: string | null },
  ): TsregError {
    const refusal = new TsregError(tokenAdvice(source, problem, this.#adviceInputs(source)), {
      code: 'auth',
      cause,
      ...(hint === null ? {} : { hint }),
    });
    this.#refusals.add(refusal);
    return refusal;
  }

  #missingTokenHint(source: SourceId): string | null {
    return missingTokenHint(source, this.loginUrl(source), this.#adviceInputs(source));
  }

  #adviceInputs(source: SourceId): TokenAdviceInputs {
    return {
      config: this.#context.config,
      usesStoredTokens: () => this.#usesStoredTokens(source),
      lacksScheme: () => this.#lacksScheme(source),
    };
  }

  /** Returns true if the providers find a token that `login` stores. */
  #usesStoredTokens(source: SourceId): boolean {
    return this.#chooseProviders(source, { warns: false }).providers.some(
      ([provider]) => provider === TOKEN_PROVIDER,
    );
  }

  /** Returns true for a cached token without a space. Like cargo, does not check tokens that cannot be cached. */
  #lacksScheme({ canonicalUrl }: SourceId): boolean {
    return this.#cache.get(canonicalUrl)?.token.expose().includes(' ') === false;
  }
}

function authError(message: string, hint?: string): TsregError {
  return new TsregError(message, { code: 'auth', ...(hint === undefined ? {} : { hint }) });
}
