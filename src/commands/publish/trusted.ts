/** Publishes with the identity of a CI job instead of a stored token. */
import { Secret } from '../../io/config/secret.ts';
import { TsregError, withContextAsync } from '../../core/errors/error.ts';
import type { Environment } from '../../io/config/environment.ts';
import { displaySource } from '../../core/package-id/describe.ts';
import type { OperationContext, Report } from '../../core/report/report.ts';
import type { RegistryAccess } from '../../io/sources/registry-access.ts';
import { ApiError, asApiError } from '../../io/web-api/api-error.ts';
import { sendWithRetry } from '../../io/http/send-with-retry.ts';
import { exchangeIdentity, revokeToken, type TokenService } from '../../io/web-api/trusted-publishing.ts';
import { ciIdentity } from './ci-identity.ts';
import type { OpenedRegistry } from '../shared/registry/open-registry.ts';
import { VERSION } from '../shared/version.ts';

/** Options for getting and revoking a token. */
export interface TrustedPublishingOptions {
  readonly registry: OpenedRegistry;
  readonly env: Environment;
  /** Its requests continue after the operation is aborted, so that the token is still revoked. */
  readonly lasting: RegistryAccess;
  /** How long to wait for a busy registry to issue a token, in milliseconds; null to not wait. */
  readonly maxWaitMs: number | null;
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
  const { transport } = options.lasting;
  try {
    const { token, service } = await getToken(options, context);
    try {
      return await body();
    } finally {
      await revoke(token, service, context.report);
    }
  } finally {
    await transport.close();
  }
}

/** Exchanges the identity of this job for a token, and uses it for all later requests. */
async function getToken(
  { registry, env, lasting, maxWaitMs }: TrustedPublishingOptions,
  context: OperationContext,
): Promise<{ readonly token: Secret; readonly service: TokenService }> {
  const { host, credentials, source } = registry;
  const { transport } = lasting;
  const service: TokenService = { transport, host, userAgent: lasting.userAgent ?? `tsreg/${VERSION}` };
  const question = { audience: audienceOf(host), env, transport };
  let jwt = await ciIdentity(question);
  const retryPolicy = {
    ...{ ...context, maxWaitMs, responseErrorIn: asApiError },
    // The registry accepts an identity only once, and it expires soon.
    mayRepeat: async () => {
      jwt = await ciIdentity(question);
      return true;
    },
  };
  const token = await withContextAsync(
    () => `trusted publishing failed at ${host}`,
    () => exchange(() => sendWithRetry(() => exchangeIdentity(jwt, service), retryPolicy)),
  );
  context.report.status(
    'Exchanged',
    `the identity of this job for a token of ${displaySource(source.original)}`,
  );
  credentials.setToken(source.original, token);
  return { token, service };
}

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
