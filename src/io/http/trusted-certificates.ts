/** The trusted certificate authorities. Cargo Book: Configuration, `http.cainfo`. */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { Environment } from './choose-proxy.ts';
import { CurlError } from './curl-error.ts';

/** The files in which known systems store their trusted certificates. */
const SYSTEM_FILES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/cacert.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
  '/usr/local/etc/ssl/cert.pem',
  '/opt/homebrew/etc/ca-certificates/cert.pem',
];

/**
 * Returns PEM texts of the trusted authorities: only `caFile` if given; else `SSL_CERT_FILE` or the system's file, plus
 * `SSL_CERT_DIR` and `NODE_EXTRA_CA_CERTS`. Null means the certificates that Node contains.
 */
export function readTrustedCertificates(caFile: string | null, env: Environment): readonly Buffer[] | null {
  if (caFile !== null) return [readRequired(caFile)];
  const fromVariable = env['SSL_CERT_FILE'];
  const file = isFile(fromVariable) ? fromVariable : SYSTEM_FILES.find(existsSync);
  if (file === undefined) return null;
  const readPaths = new Set([realpathSync(file)]);
  const texts = [readFileSync(file)];
  for (const path of [env['NODE_EXTRA_CA_CERTS'], ...filesIn(env['SSL_CERT_DIR'], file)]) {
    if (!isFile(path)) continue;
    const realPath = realpathSync(path);
    if (readPaths.has(realPath)) continue;
    readPaths.add(realPath);
    texts.push(readFileSync(path));
  }
  return texts;
}

function isFile(path: string | undefined): path is string {
  return path !== undefined && path !== '' && existsSync(path);
}

/**
 * Returns the files in `folders` with names as openssl-rehash(1) makes them, except in the folder of `file`, which
 * contains the same certificates.
 */
function filesIn(folders: string | undefined, file: string): string[] {
  if (folders === undefined) return [];
  return folders.split(delimiter).flatMap((folder) => {
    if (folder === '' || folder === dirname(file) || !existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((name) => /^[0-9a-f]{8}\.\d+$/.test(name))
      .map((name) => join(folder, name));
  });
}

function readRequired(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw new CurlError(77, `error setting certificate file: ${path}`);
  }
}
