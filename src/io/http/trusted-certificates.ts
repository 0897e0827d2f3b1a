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
 * `SSL_CERT_DIR` and `NODE_EXTRA_CA_CERTS`. Null means the certificates that Node contains. Throws a `CurlError` if
 * `caFile` or `SSL_CERT_FILE` has no valid certificates. A file of `SSL_CERT_FILE` that does not exist has no effect.
 */
export function readTrustedCertificates(caFile: string | null, env: Environment): readonly Buffer[] | null {
  if (caFile !== null) return [readRequired(caFile)];
  const fromVariable = env['SSL_CERT_FILE'];
  const file = isFile(fromVariable) ? fromVariable : SYSTEM_FILES.find(existsSync);
  if (file === undefined) return null;
  const texts = [file === fromVariable ? readRequired(file) : readFileSync(file)];
  const readPaths = new Set([realpathSync(file)]);
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

/** Reads a file that the user named. Throws curl's error if it cannot be read or has no valid certificates. */
function readRequired(path: string): Buffer {
  try {
    const bytes = readFileSync(path);
    assertCertificates(bytes.toString('latin1'));
    return bytes;
  } catch {
    throw new CurlError(77, `error adding trust anchors from file: ${path}`);
  }
}

/**
 * Throws unless `pem` has certificates, the first and the last of which are valid. Node ignores invalid ones. To check
 * all takes as long as the handshake.
 */
function assertCertificates(pem: string): void {
  const { X509Certificate } = process.getBuiltinModule('node:crypto');
  const starts = [...pem.matchAll(/^-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/gm)].map(
    ({ index }) => index,
  );
  // Reads the first certificate at or after a position.
  for (const start of [0, starts.at(-1) ?? 0]) new X509Certificate(pem.slice(start));
}
