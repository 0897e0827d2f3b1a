/** Tokens for registries that need them for reading. Cargo Book: Registry Authentication. */
import {
  type CredentialProvider,
  credentialProviders,
  loadCredentials,
  registryCredentials,
  TOKEN_PROVIDER,
  tokenVariable,
} from '../config/credentials.ts';
import type { Secret } from '../config/secret.ts';
import { TsregError } from '../errors/error.ts';
import { displayRegistryName } from '../package-id/describe.ts';
import { isCratesIo, type SourceId } from '../package-id/source-id.ts';
import {
  askCredentialProcess,
  type CredentialAnswer,
  type CredentialSubject,
  runTokenCommand,
} from './credential-process.ts';
import type { SourceContext } from './source-context.ts';

/** Headers of an answer. */
export type Headers = readonly (readonly [name: string, value: string])[];

/** Where what was said already is not said again. */
const SILENT = { warning: () => {}, note: () => {} };

/** Before a token runs out, a new one is asked for. */
const EARLY_MS = 60_000;

interface CachedToken {
  readonly token: Secret;
  readonly expiresAt: number | null;
}

/** Finds tokens, and keeps them as long as their provider allows. */
export class RegistryCredentials {
  readonly #context: SourceContext;
  readonly #cache = new Map<string, CachedToken>();
  readonly #asking = new Map<string, Promise<Secret>>();
  #isLoaded = false;

  constructor(context: SourceContext) {
    this.#context = context;
  }

  /**
   * The token for reading from `source`, as the Authorization header has it; `challenge` is the answer that
   * asked for it, if there was one. Rejects with cargo's words if there is none.
   */
  async token(source: SourceId, challenge: Headers): Promise<string> {
    const { key } = source;
    const cached = this.#cache.get(key);
    if (cached !== undefined && (cached.expiresAt === null || Date.now() + EARLY_MS < cached.expiresAt)) {
      return cached.token.expose();
    }
    let asking = this.#asking.get(key);
    if (asking === undefined) {
      asking = this.#find(source, challenge).finally(() => this.#asking.delete(key));
      this.#asking.set(key, asking);
    }
    return (await asking).expose();
  }

  /** The error of a token that the registry did not take. */
  rejected(source: SourceId, cause: TsregError): TsregError {
    return new TsregError(this.#loginAdvice(source, 'token rejected'), { code: 'auth', cause });
  }

  async #find(source: SourceId, challenge: Headers): Promise<Secret> {
    const { config, report } = this.#context;
    this.#load();
    const providers = credentialProviders(config, source, report);
    if (providers === null) {
      throw new TsregError(
        'authenticated registries require a credential-provider to be configured\n' +
          'see https://doc.rust-lang.org/cargo/reference/registry-authentication.html for details',
        { code: 'auth' },
      );
    }
    const subject: CredentialSubject = {
      indexUrl: urlOf(source),
      name: source.registryName,
      headers: challenge.map(([name, value]) => `${name}: ${value}`),
    };
    let isNotFound = false;
    for (const provider of providers) {
      const command = provider.join(' ');
      report.verbose('Credential', `${command} get ${displayRegistryName(source)}`);
      const answer = await this.#ask(provider, source, subject);
      if (answer.kind === 'token') {
        checkToken(answer.token);
        if (answer.isCacheable) this.#cache.set(source.key, answer);
        return answer.token;
      }
      isNotFound ||= answer.kind === 'not-found';
    }
    throw new TsregError(
      isNotFound
        ? this.#loginAdvice(source, 'no token found')
        : 'no credential providers could handle the request',
      { code: 'auth' },
    );
  }

  async #ask(
    provider: CredentialProvider,
    source: SourceId,
    subject: CredentialSubject,
  ): Promise<CredentialAnswer> {
    const { config, report, signal } = this.#context;
    const [name, ...args] = provider;
    try {
      switch (name) {
        case TOKEN_PROVIDER: {
          const { token } = registryCredentials(config, source, report);
          if (token === null) return { kind: 'not-found' };
          return { kind: 'token', token: token.value, expiresAt: null, isCacheable: true };
        }
        case 'cargo:token-from-stdout':
          return await runTokenCommand(args, subject, { env: config.env, cwd: config.cwd, signal });
        case 'cargo:paseto':
          throw new TsregError('cargo:paseto requires -Zasymmetric-token', { code: 'auth' });
        case 'cargo:wincred':
        case 'cargo:macos-keychain':
        case 'cargo:libsecret':
          return { kind: 'url-not-supported' };
        default:
          return await askCredentialProcess(provider, subject, { env: config.env, cwd: config.cwd, signal });
      }
    } catch (cause) {
      if (name === 'cargo:paseto') throw cause;
      throw new TsregError(`credential provider \`${provider.join(' ')}\` failed action \`get\``, { cause });
    }
  }

  #load(): void {
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    loadCredentials(this.#context.config, this.#context.report);
  }

  #loginAdvice(source: SourceId, reason: string): string {
    const { config } = this.#context;
    const name = displayRegistryName(source);
    const providers = credentialProviders(config, source, SILENT);
    const usesTokens = providers === null || providers.some(([provider]) => provider === TOKEN_PROVIDER);
    if (isCratesIo(source)) {
      const args = config.string('registry.default') === null ? '' : ' --registry crates-io';
      const variable = usesTokens ? '\nor use environment variable CARGO_REGISTRY_TOKEN' : '';
      return `${reason}, please run \`cargo login${args}\`${variable}`;
    }
    if (source.registryName !== null) {
      return usesTokens
        ? `${reason} for \`${name}\`, please run \`cargo login --registry ${name}\`\n` +
            `or use environment variable ${tokenVariable(name)}`
        : `${reason} for \`${name}\`\nYou may need to log in using this registry's credential provider`;
    }
    if (reason === 'token rejected') return `${reason} for \`${name}\``;
    return (
      `${reason} for \`${name}\`\n` +
      "consider setting up an alternate registry in Cargo's configuration\n" +
      'as described by https://doc.rust-lang.org/cargo/reference/registries.html\n\n' +
      `[registries]\nmy-registry = { index = "${urlOf(source)}" }\n`
    );
  }
}

function urlOf(source: SourceId): string {
  return source.kind === 'sparse-registry' ? `sparse+${source.url}` : source.url;
}

/** A token goes into a header as it is; a line break in it would be the start of another one. */
function checkToken(token: Secret): void {
  if (/^[\t\x20-\x7e\x80-\xff]+$/.test(token.expose())) return;
  throw new TsregError(
    'token contains invalid characters.\nOnly printable ISO-8859-1 characters are allowed as it is sent in a HTTPS header.',
    { code: 'auth' },
  );
}
