/** What helps where there is no network, or where none may be used. */
import { TsregError } from '../errors/error.ts';
import type { Command } from './command.ts';

/** How git, or a request, says that it did not reach a server. */
const UNREACHED =
  /Could not resolve (?:host|hostname|proxy)|Could not connect|Failed to connect|Connection (?:refused|timed out|reset)|unable to access|Network is unreachable/;

/** How a command ran that failed. */
interface NetworkUse {
  /** True with `--offline`, or what stands for it in the configuration. */
  readonly offline: boolean;
}

/** What helps a command that failed for want of the network, or of leave to use it; null for any other error. */
export function networkHint(
  error: unknown,
  { name, network }: Pick<Command, 'name' | 'network'>,
  { offline }: NetworkUse,
): string | null {
  if (!(error instanceof TsregError) || network === undefined) return null;
  if (offline) {
    const isTooFew = error.code === 'network' || error.code === 'source';
    if (network === 'optional' || !isTooFew) return null;
    return `\`${name}\` needs the registry, and \`--offline\`, \`--frozen\` or \`net.offline\` does not allow that`;
  }
  const isUnreached = UNREACHED.test(textOf(error));
  if (network === 'required') return isUnreached && error.code === 'network' ? CHECK_ADDRESS : null;
  if (error.code !== 'network' && !(error.code === 'git' && isUnreached)) return null;
  return 'pass `--offline` to use only what is already downloaded';
}

const CHECK_ADDRESS =
  'the server does not respond: check `--index`, or the `index` of the registry in `.cargo/config.toml`; ' +
  'behind a proxy, set `HTTPS_PROXY` or `http.proxy`';

function textOf(error: TsregError): string {
  let text = '';
  for (let at: unknown = error; at instanceof TsregError; at = at.cause) text += `${at.message}\n`;
  return text;
}
