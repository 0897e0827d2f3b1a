/** The ID, the log entry and the metrics of each request. */
import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { ServerContext } from '../server-context.ts';
import { clientAddress, type HttpEnv, isFromProxy } from './http-env.ts';
import type { Metrics } from '../shared/metrics.ts';

const UNTRUSTED_HELP =
  '`X-Forwarded-For` is ignored, since it is not from a trusted proxy; if this proxy is yours, pass `--trusted-proxy ADDRESS`';

/** Returns middleware that gives requests an ID, logs and counts them. Queries, headers and bodies are not logged. */
export function observeRequests(
  { settings, log }: ServerContext,
  metrics: Metrics,
): MiddlewareHandler<HttpEnv> {
  let hasWarned = false;
  return async (c, next) => {
    const startedMs = performance.now();
    const isProxied = isFromProxy(c, settings.trustedProxies);
    const proxyId = isProxied ? c.req.header('x-request-id') : undefined;
    const requestId = proxyId !== undefined && /^[\w.-]{1,64}$/.test(proxyId) ? proxyId : randomUUID();
    c.set('requestId', requestId);
    // A header set now becomes part of the response. If set later, Hono would create the response again.
    c.header('X-Request-Id', requestId);
    if (!isProxied && !hasWarned && c.req.header('x-forwarded-for') !== undefined) {
      hasWarned = true;
      const address = c.env.incoming?.socket.remoteAddress ?? null;
      log.warning('forwarded-header-ignored', { address, help: UNTRUSTED_HELP });
    }
    metrics.begin();
    await next();
    const { method, path } = c.req;
    const { status } = c.res;
    const ms = performance.now() - startedMs;
    metrics.end({ route: routeOf(path), method, status, seconds: ms / 1000 });
    log.info('request', {
      id: requestId,
      method,
      path,
      status,
      ms: Math.round(ms * 100) / 100,
      address: clientAddress(c, settings.trustedProxies),
      user: c.get('login') ?? null,
    });
  };
}

/** Returns the kind of a path, one of a few words: as a label of metrics, each path would take memory for ever. */
function routeOf(path: string): string {
  if (path.startsWith('/index/')) return 'index';
  if (path.startsWith('/api/v1/crates')) {
    const [crate, second, third] = path.slice('/api/v1/crates/'.length).split('/');
    if (crate === undefined || crate === '') return 'search';
    if (crate === 'new' && second === undefined) return 'publish';
    if (second === 'owners') return 'owners';
    return third === 'download' || third === 'yank' || third === 'unyank' ? third : 'api';
  }
  if (path.startsWith('/api/')) return 'api';
  return /^\/(?:healthz|livez|readyz|metrics)$/.test(path) ? path.slice(1) : 'page';
}
