import { createApp } from '../../src/server/app.ts';
import type { LogValues } from '../../src/server/shared/log.ts';
import type { ServerSettings } from '../../src/server/server-context.ts';
import { openUpstream, type UpstreamSettings } from '../../src/server/open-upstream.ts';
import type { GateSettings } from '../../src/server/store/mirror-status.ts';
import type { Upstream } from '../../src/server/upstream/upstream.ts';
import type { TestRegistry } from './test-registry.ts';

/** A mirror of another registry, without a socket. Its clock only advances when the test changes `nowMs`. */
export interface Mirror {
  readonly context: TestRegistry['context'];
  readonly upstream: Upstream;
  /** The events of the log, with their values. */
  readonly log: (LogValues & { readonly event: string })[];
  ask(path: string, init?: RequestInit): Promise<Response>;
}

/** Settings for connections to servers on this machine. */
export const HTTP: UpstreamSettings['http'] = {
  ...{ env: {}, proxy: null, timeoutMs: 1_000, lowSpeedLimit: 10, caFile: null, proxyCaFile: null },
  ...{ userAgent: 'tsreg-test', multiplexing: true, sslVersion: null },
};

/** Gates that let every version pass. */
export const NO_GATES: GateSettings = {
  ...{ minAgeMs: null, blocked: [], allowed: [], blocksAdvisories: false },
  ...{ allowedLicenses: [], deniedLicenses: [] },
};

/** Creates a mirror of the registry at `url` that stores its cache in `registry`. */
export function openMirror(
  registry: TestRegistry,
  url: string,
  more: Partial<UpstreamSettings> & { readonly settings?: Partial<ServerSettings> } = {},
): Mirror {
  const { settings, ...rest } = more;
  const log: Mirror['log'] = [];
  const note = (event: string, values: LogValues = {}): void => {
    if (event !== 'request') log.push({ event, ...values });
  };
  const own = {
    ...registry.context,
    settings: { ...registry.context.settings, ...settings },
    clock: { now: () => registry.nowMs },
    log: { info: note, warning: note, error: note },
  };
  const upstream = openUpstream(own, {
    ...{ url, token: null, refreshMs: 300_000, isOffline: false, quotaBytes: null, fixedPauseMs: 1 },
    gates: NO_GATES,
    http: HTTP,
    ...rest,
  });
  const context = { ...own, upstream };
  const app = createApp(context);
  return {
    ...{ context, upstream, log },
    ask: async (path, init = {}) => await app.fetch(new Request(`http://x${path}`, init), {}),
  };
}
