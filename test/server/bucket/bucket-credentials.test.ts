import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readBucketCredentials } from '../../../src/server/bucket/bucket-credentials.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const temp = makeTempDir('credentials');
afterAll(() => temp.remove());
const file = path.join(temp.path, 'credentials');

it('reads keys from the environment', () => {
  const env = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
  expect(readBucketCredentials(env)).toEqual({
    ...{ accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: null },
  });
  expect(readBucketCredentials({ ...env, AWS_SESSION_TOKEN: 'token' }).sessionToken).toBe('token');
});

it('reads keys from a profile of the shared credentials file', () => {
  writeFileSync(
    file,
    [
      '# comment',
      '[default]',
      'aws_access_key_id = first',
      'aws_secret_access_key=a/b+c==',
      '[ other ] ; comment',
      'AWS_ACCESS_KEY_ID=second',
      'aws_secret_access_key = s2',
      'aws_session_token = t2',
      's3 =',
      '  region = x',
      '[empty]',
    ].join('\r\n'),
  );
  const env = { AWS_SHARED_CREDENTIALS_FILE: file };
  expect(readBucketCredentials(env)).toEqual({
    ...{ accessKeyId: 'first', secretAccessKey: 'a/b+c==', sessionToken: null },
  });
  expect(readBucketCredentials({ ...env, AWS_PROFILE: 'other' })).toEqual({
    ...{ accessKeyId: 'second', secretAccessKey: 's2', sessionToken: 't2' },
  });
  for (const profile of ['empty', 'absent']) {
    expect(() => readBucketCredentials({ ...env, AWS_PROFILE: profile })).toThrow(
      `the profile \`${profile}\` of \`${file}\``,
    );
  }
});

it('throws an error with advice if keys are missing or incomplete', () => {
  expect(() => readBucketCredentials({ AWS_ACCESS_KEY_ID: 'id' })).toThrow('only one of');
  expect(() => readBucketCredentials({ HOME: temp.path })).toThrow('set `AWS_ACCESS_KEY_ID`');
});

it('refuses keys that cannot be in a header, and does not show them', () => {
  const env = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
  for (const wrong of [{ AWS_ACCESS_KEY_ID: 'id\n' }, { AWS_SESSION_TOKEN: 'to→ken' }]) {
    expect(() => readBucketCredentials({ ...env, ...wrong })).toThrow(
      'the access key or the session token for the object store contains a line end or another invalid character',
    );
  }
});
