/** URLs of a registry's web API. Cargo Book: Registry Web API. */
import { checkUri } from '../http/check-uri.ts';

/** Returns the URL of a request. `path` is the part after `/api/v1`. Throws if the result is not a URI. */
export function apiUrl(host: string, path: string): string {
  return checkUri(`${host}/api/v1${path}`);
}
