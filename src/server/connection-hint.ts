/** Where an address that is wrong stands, and whose it is. */
export interface ConnectionTarget {
  /** Who was to answer: `the store`, for example. */
  readonly what: string;
  /** What names the address. */
  readonly address: string;
}

/** Certificates that no known authority has signed. */
const UNKNOWN_AUTHORITY = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** What to do where there is no connection, by the code of an error or of what led to it; null where that says nothing. */
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

function systemCode(error: unknown): string {
  for (let each = error; each instanceof Error; each = each.cause) {
    const code: unknown = 'code' in each ? each.code : undefined;
    if (typeof code === 'string' && code === code.toUpperCase()) return code;
  }
  return '';
}
