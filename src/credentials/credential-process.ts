/** Programs that give tokens. Cargo Book: Credential Provider Protocol. */
import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { Secret } from '../config/secret.ts';
import { TsregError } from '../errors/error.ts';
import { JsonCursor } from '../protocol/json-cursor.ts';
import type {
  CredentialAnswer,
  CredentialOperation,
  CredentialRequest,
  ProviderContext,
} from './credential-request.ts';
import { endOf, statusText } from './ended-process.ts';

const MAX_LINE = 1024 * 1024;
const PROTOCOL = 1;

/** Asks a program that speaks cargo's protocol. Rejects where it fails or does not speak it. */
export async function askCredentialProcess(
  program: string,
  request: CredentialRequest,
  { config, signal }: ProviderContext,
): Promise<CredentialAnswer> {
  const child = spawn(program, ['--cargo-plugin'], {
    signal,
    cwd: config.cwd,
    env: { ...config.env },
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
    child.stdin.write(`${JSON.stringify(requestOf(request))}\n`);
    const response = decodeObject(await nextLine(lines, ended), 'failed to deserialize response');
    child.stdin.end();
    const status = await ended;
    if (!status.isSuccess) {
      throw authError(`credential process \`${program}\` failed with status ${statusText(status)}\``);
    }
    return decodeAnswer(response);
  } catch (error) {
    child.kill();
    throw error;
  }
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

/** The order of the fields is cargo's. */
function requestOf({ action, args, subject: { indexUrl, name, headers } }: CredentialRequest): object {
  return {
    v: PROTOCOL,
    registry: {
      'index-url': indexUrl,
      ...(name === null ? {} : { name }),
      ...(headers.length === 0 ? {} : { headers }),
    },
    kind: action.kind,
    ...(action.kind === 'get' ? operationFields(action.operation) : {}),
    ...(action.kind === 'login' && action.token !== null ? { token: action.token.expose() } : {}),
    ...(action.kind === 'login' && action.loginUrl !== null ? { 'login-url': action.loginUrl } : {}),
    ...(args.length === 0 ? {} : { args }),
  };
}

function operationFields(operation: CredentialOperation): object {
  const { kind } = operation;
  switch (operation.kind) {
    case 'read':
      return { operation: kind };
    case 'publish':
      return { operation: kind, name: operation.name, vers: operation.vers, cksum: operation.cksum };
    case 'yank':
    case 'unyank':
      return { operation: kind, name: operation.name, vers: operation.vers };
    case 'owners':
      return { operation: kind, name: operation.name };
  }
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
  if (!isFields(ok)) throw authError('failed to deserialize response');
  switch (ok['kind']) {
    case 'login':
    case 'logout':
      return { kind: ok['kind'] };
    case 'get':
      return decodeToken(ok);
    default:
      return { kind: 'unknown' };
  }
}

function decodeToken(ok: Fields): CredentialAnswer {
  const { token, cache, expiration, operation_independent: isOperationIndependent } = ok;
  if (typeof token !== 'string' || typeof isOperationIndependent !== 'boolean') {
    throw authError('failed to deserialize response');
  }
  const isKnown = cache === 'never' || cache === 'session' || cache === 'expires';
  return {
    kind: 'get',
    token: new Secret(token),
    cache: isKnown ? cache : 'unknown',
    expiration: cache === 'expires' && typeof expiration === 'number' ? expiration : null,
    isOperationIndependent,
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

function authError(message: string): TsregError {
  return new TsregError(message, { code: 'auth' });
}
