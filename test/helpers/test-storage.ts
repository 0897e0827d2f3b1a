import { createHash } from 'node:crypto';

/** Where the blobs of a registry under test are, and what it takes to get there. */
export interface TestStorage {
  /** For `--storage` and `StoreLocation`; null for the folder. */
  readonly storage: string | null;
  /** Variables of a program that uses it. */
  readonly env: Readonly<Record<string, string>>;
}

/** A place in the object store that `TSREG_TEST_STORAGE` names, the same for the same folder; else that folder. */
export function testStorage(folder: string): TestStorage {
  const url = process.env['TSREG_TEST_STORAGE'] ?? '';
  if (url === '') return { storage: null, env: {} };
  const [bucket = '', query = ''] = url.split('?', 2);
  const prefix = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  const env: Record<string, string> = {};
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_REGION']) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return { storage: `${bucket.replace(/\/+$/, '')}/${prefix}?${query}`, env };
}

/** Why what is about the folder of the blobs is not tested; null where it is. */
export const FOLDER_IS_ELSEWHERE =
  (process.env['TSREG_TEST_STORAGE'] ?? '') === '' ? null : 'the .crate files are in an object store';
