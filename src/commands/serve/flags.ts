/** `serve`: runs a private registry. Cargo Book: Running a Registry. */
import type { StartOptions } from '../../server/start-options.ts';
import { type Command, isGiven, type Invocation } from '../shared/command.ts';
import { rejectedFlag, switchFlag, valueFlag } from '../shared/flag.ts';
import { ClosedPipe, OutputStream } from '../../io/terminal/output-stream.ts';
import { BADGE_FLAGS } from './badge-flags.ts';
import { GATE_FLAGS } from './gate-flags.ts';
import { IDENTITY_FLAGS } from './identity-flags.ts';
import { type Demo, openDemo } from './demo.ts';
import { openLog } from './open-log.ts';
import { DOCUMENTATION_MODES, SERVER_DEFAULTS, serverOptions } from './server-options.ts';
import { startLines, startText } from './start-text.ts';
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

/** The flags of `tsreg serve`, and its run. */
export const SERVE: Command = {
  name: 'serve',
  about: 'Run a private registry',
  supportedGlobalFlags: ['verbose', 'quiet', 'color', 'offline', 'config'],
  flags: [
    valueFlag('listen', 'HOST:PORT', {
      help: `Address to listen on; port 0 picks a free port [default: ${SERVER_DEFAULTS.listen}]`,
    }),
    // Many users try this name first.
    rejectedFlag('port', { flag: '--listen' }),
    ...STORE_FLAGS,
    ...IDENTITY_FLAGS,
    ...BADGE_FLAGS,
    switchFlag(
      'demo',
      'Create a registry with sample crates, in a temporary folder unless `--data` names a new folder',
      {
        conflictsWith: 'upstream',
      },
    ),
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
      help: 'Let published crates depend on crates of this registry; may be repeated',
      heading: 'Publishing Rules',
      refusesEmpty: true,
    }),
    valueFlag('advisories', 'DIR', {
      help: 'Copy of the RustSec advisory database, or folder with OSV files; its advisories are shown on the pages of crates',
      refusesEmpty: true,
    }),
    valueFlag('documentation', 'MODE', {
      help: `Show uploaded documentation of crates with its scripts, without scripts, or not at all [default: ${SERVER_DEFAULTS.documentation}]`,
      values: DOCUMENTATION_MODES,
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
    ...GATE_FLAGS,
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
    valueFlag('max-upload', 'MIB', {
      help: `Largest \`.crate\` file to accept [default: ${SERVER_DEFAULTS.uploadMib}]`,
      heading: 'Limits',
    }),
    valueFlag('max-connections', 'N', {
      help: `Maximum number of connections; one address can have an eighth of it [default: ${SERVER_DEFAULTS.connections}]`,
      heading: 'Limits',
    }),
    valueFlag('rate-limit', 'N', {
      help: `Maximum number of changes per minute and user; 0 for no limit [default: ${SERVER_DEFAULTS.changesPerMinute}]`,
      heading: 'Limits',
    }),
    valueFlag('log-format', 'FORMAT', {
      help: 'Form of the log on stderr [default: text on a terminal, otherwise json]',
      heading: 'Monitoring',
      values: ['json', 'text'],
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
  const clock = { now: () => Date.now() };
  const write = (lines: string): void => ignoringClosedPipe(() => shell.writeError(lines));
  const log = await openLog(invocation, { clock, write });
  const stopSignal = waitForStopSignal();
  const options = serverOptions(invocation);
  const demo = await openDemo(invocation, options.location);
  const location = demo?.location ?? options.location;
  try {
    await serveUntil(stopSignal, invocation, { ...options, location, clock, log, demo });
  } finally {
    await demo?.remove();
    log.flush();
  }
}

/** Runs the server until the stop signal. Prints its addresses once it serves. */
async function serveUntil(
  stopSignal: Promise<void>,
  { values, identity, shell }: Invocation,
  { demo, ...options }: StartOptions & { readonly demo: Demo | null },
): Promise<void> {
  const [{ startServer }, { describePlaces }] = await Promise.all([
    import('../../server/start-server.ts'),
    import('../../server/admin/store-location.ts'),
  ]);
  const { isTerminal } = new OutputStream(1);
  let hasUsers = true;
  const server = await startServer({
    ...options,
    async prepare(registry) {
      await demo?.fill(registry);
      if (isTerminal) hasUsers = (await registry.records.count()).users > 0;
    },
  });
  const places = describePlaces(options.location);
  const { registryName } = options.identity;
  const { authRequired } = options;
  const { program } = identity;
  const isFlag = (name: string): boolean => name === 'data' || isGiven(values, name);
  const facts = { server, places, demo };
  // A reader that needs only the first lines may have closed the pipe.
  ignoringClosedPipe(() => {
    if (isTerminal) {
      shell.writeText(startText({ ...facts, program, registryName, authRequired, hasUsers, isFlag }));
    } else shell.writeOut(startLines(facts));
  });
  await stopSignal;
  await server.stop();
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
