import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readTrustedCertificates } from '../../../src/io/http/trusted-certificates.ts';
import { onWindows } from '../../helpers/system.ts';
import { AUTHORITY, SERVER_CERTIFICATE, SERVER_KEY } from './certificates.ts';

const folder = mkdtempSync(join(tmpdir(), 'ca-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a file, by default with a certificate after its name. */
function file(name: string, text = `${name}\n${AUTHORITY}`): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** Returns the first line of each text. */
function read(
  caFile: string | null,
  env: Record<string, string>,
): readonly (string | undefined)[] | undefined {
  return readTrustedCertificates(caFile, env)?.map((text) => String(text).split('\n')[0]);
}

test('only the configured file counts if there is one', () => {
  expect(read(file('own'), { SSL_CERT_FILE: file('system') })).toEqual(['own']);
});

test('the certificates of all variables are combined without duplicates', () => {
  const hashed = join(folder, 'hashed');
  mkdirSync(hashed);
  writeFileSync(join(hashed, '0123abcd.0'), 'more');
  writeFileSync(join(hashed, 'readme'), 'no');
  if (!onWindows) symlinkSync(file('system'), join(hashed, 'ffffffff.0'));
  const env = { SSL_CERT_FILE: file('system'), NODE_EXTRA_CA_CERTS: file('extra'), SSL_CERT_DIR: hashed };
  expect(read(null, env)).toEqual(['system', 'extra', 'more']);
  expect(read(null, { ...env, NODE_EXTRA_CA_CERTS: file('system'), SSL_CERT_DIR: folder })).toEqual([
    'system',
  ]);
});

const BROKEN = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';

test.each([
  ['does not exist', null],
  ['is empty', ''],
  ['contains no certificate', 'hello\n'],
  ['contains only a key', SERVER_KEY],
  ['is cut', AUTHORITY.slice(0, 200)],
  ['begins with a broken certificate', BROKEN + AUTHORITY],
  ['ends with a broken certificate', AUTHORITY + BROKEN],
])('a file that %s is an error', (_, text) => {
  const path = text === null ? join(folder, 'none') : file('wrong', text);
  const message =
    '[77] Problem with the SSL CA cert (path? access rights?) ' +
    `(error adding trust anchors from file: ${path})`;
  expect(() => read(path, {})).toThrow(message);
  if (text !== null) expect(() => read(null, { SSL_CERT_FILE: path })).toThrow(message);
});

test('other text around certificates is allowed', () => {
  expect(read(file('bundle', `# one\n${AUTHORITY}# two\n${SERVER_CERTIFICATE}end`), {})).toEqual(['# one']);
});
