/** What helps where there is no network. */
import { TsregError } from '../errors/error.ts';

/** How git says that it did not reach a server. */
const GIT_WITHOUT_NETWORK =
  /Could not resolve host|Failed to connect|Connection (?:refused|timed out|reset)|unable to access|Network is unreachable/;

/** Which flag does without the network, for an error that comes from it; null for any other. */
export function offlineHint(error: unknown): string | null {
  if (!(error instanceof TsregError) || !isAboutNetwork(error)) return null;
  return 'with `--offline` no network is used, only what was downloaded before';
}

function isAboutNetwork(error: TsregError): boolean {
  if (error.code === 'network') return true;
  let text = '';
  for (let at: unknown = error; at instanceof TsregError; at = at.cause) text += `${at.message}\n`;
  return error.code === 'git' && GIT_WITHOUT_NETWORK.test(text);
}
