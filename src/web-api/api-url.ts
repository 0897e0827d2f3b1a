/** Where the web API of a registry is. Cargo Book: Registry Web API. */
import { checkUri } from '../http/check-uri.ts';

/** Returns the URL of a request, `path` being the part after `/api/v1`. Throws if it is not a URI. */
export function apiUrl(host: string, path: string): string {
  return checkUri(`${host}/api/v1${path}`);
}
