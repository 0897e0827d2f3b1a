/** `serve`: runs a private registry. Cargo Book: Running a Registry. */
import type { RunningServer } from '../../server/start-server.ts';
import { type Command, isGiven, type Invocation } from '../shared/command.ts';
import { rejectedFlag, switchFlag, valueFlag } from '../shared/flag.ts';
import { ClosedPipe } from '../../io/terminal/output-stream.ts';
import type { StorePlaces } from '../../server/admin/store-location.ts';
import { SERVER_DEFAULTS, serverOptions } from './server-options.ts';
import { STORE_FLAGS } from './store-flags.ts';
import { isSystemError } from '../../io/terminal/system-error.ts';
import { SERVE_BACKUP, SERVE_RESTORE } from './backup.ts';
import { SERVE_DELETE } from './delete.ts';
import { SERVE_OWN_NAME } from './own-name.ts';
import { SERVE_MIGRATE } from './migrate.ts';
import { SERVE_MOVE } from './move.ts';
import { SERVE_PUBLISHER } from './publisher.ts';
import { SERVE_TOKEN } from './token.ts';
import { SERVE_USER } from './user.ts';
import { SERVE_VERIFY } from './verify.ts';

/** The URL of a server that only this machine can reach. */
const LOOPBACK_URL = /^https?:\/\/(?:127\.[\d.]+|localhost|\[::1\])(?:[:/]|$)/;

/** The flags of `tsreg serve`, and its run. */
export const SERVE: Command = {
  name: 'serve',
  about: 'Run a private registry',
  supportedGlobalFlags: ['quiet', 'color', 'offline', 'config'],
  flags: [
    valueFlag('listen', 'HOST:PORT', {
      help: `Address to listen on; port 0 picks a free port [default: ${SERVER_DEFAULTS.listen}]`,
    }),
    // Many users try this name first.
    rejectedFlag('port', { flag: '--listen' }),
    ...STORE_FLAGS,
    switchFlag('auth-required', 'Require a token or a sign-in to read the index, crates and pages'),
    valueFlag('base-url', 'URL', {
      help: 'URL at which clients reach the server; needed behind a proxy or with `--listen 0.0.0.0:…`',
    }),
    valueFlag('trusted-proxy', 'CIDR', {
      kind: 'list',
      help: 'Address or network of a trusted proxy, which sets X-Forwarded-For and X-Request-Id; may be repeated',
      refusesEmpty: true,
    }),
    valueFlag('tls-cert', 'FILE', {
      help: 'PEM file with the certificate chain, for HTTPS',
      requires: 'tls-key',
    }),
    valueFlag('tls-key', 'FILE', {
      help: 'PEM file with the private key of the certificate',
      requires: 'tls-cert',
    }),
    switchFlag('strict', 'Accept only crates that crates.io would accept', { heading: 'Publishing Rules' }),
    valueFlag('allow-dependency-registry', 'URL', {
      kind: 'list',
      help: 'Registry from which crates that are published here may take dependencies; may be repeated',
      heading: 'Publishing Rules',
      refusesEmpty: true,
    }),
    valueFlag('upstream', 'URL', {
      help: 'Registry to proxy for crates that are not stored here: crates-io or sparse+https://…; put its token into TSREG_UPSTREAM_TOKEN',
      heading: 'Upstream Options',
      refusesEmpty: true,
    }),
    valueFlag('upstream-refresh', 'SECONDS', {
      help: `How long to use a cached index file without asking the upstream [default: ${SERVER_DEFAULTS.refreshSeconds}]`,
      heading: 'Upstream Options',
      requires: 'upstream',
    }),
    valueFlag('upstream-quota', 'SIZE', {
      help: `Space for cached files of the upstream, such as 500MiB or 2TiB; 0 for no limit [default: ${SERVER_DEFAULTS.quota}]`,
      heading: 'Upstream Options',
      requires: 'upstream',
    }),
    valueFlag('download', 'HOW', {
      help: 'Send `.crate` files through this server, or redirect clients to the object store [default: stream]',
      heading: 'Storage Options',
      values: ['stream', 'redirect'],
    }),
    valueFlag('static-url', 'URL', {
      help: 'Also write the index and copies of the `.crate` files into the object store, for a CDN that serves them at this URL',
      heading: 'Storage Options',
      refusesEmpty: true,
    }),
    valueFlag('max-upload', 'MB', {
      help: `Largest \`.crate\` file to accept [default: ${SERVER_DEFAULTS.uploadMb}]`,
      heading: 'Limits',
    }),
    valueFlag('max-connections', 'N', {
      help: `Most connections at a time; one address can have an eighth of them [default: ${SERVER_DEFAULTS.connections}]`,
      heading: 'Limits',
    }),
    valueFlag('rate-limit', 'N', {
      help: `Most changes per minute of one user; 0 for no limit [default: ${SERVER_DEFAULTS.changesPerMinute}]`,
      heading: 'Limits',
    }),
    valueFlag('metrics-listen', 'HOST:PORT', {
      help: 'Serve /metrics at this address instead of the address of the registry',
      heading: 'Monitoring',
      refusesEmpty: true,
    }),
    valueFlag('metrics-token-file', 'FILE', {
      help: 'File with the token for /metrics, instead of a token of the registry',
      heading: 'Monitoring',
      refusesEmpty: true,
    }),
    valueFlag('drain', 'SECONDS', {
      help: 'How long to continue serving after a stop signal, while /readyz responds with 503 [default: 0]',
      heading: 'Monitoring',
    }),
  ],
  subcommands: [
    SERVE_TOKEN,
    SERVE_USER,
    SERVE_PUBLISHER,
    SERVE_OWN_NAME,
    SERVE_VERIFY,
    SERVE_BACKUP,
    SERVE_RESTORE,
    SERVE_DELETE,
    SERVE_MIGRATE,
    SERVE_MOVE,
  ],
  run,
};

async function run(invocation: Invocation): Promise<void> {
  const { shell } = invocation;
  const [{ startServer }, { describePlaces }, { JsonLog }] = await Promise.all([
    import('../../server/start-server.ts'),
    import('../../server/admin/store-location.ts'),
    import('../../server/http/json-log.ts'),
  ]);
  const clock = { now: () => Date.now() };
  const log = new JsonLog({
    clock,
    write: (lines) => ignoringClosedPipe(() => shell.writeError(lines)),
    isQuiet: shell.verbosity === 'quiet',
  });
  const stopSignal = waitForStopSignal();
  const options = serverOptions(invocation);
  const server = await startServer({ ...options, clock, log });
  const places = describePlaces(options.location);
  // A reader that needs only the first lines may have closed the pipe.
  ignoringClosedPipe(() => {
    shell.writeOut(`url ${server.url}\nindex ${server.indexUrl}\n`);
    if (server.staticIndexUrl !== null) shell.writeOut(`static ${server.staticIndexUrl}\n`);
    if (server.metricsUrl !== null) shell.writeOut(`metrics ${server.metricsUrl}\n`);
    for (const [kind, place] of Object.entries(places)) shell.writeOut(`${kind} ${place}\n`);
    if (shell.outputWidth !== null) shell.writeOut(advice(server, { ...invocation, places }));
  });
  await stopSignal;
  await server.stop();
  log.flush();
}

/** Returns the next steps for a user of the registry. Omits flags whose values are in the environment. */
function advice(
  { url, indexUrl }: Pick<RunningServer, 'url' | 'indexUrl'>,
  { values, identity, places }: Pick<Invocation, 'values' | 'identity'> & { readonly places: StorePlaces },
): string {
  const provider = isGiven(values, 'auth-required') ? '\n    credential-provider = ["cargo:token"]' : '';
  const flags = Object.entries(places).flatMap(([flag, place]) =>
    flag === 'data' || isGiven(values, flag) ? [` --${flag} '${place}'`] : [],
  );
  return `
Add this to .cargo/config.toml on each client:

    [registries.mine]
    index = "${indexUrl}"${provider}

To create a token for a user, run:

    ${identity.program} serve token --user LOGIN${flags.join('')}
${LOOPBACK_URL.test(url) ? '\nOnly this machine can reach the registry. For other machines, pass --listen and --base-url.\n' : ''}
`;
}

/** Resolves at the first stop signal. The second one ends the process at once. */
async function waitForStopSignal(): Promise<void> {
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  await new Promise<void>((resolve) => {
    const stop = (): void => {
      for (const signal of signals) process.off(signal, stop);
      resolve();
    };
    for (const signal of signals) process.on(signal, stop);
  });
}

/** Runs `write` and ignores write errors: output that nobody reads must not stop the server. */
function ignoringClosedPipe(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof ClosedPipe) && !isSystemError(error)) throw error;
  }
}
