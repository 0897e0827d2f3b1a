import { Transport, type TransportOptions } from '../../src/io/http/transport.ts';

/**
 * Creates a transport that does not depend on the machine: without proxy and certificates. `options` replace the
 * defaults.
 */
export function testTransport(options: Partial<TransportOptions> = {}): Transport {
  return new Transport({
    env: {},
    proxy: null,
    gitProxy: () => Promise.resolve(null),
    timeoutMs: 10_000,
    lowSpeedLimit: 10,
    caFile: null,
    proxyCaFile: null,
    userAgent: 'test',
    multiplexing: true,
    sslVersion: null,
    offlineFlag: null,
    signal: new AbortController().signal,
    ...options,
  });
}
