/** The credentials that sign requests to a bucket. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { TsregError } from '../../core/errors/error.ts';
import type { Environment } from './bucket-location.ts';

/** The optional package that finds credentials in all places where programs of AWS look for them. */
const AWS_PACKAGE = '@aws-sdk/credential-providers';

/** An access key and its secret. */
export interface BucketCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Part of temporary credentials; null for others. */
  readonly sessionToken: string | null;
}

/** A request for credentials. */
export interface CredentialRequest {
  /** Whether to search for others first, because the store refused the current ones. */
  readonly forceRefresh: boolean;
}

/** Returns the current credentials. */
export type CredentialProvider = (request: CredentialRequest) => Promise<BucketCredentials>;

/**
 * Returns the provider of the variables or, without them, the credentials file. Throws as `readBucketCredentials` does.
 */
export function ownProvider(env: Environment): CredentialProvider {
  let credentials = readBucketCredentials(env);
  return async ({ forceRefresh }) => {
    if (forceRefresh) credentials = readBucketCredentials(env);
    return credentials;
  };
}

/**
 * Reads `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`; without them the profile `AWS_PROFILE`
 * (default: `default`) of the file `AWS_SHARED_CREDENTIALS_FILE` (default: `~/.aws/credentials`). Throws `config` if
 * there are no valid credentials.
 */
export function readBucketCredentials(env: Environment): BucketCredentials {
  if (!hasKeyVariables(env)) return readProfile(env);
  const accessKeyId = env['AWS_ACCESS_KEY_ID'] || null;
  const secretAccessKey = env['AWS_SECRET_ACCESS_KEY'] || null;
  if (accessKeyId === null || secretAccessKey === null) {
    throw new TsregError(
      'only one of `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY` is set: set both, or none of them',
      { code: 'config' },
    );
  }
  return requireHeaderSafe({
    accessKeyId,
    secretAccessKey,
    sessionToken: env['AWS_SESSION_TOKEN'] || null,
  });
}

/** Returns true if at least one of the variables for keys is set. */
export function hasKeyVariables(env: Environment): boolean {
  return Boolean(env['AWS_ACCESS_KEY_ID'] || env['AWS_SECRET_ACCESS_KEY']);
}

/** Reads the profile of the credentials file. Throws `config` if it has no valid keys. */
function readProfile(env: Environment): BucketCredentials {
  const home = env['HOME'] || homedir();
  const path = env['AWS_SHARED_CREDENTIALS_FILE'] || join(home, '.aws', 'credentials');
  const profile = env['AWS_PROFILE'] || 'default';
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw missingCredentials(`or make \`${path}\` readable`);
  }
  const values = sectionOf(text, profile);
  const accessKeyId = values?.get('aws_access_key_id') ?? '';
  const secretAccessKey = values?.get('aws_secret_access_key') ?? '';
  if (accessKeyId === '' || secretAccessKey === '') {
    throw missingCredentials(`or both in the profile \`${profile}\` of \`${path}\``);
  }
  return requireHeaderSafe({
    accessKeyId,
    secretAccessKey,
    sessionToken: values?.get('aws_session_token') || null,
  });
}

/** Throws `config` if a header cannot contain the key or the token, such as with a line end. Never repeats them. */
export function requireHeaderSafe(credentials: BucketCredentials): BucketCredentials {
  const { accessKeyId, sessionToken } = credentials;
  if (!/[^\t -~\u0080-\u00ff]/.test(accessKeyId + (sessionToken ?? ''))) return credentials;
  throw new TsregError(
    'the access key or the session token for the object store contains a line end or another invalid character',
    { code: 'config' },
  );
}

/** Returns the values below `[name]` by name in lower case; null if there is no such section. */
function sectionOf(text: string, name: string): ReadonlyMap<string, string> | null {
  let section: Map<string, string> | null = null;
  let isInside = false;
  for (const line of text.split(/\r?\n/)) {
    // The INI format of AWS's programs: `[profile]`, then `name = value` lines. `#` and `;` begin comments only at the
    // start of a line and after a heading.
    const heading = /^\s*\[\s*(.*?)\s*\]\s*(?:[#;].*)?$/.exec(line);
    if (heading !== null) {
      isInside = heading[1] === name;
      if (isInside) section ??= new Map();
      continue;
    }
    const [, key, value] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (isInside && key !== undefined && value !== undefined) section?.set(key.toLowerCase(), value);
  }
  return section;
}

function missingCredentials(alternative: string): TsregError {
  return new TsregError(
    `there are no keys for the object store: set \`AWS_ACCESS_KEY_ID\` and \`AWS_SECRET_ACCESS_KEY\`, ${alternative}`,
    {
      code: 'config',
      hint: `for roles, single sign-on and other sources of AWS, run \`npm install --global ${AWS_PACKAGE}\``,
    },
  );
}
