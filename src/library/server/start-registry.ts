/** A registry with a socket. */
import { TsregError } from '../../core/errors/error.ts';
import { checkOptions, NUMBER, type OptionChecks } from '../option-checks.ts';
import { type Registry, REGISTRY_SERVER_CHECKS, type RegistryServerOptions } from './registry.ts';

/** Options of `startRegistry`. */
export interface StartRegistryOptions extends RegistryServerOptions {
  /** The port of 127.0.0.1; by default, or with 0, any free port. */
  readonly port?: number | undefined;
}

const CHECKS: OptionChecks<StartRegistryOptions> = { ...REGISTRY_SERVER_CHECKS, port: NUMBER };

const HOST = '127.0.0.1';

/** How long requests in progress may take once the registry is closed. */
const STOP_GRACE_MS = 1000;

/**
 * Starts a registry at 127.0.0.1. The caller must close it. Rejects with a `TsregError`, for example with the code
 * `config` if there is no SQLite, or `io` if the port is in use or the folder is not writable.
 */
export async function startRegistry(options: StartRegistryOptions = {}): Promise<Registry> {
  checkOptions(options, CHECKS);
  const port = checkPort(options.port ?? 0);
  const [{ listen }, { serveRegistry }] = await Promise.all([
    import('../../server/http/listen.ts'),
    import('./serve-registry.ts'),
  ]);
  const advice = 'choose another `port`, or omit it to use any free one';
  const listener = await listen({ address: { host: HOST, port }, tls: null, advice });
  const stop = (): Promise<void> => listener.stop(STOP_GRACE_MS);
  try {
    const url = `http://${HOST}:${listener.address.port}`;
    const { registry, handle } = await serveRegistry(options, url, { stop });
    listener.serve(handle);
    return registry;
  } catch (error) {
    await stop();
    throw error;
  }
}

function checkPort(port: number): number {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new TsregError(`\`port\` must be 0 to 65535, not \`${port}\``, { code: 'usage' });
}
