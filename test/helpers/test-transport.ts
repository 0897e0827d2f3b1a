import { Transport, type TransportOptions } from '../../src/http/transport.ts';

/** A transport that knows nothing of the machine: no proxy, no certificates of its own; `options` replace what it is told. */
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
