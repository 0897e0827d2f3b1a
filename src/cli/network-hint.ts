/** Hints for commands that fail without network access. */
import { TsregError } from '../core/errors/error.ts';
import type { Command } from '../commands/shared/command.ts';

/**
 * Messages that say that no server was reached: of `curl-error.ts`, of `git/fetch-error.ts`, and of git itself. Not those
 * of a proxy that refused a tunnel.
 */
const UNREACHED =
  /Could not resolve (?:host|hostname|proxy)|failed to resolve address|Could not connect(?! to server \(CONNECT)|[Ff]ailed to connect|Connection (?:refused|timed out|reset)|unable to access|Network is unreachable/;

/** A message of `StatusError`: the server refuses a request, which says more than a hint. */
const REFUSED = /, got 40[13]$/m;

/** Messages of `curl-error.ts` about a proxy that was not reached. */
const PROXY_UNREACHED = /over proxy |Could not resolve proxy/;

/** The message of a `.crate` file that could not be downloaded. `--offline` does not help then. */
const DOWNLOAD_FAILED = /^failed to download from /m;

const CHECK_PROXY = 'the proxy does not respond: check `http.proxy`, `HTTPS_PROXY` and `HTTP_PROXY`';
const CHECK_NETWORK = 'the server does not respond: behind a proxy, set `HTTPS_PROXY` or `http.proxy`';
const CHECK_ADDRESS =
  'the server does not respond: check `--index`, or the `index` of the registry in `.cargo/config.toml`; ' +
  'behind a proxy, set `HTTPS_PROXY` or `http.proxy`';

/**
 * Returns a hint for a command that failed because it did not reach, or must not use, the network; null otherwise.
 * `offline` is true with `--offline` or `--frozen`, or with their equivalent in the configuration.
 */
export function networkHint(
  error: unknown,
  { name, network }: Pick<Command, 'name' | 'network'>,
  { offline }: { readonly offline: boolean },
): string | null {
  if (!(error instanceof TsregError) || network === undefined) return null;
  if (offline) {
    // The code of a dependency that was not downloaded is `source`.
    const isDownloadMissing = error.code === 'network' || error.code === 'source';
    if (network === 'optional' || !isDownloadMissing) return null;
    return `\`${name}\` needs the registry, and \`--offline\`, \`--frozen\` or \`net.offline\` does not allow that`;
  }
  const messages = messagesOf(error);
  const isUnreached = UNREACHED.test(messages);
  const isProxyUnreached = PROXY_UNREACHED.test(messages);
  if (network === 'required') {
    if (!isUnreached || error.code !== 'network') return null;
    return isProxyUnreached ? CHECK_PROXY : CHECK_ADDRESS;
  }
  if (error.code !== 'network' && !(error.code === 'git' && isUnreached)) return null;
  if (REFUSED.test(messages)) return null;
  if (DOWNLOAD_FAILED.test(messages)) {
    if (!isUnreached) return null;
    return isProxyUnreached ? CHECK_PROXY : CHECK_NETWORK;
  }
  return 'pass `--offline` to use only what is already downloaded';
}

/** Returns the messages of an error and its causes. */
function messagesOf(error: TsregError): string {
  let messages = '';
  for (let cause: unknown = error; cause instanceof TsregError; cause = cause.cause) {
    messages += `${cause.message}\n`;
  }
  return messages;
}
