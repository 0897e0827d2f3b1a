/** The errors of fetches, with the messages of cargo's git library. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { TsregError } from '../../core/errors/error.ts';
import { libgit2Error } from './libgit2-error.ts';

/** A failure that may be temporary. The message of its root cause appears in the warning about a retry. */
export class SpuriousError extends TsregError {}

const NETWORK_HINT = `network failure seems to have happened
if a proxy or similar is necessary \`net.git-fetch-with-cli\` may help here
https://doc.rust-lang.org/cargo/reference/config.html#netgit-fetch-with-cli`;
const AUTHENTICATION_HINT = `failed to authenticate when downloading repository

* attempted to find username/password via git's \`credential.helper\` support, but failed

if the git CLI succeeds then \`net.git-fetch-with-cli\` may help here
https://doc.rust-lang.org/cargo/reference/config.html#netgit-fetch-with-cli`;

/**
 * Returns cargo's error for a fetch of `url` that failed with `result`. `command` is the command line, for an unknown
 * failure. Above each pattern are samples of git's lines; those of curl in them differ between its releases. Classes
 * and their numbers are libgit2's. cargo retries failures of the classes Net, Os, Zlib and Http.
 */
export function fetchError(
  url: string,
  command: string,
  result: { readonly status: number | null; readonly stderr: string },
): TsregError {
  const { stderr } = result;
  // fatal: '/tmp/a.git' does not appear to be a git repository
  if (/does not appear to be a git repository$/m.test(stderr) && url.startsWith('file:'))
    return missingRepository(url);
  // fatal: unable to access 'https://a.invalid/': Could not resolve host: a.invalid
  // ssh: Could not resolve hostname a.invalid: Name or service not known
  const host = /Could not resolve (?:host|hostname):? ([^\s:]+)/i.exec(stderr)?.[1];
  if (host !== undefined)
    return withNetworkHint(
      spurious(`failed to resolve address for ${host}: Name or service not known`, 'Net (12)'),
    );
  const [, address, reason = 'Connection refused'] = connectFailure(stderr) ?? [];
  if (address !== undefined) return spurious(`failed to connect to ${address}: ${reason}`, 'Os (2)');
  // fatal: unable to access 'http://127.0.0.1/': The requested URL returned error: 503
  // fatal: repository 'http://127.0.0.1/a/' not found
  const code =
    /The requested URL returned error: (\d{3})/.exec(stderr)?.[1] ??
    (/^fatal: repository '.*' not found$/m.test(stderr) ? '404' : undefined);
  if (code !== undefined)
    return withNetworkHint(spurious(`unexpected http status code: ${code}`, 'Http (34)'));
  // fatal: could not read Username for 'https://127.0.0.1': terminal prompts disabled
  // fatal: Authentication failed for 'https://127.0.0.1/a/'
  if (/could not read (?:Username|Password)|Authentication failed/.test(stderr))
    return new TsregError(AUTHENTICATION_HINT, {
      cause: new TsregError('failed to acquire username/password from local configuration', { code: 'auth' }),
    });
  return new TsregError(
    `process didn't exit successfully: \`${command}\` (${describeStatus(result.status)})\n--- stderr\n${stderr}`,
    { code: 'git' },
  );
}

/** Returns the error for a `file:` URL that leads to no repository. */
function missingRepository(url: string): TsregError {
  if (/^file:\/\/(?:localhost)?\/(?:\/|$)/.test(url))
    return libgit2Error(`'${url}' is not a valid local file URI`, 'Config (7)');
  const path = pathOfFileUrl(url);
  if (!existsSync(path))
    return spurious(`failed to resolve path '${path}': No such file or directory`, 'Os (2)');
  return libgit2Error(`could not find repository at '${path}'`, 'Repository (6)');
}

/** Finds the line about a failed connection, with the address and maybe the reason as groups; null if there is none. */
function connectFailure(stderr: string): RegExpExecArray | null {
  // fatal: unable to access 'http://a:1/': Failed to connect to a port 1 after 0 ms: Couldn't connect to server
  // fatal: unable to access 'http://a:1/': Failed to connect to a:1 after 0 ms: Could not connect to server
  const ofCurl =
    /Failed to connect to (\S+?)(?: port \d+|:\d+ after).*(?:Could(?:n't| not) connect to server|Connection refused)/;
  // ssh: connect to host 127.0.0.1 port 1: Connection refused
  const ofSsh = /connect to host (\S+) port \d+: (Connection (?:refused|timed out)|Network is unreachable)/;
  // fatal: unable to connect to 127.0.0.1:
  const ofGit = /unable to connect to ([^\s:]+):/;
  return ofCurl.exec(stderr) ?? ofSsh.exec(stderr) ?? ofGit.exec(stderr);
}

/** Returns the path of a `file:` URL with query and fragment; the URL itself if it has a host or cannot be decoded. */
function pathOfFileUrl(url: string): string {
  const { search, hash } = new URL(url);
  try {
    return fileURLToPath(url) + search + hash;
  } catch {
    return url;
  }
}

function spurious(message: string, className: string): SpuriousError {
  return new SpuriousError(`${message}; class=${className}`, { code: 'network' });
}

/** Puts cargo's advice above the failure. The warning about a retry shows the failure itself. */
function withNetworkHint(cause: SpuriousError): SpuriousError {
  return new SpuriousError(NETWORK_HINT, { cause });
}

/** Returns `exit status: 1`; `signal` if a signal ended the process. */
export function describeStatus(status: number | null): string {
  return status === null ? 'signal' : `exit status: ${status}`;
}
