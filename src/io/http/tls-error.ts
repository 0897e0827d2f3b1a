/** Errors of TLS handshakes, with the messages of curl. `tls-error.test.ts` tests them with real connections. */
import { isIP } from 'node:net';
import type { PeerCertificate } from 'node:tls';
import { CurlError, errorCode, opensslErrorText } from './curl-error.ts';

/** Returns curl's error for a failed handshake. */
export function handshakeError(error: unknown): CurlError {
  if (error instanceof CurlError) return error;
  const code = errorCode(error);
  const message = error instanceof Error ? error.message : String(error);
  // Node 24 adds advice: `self-signed certificate; if the root CA is installed locally, …`.
  const problem = verifyResult(code, message.replace(/;.*/s, ''));
  if (problem !== null) return new CurlError(60, `SSL certificate OpenSSL verify result: ${problem}`);
  const tlsError = opensslErrorText(error);
  if (tlsError !== null) return new CurlError(35, `TLS connect error: ${tlsError}`);
  if (code === 'EPIPE') return new CurlError(35, 'Send failure: Broken pipe');
  if (code !== 'ECONNRESET') return new CurlError(35, message);
  // Node uses this code also for a connection that the peer closed. Only a reset has a `syscall`.
  const isReset = error instanceof Error && 'syscall' in error;
  return new CurlError(35, isReset ? 'Recv failure: Connection reset by peer' : UNEXPECTED_EOF);
}

const UNEXPECTED_EOF = 'TLS connect error: error:0A000126:SSL routines::unexpected eof while reading';

/** Returns OpenSSL's result of verifying a certificate, with its number; null for another error. */
function verifyResult(code: string, message: string): string | null {
  // Two things are wrong then. Node reports the second, curl the first.
  if (code === 'UNABLE_TO_VERIFY_LEAF_SIGNATURE') return 'unable to get local issuer certificate (20)';
  // Node does not tell the number of a rare problem.
  if (code === 'UNSPECIFIED') return message;
  const number = VERIFY_NUMBERS.get(code);
  return number === undefined ? null : `${message} (${number})`;
}

/** The numbers of OpenSSL, in `x509_vfy.h`, by Node's codes. */
const VERIFY_NUMBERS: ReadonlyMap<string, number> = new Map([
  ['UNABLE_TO_GET_ISSUER_CERT', 2],
  ['CERT_SIGNATURE_FAILURE', 7],
  ['CERT_NOT_YET_VALID', 9],
  ['CERT_HAS_EXPIRED', 10],
  ['ERROR_IN_CERT_NOT_BEFORE_FIELD', 13],
  ['ERROR_IN_CERT_NOT_AFTER_FIELD', 14],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 18],
  ['SELF_SIGNED_CERT_IN_CHAIN', 19],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 20],
  ['CERT_CHAIN_TOO_LONG', 22],
  ['CERT_REVOKED', 23],
  ['PATH_LENGTH_EXCEEDED', 25],
  ['INVALID_PURPOSE', 26],
  ['CERT_UNTRUSTED', 27],
  ['CERT_REJECTED', 28],
  ['INVALID_CA', 79],
]);

/** Returns curl's error for a certificate that does not name `host`, a name or an address; undefined if it does. */
export function checkHost(host: string, certificate: PeerCertificate): CurlError | undefined {
  const { checkServerIdentity } = process.getBuiltinModule('node:tls');
  if (checkServerIdentity(host, certificate) === undefined) return undefined;
  const { subject, subjectaltname = '' } = certificate;
  const version = isIP(host);
  if (/(?:^|, )(?:DNS|IP Address):/.test(subjectaltname)) {
    const kind = version === 0 ? 'hostname' : `ipv${version} address`;
    return new CurlError(60, `SSL: no alternative certificate subject name matches target ${kind} '${host}'`);
  }
  const commonName = [subject.CN].flat().at(-1);
  return new CurlError(
    60,
    commonName === undefined
      ? 'SSL: unable to obtain common name from peer certificate'
      : `SSL: certificate subject name '${commonName}' does not match target hostname '${host}'`,
  );
}
