import { TsregError } from '../core/errors/error.ts';
import { Transport } from '../io/http/transport.ts';
import { checkToken } from '../core/protocol/check-token.ts';
import { LicenseGate } from './publish/license-gate.ts';
import { LicenseRules } from './publish/license-rules.ts';
import type { OutgoingHttp } from './shared/outgoing-http.ts';
import type { Advisories } from './store/advisories.ts';
import type { ServerSettings } from './server-context.ts';
import { MirrorQuota } from './upstream/mirror-quota.ts';
import { Upstream } from './upstream/upstream.ts';
import type { UpstreamContext } from './upstream/upstream-context.ts';
import type { GateSettings } from './store/mirror-status.ts';
import { UpstreamClient } from './upstream/upstream-client.ts';
import { UpstreamGates } from './upstream/upstream-gates.ts';
import { parseUpstreamUrl } from './upstream/upstream-url.ts';

/** With a longer timeout clients, which usually wait half a minute, would give up before the upstream does. */
const MAX_TIMEOUT_MS = 10_000;
/** A slower response keeps other requests waiting. */
const MIN_BYTES_PER_SECOND = 1024;

/** Settings of the upstream, from the server's operator. */
export interface UpstreamSettings {
  /** `sparse+https://…/` or `crates-io`. */
  readonly url: string;
  /** For a registry that needs one; null for none. */
  readonly token: string | null;
  /** Age after which a cached index file is checked again. */
  readonly refreshMs: number;
  /** Whether to send no requests. */
  readonly isOffline: boolean;
  /** Maximum bytes of the cache, for all upstreams and servers together; null for no limit. */
  readonly quotaBytes: number | null;
  /** Which versions to serve. */
  readonly gates: GateSettings;
  /** HTTP settings. Timeouts are at most ten seconds. */
  readonly http: OutgoingHttp;
  /** Replaces the usual pauses before retries, for tests; null otherwise. */
  readonly fixedPauseMs: number | null;
}

/** Creates an upstream. Sends no request. Throws `usage` for an invalid URL, quota or gate, `auth` for a bad token. */
export function openUpstream(
  context: UpstreamContext & { readonly settings: ServerSettings; readonly advisories?: Advisories },
  { url, token, refreshMs, isOffline, quotaBytes, gates, http, fixedPauseMs }: UpstreamSettings,
): Upstream {
  const { settings, clock, log, advisories = null } = context;
  const indexUrl = parseUpstreamUrl(url);
  if (indexUrl === `${settings.baseUrl}/index/`) {
    throw new TsregError('`--upstream` is the address of this server itself', { code: 'usage' });
  }
  if (token !== null) checkToken(token);
  if (quotaBytes !== null && quotaBytes < settings.limits.maxCrateBytes) {
    throw new TsregError('`--upstream-quota` must not be smaller than `--max-upload`', { code: 'usage' });
  }
  const licenses = new LicenseRules(gates);
  const archives = licenses.hasRules ? new LicenseGate(licenses, context) : null;
  const upstreamGates = new UpstreamGates(gates, { records: context.records, advisories, archives });
  const abortController = new AbortController();
  const transport = new Transport({
    ...http,
    timeoutMs: Math.min(http.timeoutMs, MAX_TIMEOUT_MS),
    lowSpeedLimit: Math.max(http.lowSpeedLimit, MIN_BYTES_PER_SECOND),
    gitProxy: () => Promise.resolve(null),
    offlineFlag: null,
    signal: abortController.signal,
  });
  const client = new UpstreamClient(
    {
      indexUrl,
      token,
      transport,
      abortController,
      maxCrateBytes: settings.limits.maxCrateBytes,
      fixedPauseMs,
    },
    { clock, log },
  );
  // Offline, evicted files could not be downloaded again.
  const quota = quotaBytes === null || isOffline ? null : new MirrorQuota(context, quotaBytes);
  return new Upstream(context, { client, refreshMs, isOffline, quota, gates: upstreamGates });
}
