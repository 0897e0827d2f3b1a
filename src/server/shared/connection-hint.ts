import { errorChain } from './error-chain.ts';

/** The server of a failed connection, as hints name it. */
export interface ConnectionTarget {
  /** The server, for example `the store`. */
  readonly what: string;
  /** The setting that holds the address. */
  readonly address: string;
}

/** Error codes for certificates that no known authority has signed. */
const UNKNOWN_AUTHORITY = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Returns advice for a failed connection, by the code of the error or of a cause; null for other codes. */
export function connectionHint(error: unknown, { what, address }: ConnectionTarget): string | null {
  const code = systemCode(error);
  if (code === 'ECONNREFUSED') return `is ${what} running, and are host and port in ${address} right?`;
  if (code === 'ENOTFOUND') return `no host has this name: check ${address}`;
  if (code === 'EAI_AGAIN') return 'host names cannot be resolved: is the network up?';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `the certificate is not for the host in ${address}`;
  if (code === 'CERT_HAS_EXPIRED') return `the certificate of ${what} has expired: renew it`;
  if (UNKNOWN_AUTHORITY.has(code))
    return `name the file of the authority that signed the certificate of ${what} in \`NODE_EXTRA_CA_CERTS\``;
  if (code === 'EPROTO') return `${what} does not speak TLS there: check ${address}`;
  return null;
}

/** Returns the first code in capitals, as Node and OpenSSL write them; empty if there is none. */
function systemCode(error: unknown): string {
  for (const link of errorChain(error)) {
    const code: unknown = 'code' in link ? link.code : undefined;
    if (typeof code === 'string' && code === code.toUpperCase()) return code;
  }
  return '';
}
