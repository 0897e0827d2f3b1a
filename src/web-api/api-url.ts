/** Where the web API of a registry is. Cargo Book: Registry Web API. */

/**
 * The URL of a request, `path` being what stands behind `/api/v1`. A `host` that names no protocol is taken for the name
 * of a server, as curl does.
 */
export function apiUrl(host: string, path: string): string {
  const base = host === '' || host.includes('://') ? host : `http://${host}`;
  return `${base}/api/v1${path}`;
}
