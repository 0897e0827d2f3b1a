/** The credentials that sign requests to a bucket. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { TsregError } from '../../core/errors/error.ts';
import type { Environment } from './bucket-location.ts';

/** An access key and its secret. */
export interface BucketCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Part of temporary credentials; null for others. */
  readonly sessionToken: string | null;
}

/**
 * Reads `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`; without them the profile `AWS_PROFILE`
 * (default: `default`) of the file `AWS_SHARED_CREDENTIALS_FILE` (default: `~/.aws/credentials`). Throws `config` if
 * there are no valid credentials.
 */
export function readBucketCredentials(env: Environment): BucketCredentials {
  const accessKeyId = env['AWS_ACCESS_KEY_ID'] ?? '';
  const secretAccessKey = env['AWS_SECRET_ACCESS_KEY'] ?? '';
  if (accessKeyId !== '' && secretAccessKey !== '') {
    return requireHeaderSafe({
      accessKeyId,
      secretAccessKey,
      sessionToken: env['AWS_SESSION_TOKEN'] || null,
    });
  }
  if (accessKeyId !== '' || secretAccessKey !== '') {
    throw missingCredentials(
      'only one of `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY` is set: set both, or none of them',
    );
  }
  return readProfile(env);
}

/** Reads the profile of the credentials file. Throws `config` if it has no valid keys. */
function readProfile(env: Environment): BucketCredentials {
  const home = env['HOME'] || homedir();
  const path = env['AWS_SHARED_CREDENTIALS_FILE'] || join(home, '.aws', 'credentials');
  const profile = env['AWS_PROFILE'] || 'default';
  const instead = 'set `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`';
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw missingCredentials(`${instead}, or make \`${path}\` readable`);
  }
  const values = sectionOf(text, profile);
  const accessKeyId = values?.get('aws_access_key_id') ?? '';
  const secretAccessKey = values?.get('aws_secret_access_key') ?? '';
  if (accessKeyId === '' || secretAccessKey === '') {
    throw missingCredentials(`${instead}, or both in the profile \`${profile}\` of \`${path}\``);
  }
  return requireHeaderSafe({
    accessKeyId,
    secretAccessKey,
    sessionToken: values?.get('aws_session_token') || null,
  });
}

/** Throws `config` if a header cannot contain the key or the token, such as with a line end. Never repeats them. */
function requireHeaderSafe(credentials: BucketCredentials): BucketCredentials {
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

function missingCredentials(advice: string): TsregError {
  return new TsregError(`there are no keys for the object store: ${advice}`, { code: 'config' });
}
