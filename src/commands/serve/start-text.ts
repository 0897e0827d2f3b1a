/** The output of `tsreg serve` once it serves. */
import { styled } from '../../io/terminal/style.ts';
import type { StorePlaces } from '../../server/admin/store-location.ts';
import type { RunningServer } from '../../server/start-server.ts';
import type { Demo } from './demo.ts';

/** A new server. */
export interface StartFacts {
  readonly server: Pick<RunningServer, 'url' | 'indexUrl' | 'staticIndexUrl' | 'metricsUrl'>;
  readonly places: StorePlaces;
  /** null if this is no demo. */
  readonly demo: Pick<Demo, 'account' | 'isTemporary'> | null;
}

/** What a person needs to know in addition, to use the server. */
export interface GuideFacts extends StartFacts {
  /** The name of this program in commands. */
  readonly program: string;
  /** The registry's name in examples. */
  readonly registryName: string;
  /** Whether clients need a token to read. */
  readonly authRequired: boolean;
  readonly hasUsers: boolean;
  /** Returns true if other commands need a part of `places` as a flag, and false if it is in the environment. */
  readonly isFlag: (name: string) => boolean;
}

const COLUMNS = 80;
const INDENT = '    ';
/** The URL of a server that only this machine can reach. */
const LOOPBACK_URL = /^https?:\/\/(?:127\.[\d.]+|localhost|\[::1\])(?:[:/]|$)/;

const ONLY_LOCAL = 'Only this machine can reach the registry. Others need --listen and --base-url.';

/** Returns the addresses for programs, one per line: its kind, a space and its value. */
export function startLines({ server, places, demo }: StartFacts): string {
  const { url, indexUrl, staticIndexUrl, metricsUrl } = server;
  const lines = Object.entries({
    url,
    index: indexUrl,
    static: staticIndexUrl,
    metrics: metricsUrl,
    ...places,
  });
  const account = Object.entries(demo?.account ?? {});
  return [...lines, ...account]
    .filter(([, value]) => value !== null)
    .map(([kind, value]) => `${kind} ${value}\n`)
    .join('');
}

/**
 * Returns the addresses for a person and the next steps, with styles: at most 24 lines of 80 columns, unless an
 * address or a path is longer.
 */
export function startText(facts: GuideFacts): string {
  const { server, hasUsers } = facts;
  const firstAdmin = [
    ['Create the first admin, and choose a password:'],
    commandOf(facts, 'user LOGIN --admin --password'),
  ];
  const paragraphs = [
    addresses(facts),
    ['Add the registry to .cargo/config.toml on each client:'],
    clientConfig(facts),
    ...(hasUsers ? [] : firstAdmin),
    [...signIn(facts), `Create a token at ${styled('literal', `${server.url}/me`)}, or with this command:`],
    commandOf(facts, `token --user ${facts.demo?.account.login ?? 'LOGIN'}`),
    ...(LOOPBACK_URL.test(server.url) ? [[ONLY_LOCAL]] : []),
  ];
  return `${paragraphs.map((lines) => lines.join('\n')).join('\n\n')}\n\n`;
}

/** Returns the addresses of the server and the places of its data. */
function addresses({ server, places, demo }: StartFacts): readonly string[] {
  const { staticIndexUrl, metricsUrl } = server;
  const remark = demo?.isTemporary === true ? ' (removed at the end)' : '';
  const rows: readonly (readonly [string, string | null | undefined])[] = [
    ['Web pages', styled('literal', `${server.url}/`)],
    ['Static index', staticIndexUrl],
    ['Metrics', metricsUrl],
    ['Data folder', places.data === undefined ? null : places.data + remark],
    ['Database', places.database],
    ['Object store', places.storage],
  ];
  return rows.flatMap(([label, value]) =>
    value === null || value === undefined ? [] : [`${label.padEnd(13)}${value}`],
  );
}

/** Returns what a client needs in its configuration. */
function clientConfig({ server, registryName, authRequired }: GuideFacts): readonly string[] {
  return [
    `${INDENT}[registries.${registryName}]`,
    `${INDENT}index = "${server.indexUrl}"`,
    ...(authRequired ? [`${INDENT}credential-provider = ["cargo:token"]`] : []),
  ];
}

function signIn({ server, demo }: StartFacts): readonly string[] {
  const place = `Sign in at ${styled('literal', `${server.url}/sign-in`)}`;
  if (demo === null) return [place];
  const { login, password } = demo.account;
  return [place, `as ${styled('literal', login)} with the password ${styled('literal', password)}`];
}

/** Returns a command of `serve` with the flags of the registry, on two lines if one is too short. */
function commandOf({ program, places, isFlag }: GuideFacts, words: string): readonly string[] {
  const first = `${INDENT}${program} serve ${words}`;
  const flags = Object.entries(places)
    .filter(([flag]) => isFlag(flag))
    .map(([flag, place]) => `--${flag} ${quoteWord(place)}`)
    .join(' ');
  if (flags === '') return [first];
  // The shells of Windows differ in how a line continues.
  const fits = first.length + 1 + flags.length <= COLUMNS || process.platform === 'win32';
  return fits ? [`${first} ${flags}`] : [`${first} \\`, `${INDENT}${INDENT}${flags}`];
}

/** Returns a text as one word of a command. */
function quoteWord(text: string): string {
  if (/^[\w@%+=:,./\\-]+$/.test(text)) return text;
  return process.platform === 'win32' ? `"${text}"` : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
