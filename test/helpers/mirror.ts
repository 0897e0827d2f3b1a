import { createApp } from '../../src/server/http/app.ts';
import type { LogValues } from '../../src/server/log.ts';
import type { ServerSettings } from '../../src/server/server-context.ts';
import { openUpstream, type UpstreamSettings } from '../../src/server/upstream/open-upstream.ts';
import type { Upstream } from '../../src/server/upstream/upstream.ts';
import type { TestRegistry } from './test-registry.ts';

/** A server without a socket that passes on another registry. Its clock stands still unless it is moved. */
export interface Mirror {
  readonly context: TestRegistry['context'];
  readonly upstream: Upstream;
  /** Events of the log, with their values. */
  readonly log: (LogValues & { readonly event: string })[];
  ask(path: string, init?: RequestInit): Promise<Response>;
}

/** Connections to servers of this machine. */
export const HTTP: UpstreamSettings['http'] = {
  ...{ env: {}, proxy: null, timeoutMs: 1_000, lowSpeedLimit: 10, caFile: null, proxyCaFile: null },
  ...{ userAgent: 'tsreg-test', multiplexing: true, sslVersion: null },
};

/** Puts a server in front of `url`, with what it is asked kept in `registry`. */
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
