/** A registry without a socket. */
import { TsregError } from '../../core/errors/error.ts';
import { checkOptions, type OptionChecks, required, TEXT } from '../option-checks.ts';
import { type Registry, REGISTRY_SERVER_CHECKS, type RegistryServerOptions } from './registry.ts';

/** Options of `openRegistry`. */
export interface OpenRegistryOptions extends RegistryServerOptions {
  /** The address under which clients reach the registry, such as `https://crates.example.com`. It has no path. */
  readonly url: string;
}

const CHECKS: OptionChecks<OpenRegistryOptions> = { ...REGISTRY_SERVER_CHECKS, url: required(TEXT) };

/**
 * Opens a registry for the requests that another server passes to `fetch`. The caller must close it. Rejects with a
 * `TsregError`, for example with the code `config` if there is no SQLite, or `io` if the folder is not writable.
 */
export async function openRegistry(options: OpenRegistryOptions): Promise<Registry> {
  checkOptions(options, CHECKS);
  const url = originOf(options.url);
  const { serveRegistry } = await import('./serve-registry.ts');
  const { registry } = await serveRegistry(options, url);
  return registry;
}

/** Returns the origin of a URL. Throws `usage` for a path, query or user: the pages use paths from the root. */
function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  throw new TsregError('`url` must be the address of a server: `https://HOST` or `https://HOST:PORT`', {
    code: 'usage',
  });
}
