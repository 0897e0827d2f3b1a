/** The identity that a CI system gives its jobs. Source: the manuals of GitHub Actions and GitLab. */
import type { Environment } from '../../io/config/environment.ts';
import { Secret } from '../../io/config/secret.ts';
import { TsregError, withContextAsync } from '../../core/errors/error.ts';
import type { Transport } from '../../io/http/transport.ts';
import { readSecretField } from '../../io/web-api/trusted-publishing.ts';

/** Variables that may contain the identity of a job. crates.io documents the second one for GitLab. */
const TOKEN_VARIABLES = ['CARGO_REGISTRY_ID_TOKEN', 'CRATES_IO_ID_TOKEN'] as const;
const MAX_RESPONSE_BYTES = 256 * 1024;

/** The audience of the identity, and the means to request it. */
export interface IdentityOptions {
  /** The registry's name in the identity: the host of its web API, with the port if the URL has one. */
  readonly audience: string;
  readonly env: Environment;
  readonly transport: Transport;
}

/** Returns the identity of this job, a JWT. Throws `auth` with setup instructions if the job has none. */
export async function ciIdentity({ audience, env, transport }: IdentityOptions): Promise<Secret> {
  for (const name of TOKEN_VARIABLES) {
    const value = env[name];
    if (value !== undefined && value !== '') return new Secret(value.trim());
  }
  const url = env['ACTIONS_ID_TOKEN_REQUEST_URL'];
  const token = env['ACTIONS_ID_TOKEN_REQUEST_TOKEN'];
  if (url === undefined || token === undefined || !URL.canParse(url)) throw noIdentity(audience, env);
  return withContextAsync('GitHub Actions did not give this job an identity', () =>
    askGitHub({ url: new URL(url), token, audience, transport }),
  );
}

async function askGitHub({
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
