import { TsregError } from '../../errors/error.ts';
import { Transport } from '../../http/transport.ts';
import { checkToken } from '../../protocol/check-token.ts';
import type { OutgoingHttp } from '../outgoing-http.ts';
import type { ServerContext } from '../server-context.ts';
import { MirrorQuota } from './mirror-quota.ts';
import { Upstream } from './upstream.ts';
import { UpstreamClient } from './upstream-client.ts';
import { parseUpstreamUrl } from './upstream-url.ts';

/** Beyond that a client that waits, half a minute as a rule, would give up before the upstream is. */
const MAX_TIMEOUT_MS = 10_000;
/** Bytes a second: whoever sends less keeps others waiting. */
const MIN_SPEED = 1024;

/** Which registry is passed on, as whoever starts the server says. */
export interface UpstreamSettings {
  /** `sparse+https://…/` or `crates-io`. */
  readonly url: string;
  /** For a registry that needs one; null for none. */
  readonly token: string | null;
  /** A file of the index is asked about again after that. */
  readonly refreshMs: number;
  /** True to ask for nothing. */
  readonly isOffline: boolean;
  /** Bytes of what is kept, of all upstreams and servers together; null for any number. */
  readonly quotaBytes: number | null;
  /** How connections are made; nobody is waited for longer than ten seconds. */
  readonly http: OutgoingHttp;
  /** A pause between repetitions instead of the usual ones, for tests. */
  readonly fixedPauseMs: number | null;
}

/** Makes an upstream; nothing is asked yet. Throws a usage error for an address or a token that cannot be one. */
export function openUpstream(
  context: Pick<ServerContext, 'records' | 'blobs' | 'clock' | 'log' | 'settings'>,
  { url, token, refreshMs, isOffline, quotaBytes, http, fixedPauseMs }: UpstreamSettings,
): Upstream {
  const { settings, clock, log } = context;
  const index = parseUpstreamUrl(url);
  if (index === `${settings.baseUrl}/index/`) {
    throw new TsregError('`--upstream` is the address of this server itself', { code: 'usage' });
  }
  if (token !== null) checkToken(token);
  if (quotaBytes !== null && quotaBytes < settings.limits.maxCrateBytes) {
    throw new TsregError('`--upstream-quota` must not be smaller than `--max-upload`', { code: 'usage' });
  }
  const ending = new AbortController();
  const transport = new Transport({
    ...http,
    timeoutMs: Math.min(http.timeoutMs, MAX_TIMEOUT_MS),
    lowSpeedLimit: Math.max(http.lowSpeedLimit, MIN_SPEED),
    gitProxy: () => Promise.resolve(null),
    offlineFlag: null,
    signal: ending.signal,
  });
  const client = new UpstreamClient(
    { index, token, transport, ending, maxCrateBytes: settings.limits.maxCrateBytes, fixedPauseMs },
    { clock, log },
  );
  // What cannot be taken again stays.
  const quota = quotaBytes === null || isOffline ? null : new MirrorQuota(context, quotaBytes);
  return new Upstream(context, { client, refreshMs, isOffline, quota });
}
