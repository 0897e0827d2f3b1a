/** Hints for commands that fail without network access. */
import { TsregError } from '../core/errors/error.ts';
import type { Command } from '../commands/shared/command.ts';

/** Messages of git, or of a request, that did not reach a server. */
const UNREACHED =
  /Could not resolve (?:host|hostname|proxy)|Could not connect|Failed to connect|Connection (?:refused|timed out|reset)|unable to access|Network is unreachable/;

/** The network settings of a failed command. */
interface NetworkUse {
  /** True with `--offline`, or with its equivalent in the configuration. */
  readonly offline: boolean;
}

/** Returns a hint for a command that failed because it did not reach, or must not use, the network; null otherwise. */
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
