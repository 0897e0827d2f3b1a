/** Publishes with the identity of a CI job instead of a stored token. Source: the manuals of GitHub Actions and GitLab. */
import { Secret } from '../../io/config/secret.ts';
import { TsregError, withContextAsync } from '../../core/errors/error.ts';
import type { Environment } from '../../io/config/environment.ts';
import { displaySource } from '../../core/package-id/describe.ts';
import type { OperationContext, Report } from '../../core/report/report.ts';
import { RegistryAccess } from '../../io/sources/registry-access.ts';
import { ApiError, asApiError } from '../../io/web-api/api-error.ts';
import { sendWithRetry } from '../../io/http/send-with-retry.ts';
import {
  exchangeIdentity,
  revokeToken,
  type TokenService,
  readSecretField,
} from '../../io/web-api/trusted-publishing.ts';
import type {
  OpenedRegistry,
  RegistryCommandOptions,
  SharedObjects,
} from '../shared/registry/open-registry.ts';
import { offlineFlag } from '../shared/workspace/access-flags.ts';
import { VERSION } from '../shared/version.ts';
import type { Transport } from '../../io/http/transport.ts';

/** Options for getting and revoking a token. */
export interface TrustedPublishingOptions extends RegistryCommandOptions {
  readonly registry: OpenedRegistry;
  readonly shared: SharedObjects;
}

/**
 * Runs `body` with a token for the identity of this CI job, and always revokes it at the end. Rejects if the job has no
 * identity, or if the registry refuses it. Only warns if the token cannot be revoked, because it expires soon.
 */
export async function withTrustedToken<T>(
  options: TrustedPublishingOptions,
  context: OperationContext,
  body: () => Promise<T>,
): Promise<T> {
  const { config, verbosity, shared } = options;
  // Aborting the operation does not close these connections, so that the token is still revoked.
  const { signal } = new AbortController();
  const uninterrupted = { ...context, signal };
  const access = new RegistryAccess({
    ...uninterrupted,
    ...shared,
    config,
    offlineFlag: offlineFlag(options),
    verbosity,
  });
  try {
    const { token, service } = await getToken({ ...options, access }, context);
    try {
      const { source, credentials } = options.registry;
      const place = displaySource(source.original);
      context.report.status('Exchanged', `the identity of this job for a token of ${place}`);
      credentials.setToken(source.original, token, { origin: 'trusted publishing' });
      return await body();
    } finally {
      await revoke(token, service, context.report);
    }
  } finally {
    await access.close();
  }
}

/** Exchanges the identity of this job for a token. */
async function getToken(
  { registry, config, access, maxWaitMs }: TrustedPublishingOptions & { readonly access: RegistryAccess },
  context: OperationContext,
): Promise<{ readonly token: Secret; readonly service: TokenService }> {
  const { host } = registry;
  const { transport } = access;
  const service: TokenService = { transport, host, userAgent: access.userAgent ?? `tsreg/${VERSION}` };
  const job = { audience: audienceOf(host), env: config.env, transport };
  let jwt = await ciIdentity(job);
  const retryPolicy = {
    ...context,
    maxWaitMs,
    responseErrorIn: asApiError,
    // The registry accepts an identity only once, and it expires soon.
    mayRepeat: async () => {
      jwt = await ciIdentity(job);
      return true;
    },
  };
  const token = await withContextAsync(
    () => `trusted publishing failed at ${host}`,
    () => exchange(() => sendWithRetry(() => exchangeIdentity(jwt, service), retryPolicy)),
  );
  return { token, service };
}

/** Returns the token in the response to `send`. Explains why the registry did not give one. */
async function exchange(send: () => Promise<string>): Promise<Secret> {
  try {
    return new Secret(await send());
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    if (cause.status === 404 || cause.status === 405) {
      throw new TsregError(
        'this registry does not support trusted publishing: publish with a token instead',
        {
          cause,
        },
      );
    }
    throw new TsregError('the registry did not accept the identity of this job', { cause });
  }
}

/** Revokes the token. Warns if that fails. */
async function revoke(token: Secret, service: TokenService, report: Report): Promise<void> {
  try {
    await revokeToken(token, service);
    report.verbose('Revoked', 'the token of this job');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    report.warning(`the token of this job could not be revoked, but it expires soon: ${reason}`);
  }
}

/** Returns the registry's name in an identity. */
function audienceOf(host: string): string {
  return URL.canParse(host) ? new URL(host).host : host;
}

/** Variables that may contain the identity of a job. crates.io documents the second one for GitLab. */
const TOKEN_VARIABLES = ['CARGO_REGISTRY_ID_TOKEN', 'CRATES_IO_ID_TOKEN'] as const;
/** The most bytes to read of a response that contains a JWT. */
const MAX_RESPONSE_BYTES = 256 * 1024;

/** The audience of the identity, and the means to request it. */
export interface IdentityOptions {
  /** The registry's name in the identity: the host of its web API, with the port if the URL has one. */
  readonly audience: string;
  readonly env: Environment;
  readonly transport: Transport;
}

/** Returns the identity of this job, a JWT. Throws `auth` with setup instructions if the job has none. */
async function ciIdentity({ audience, env, transport }: IdentityOptions): Promise<Secret> {
  for (const name of TOKEN_VARIABLES) {
    const value = env[name];
    if (value !== undefined && value !== '') return new Secret(value.trim());
  }
  const url = env['ACTIONS_ID_TOKEN_REQUEST_URL'];
  const token = env['ACTIONS_ID_TOKEN_REQUEST_TOKEN'];
  if (url === undefined || token === undefined || !URL.canParse(url)) throw noIdentity(audience, env);
  return withContextAsync('GitHub Actions did not give this job an identity', () =>
    requestFromGitHub({ url: new URL(url), token, audience, transport }),
  );
}

/** Requests a JWT as the manual of GitHub Actions describes: OpenID Connect, Requesting the JWT. */
async function requestFromGitHub({
  url,
  token,
  audience,
  transport,
}: {
  readonly url: URL;
  readonly token: string;
  readonly audience: string;
  readonly transport: Transport;
}): Promise<Secret> {
  url.searchParams.set('audience', audience);
  const { status, body } = await transport.send({
    url: url.href,
    headers: { accept: 'application/json', authorization: `bearer ${token}` },
    maxBytes: MAX_RESPONSE_BYTES,
  });
  if (status !== 200) throw new TsregError(`it answered with status ${status}`, { code: 'network' });
  const jwt = readSecretField(body, 'value');
  if (jwt === null || jwt === '') throw new TsregError('its answer has no `value`', { code: 'network' });
  return new Secret(jwt);
}

function noIdentity(audience: string, env: Environment): TsregError {
  const problem = 'this CI job has no identity to exchange for a token';
  return new TsregError(`${problem}\n${advice(audience, env)}`, { code: 'auth' });
}

/** Returns how to give the job an identity, for the CI system that runs it. */
function advice(audience: string, env: Environment): string {
  if (env['GITHUB_ACTIONS'] === 'true') {
    return 'give the job the permission `id-token: write` in the workflow file';
  }
  const declaration = `id_tokens: { ${TOKEN_VARIABLES[0]}: { aud: ${audience} } }`;
  if (env['GITLAB_CI'] !== undefined) return `give it one in \`.gitlab-ci.yml\`: \`${declaration}\``;
  return (
    'this is neither GitHub Actions (`permissions: { id-token: write }`) nor GitLab ' +
    `(\`${declaration}\`); elsewhere put a JWT for \`${audience}\` into ${TOKEN_VARIABLES[0]}`
  );
}
