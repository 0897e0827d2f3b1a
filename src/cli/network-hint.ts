/** What helps where there is no network, or where none may be used. */
import { TsregError } from '../errors/error.ts';
import type { Command } from './command.ts';

/** How git says that it did not reach a server. */
const GIT_WITHOUT_NETWORK =
  /Could not resolve host|Failed to connect|Connection (?:refused|timed out|reset)|unable to access|Network is unreachable/;

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
    return `\`${name}\` asks the registry, which \`--offline\`, \`--frozen\` and \`net.offline\` forbid`;
  }
  if (network === 'required' || !isAboutNetwork(error)) return null;
  return 'with `--offline` no network is used, only what was downloaded before';
}

function isAboutNetwork(error: TsregError): boolean {
  if (error.code === 'network') return true;
  let text = '';
  for (let at: unknown = error; at instanceof TsregError; at = at.cause) text += `${at.message}\n`;
  return error.code === 'git' && GIT_WITHOUT_NETWORK.test(text);
}
