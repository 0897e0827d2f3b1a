/** Programs that give tokens. Cargo Book: Credential Provider Protocol. */
import type { Readable } from 'node:stream';
import { Secret } from '../config/secret.ts';
import { osError } from '../disk/errno.ts';
import { TsregError } from '../errors/error.ts';
import { JsonCursor } from '../protocol/json-cursor.ts';

/** Which registry a token is for. */
export interface CredentialSubject {
  /** With `sparse+`. */
  readonly indexUrl: string;
  /** As configured; null if it has no name. */
  readonly name: string | null;
  /** Of the answer that asked for a token: `name: value`. */
  readonly headers: readonly string[];
}

/** How a program is started. */
export interface CredentialProcessOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** What a provider answers. The last two let the next one be asked. */
export type CredentialAnswer =
  | {
      readonly kind: 'token';
      readonly token: Secret;
      readonly expiresAt: number | null;
      readonly isCacheable: boolean;
    }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'url-not-supported' };

const MAX_LINE = 1024 * 1024;
const PROTOCOL = 1;

/** Asks a program that speaks cargo's protocol for a token to read with. Rejects where it fails or does not speak it. */
export async function askCredentialProcess(
  [program, ...args]: readonly [string, ...string[]],
  subject: CredentialSubject,
  options: CredentialProcessOptions,
): Promise<CredentialAnswer> {
  const { spawn } = await import('node:child_process');
  const child = spawn(program, ['--cargo-plugin'], {
    ...options,
    env: { ...options.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = endOf(child);
  child.stdin.on('error', () => {}); // Told by what is missing in its answers.
  try {
    const lines = readLines(child.stdout);
    const hello = decodeObject(await nextLine(lines, ended), 'failed to deserialize hello');
    const versions = hello['v'];
    if (!Array.isArray(versions) || !versions.includes(PROTOCOL)) {
      throw authError(
        `credential provider supports protocol versions ${JSON.stringify(versions)}, while Cargo supports [${PROTOCOL}]`,
      );
    }
    child.stdin.write(`${JSON.stringify(requestOf(subject, args))}\n`);
    const response = decodeObject(await nextLine(lines, ended), 'failed to deserialize response');
    child.stdin.end();
    const status = await ended;
    if (status !== 0)
      throw authError(`credential process \`${program}\` failed with status ${statusText(status)}\``);
    return decodeAnswer(response);
  } catch (error) {
    child.kill();
    throw error;
  }
}

/** Runs a program that prints a token and nothing else (`cargo:token-from-stdout`). */
export async function runTokenCommand(
  args: readonly string[],
  subject: CredentialSubject,
  options: CredentialProcessOptions,
): Promise<CredentialAnswer> {
  const [program, ...rest] = args;
  if (program === undefined) {
    throw authError(
      'The first argument to `cargo:token-from-stdout` must be a command that prints a token on stdout',
    );
  }
  const { spawn } = await import('node:child_process');
  const env = {
    ...options.env,
    CARGO_REGISTRY_INDEX_URL: subject.indexUrl,
    ...(subject.name === null ? {} : { CARGO_REGISTRY_NAME_OPT: subject.name }),
  };
  const expanded = rest.map((arg) => arg.replaceAll('{index_url}', () => subject.indexUrl));
  const child = spawn(program, expanded, { ...options, env, stdio: ['inherit', 'pipe', 'inherit'] });
  const ended = endOf(child);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.length > MAX_LINE) child.kill();
  });
  const status = await ended;
  const newline = output.indexOf('\n');
  if (newline !== -1 && newline + 1 < output.length) {
    throw authError(`process \`${program}\` returned more than one line of output; expected a single token`);
  }
  if (status !== 0) throw authError(`process \`${program}\` failed with status \`${statusText(status)}\``);
  const token = new Secret(newline === -1 ? output : output.slice(0, newline));
  return { kind: 'token', token, expiresAt: null, isCacheable: true };
}

interface Process {
  once(event: 'error', listener: (error: Error) => void): unknown;
  once(event: 'close', listener: (status: number | null) => void): unknown;
}

function endOf(child: Process): Promise<number | null> {
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => {
      reject(new TsregError('failed to spawn credential process', { cause: osError(error) }));
    });
    child.once('close', resolve);
  });
  // Whoever waits for a line is told; nobody may be waiting.
  ended.catch(() => {});
  return ended;
}

async function* readLines(stream: Readable): AsyncGenerator<string, void, undefined> {
  let rest = '';
  stream.setEncoding('utf8');
  for await (const text of stream) {
    rest += String(text);
    if (rest.length > MAX_LINE) throw authError('credential provider wrote too much');
    for (let at = rest.indexOf('\n'); at !== -1; at = rest.indexOf('\n')) {
      yield rest.slice(0, at);
      rest = rest.slice(at + 1);
    }
  }
  if (rest !== '') yield rest;
}

async function nextLine(
  lines: AsyncGenerator<string, void, undefined>,
  ended: Promise<unknown>,
): Promise<string> {
  const next = await lines.next();
  if (next.done !== true) return next.value;
  await ended; // A program that could not be started is told as such.
  return '';
}

function requestOf({ indexUrl, name, headers }: CredentialSubject, args: readonly string[]): object {
  return {
    v: PROTOCOL,
    registry: {
      'index-url': indexUrl,
      ...(name === null ? {} : { name }),
      ...(headers.length === 0 ? {} : { headers }),
    },
    kind: 'get',
    operation: 'read',
    ...(args.length === 0 ? {} : { args }),
  };
}

type Fields = { readonly [key: string]: unknown };

function decodeObject(line: string, problem: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new TsregError(problem, { code: 'auth', cause: jsonProblem(line) });
  }
  if (!isFields(value)) throw authError(problem);
  return value;
}

function jsonProblem(line: string): unknown {
  try {
    new JsonCursor(Buffer.from(line)).skipValue();
    return authError('trailing characters');
  } catch (error) {
    return error;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function decodeAnswer({ Ok: ok, Err: err }: Fields): CredentialAnswer {
  if (isFields(err)) {
    switch (err['kind']) {
      case 'not-found':
      case 'url-not-supported':
        return { kind: err['kind'] };
      case 'operation-not-supported':
        throw authError('requested operation not supported');
      case 'other':
        throw chainOf(err);
      default:
        throw authError('unknown error kind; try updating Cargo?');
    }
  }
  if (!isFields(ok) || ok['kind'] !== 'get' || typeof ok['token'] !== 'string') {
    throw authError('failed to deserialize response');
  }
  const expiration =
    ok['cache'] === 'expires' && typeof ok['expiration'] === 'number' ? ok['expiration'] : null;
  return {
    kind: 'token',
    token: new Secret(ok['token']),
    expiresAt: expiration === null ? null : expiration * 1000,
    isCacheable: ok['cache'] === 'session' || expiration !== null,
  };
}

function chainOf(err: Fields): TsregError {
  const causes = Array.isArray(err['caused-by']) ? err['caused-by'] : [];
  const messages = [err['message'], ...causes].filter((message) => typeof message === 'string');
  return (
    messages.reduceRight<TsregError | null>(
      (cause, message) => (cause === null ? authError(message) : new TsregError(message, { cause })),
      null,
    ) ?? authError('unknown error kind; try updating Cargo?')
  );
}

function statusText(status: number | null): string {
  return status === null ? 'signal' : `exit status: ${status}`;
}

function authError(message: string): TsregError {
  return new TsregError(message, { code: 'auth' });
}
