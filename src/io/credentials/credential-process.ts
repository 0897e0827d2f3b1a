/** Credential providers that are separate programs. Cargo Book: Credential Provider Protocol. */
import { Readable } from 'node:stream';
import { TsregError, withContext } from '../../core/errors/error.ts';
import { type Message, wordingByProgram } from '../../core/errors/wording.ts';
import type {
  CredentialResponse,
  CredentialOperation,
  CredentialRequest,
  ProviderContext,
} from './credential-request.ts';
import { startProgram } from '../programs/run-program.ts';
import { statusText, withSpawnError } from './process-end.ts';
import { decodeHello, decodeResponse, decodeUtf8, ProviderFailure } from './provider-responses.ts';

/** The limit of a message, which is one line. */
const MAX_LINE_BYTES = 1024 * 1024;
/** The only version of the protocol. */
const PROTOCOL = 1;

/**
 * Runs a program that implements cargo's protocol: it prints a hello, gets one request, prints one response and ends.
 * Rejects with `auth` if the program fails or violates the protocol, and with the reason of `signal`.
 */
export async function askCredentialProcess(
  program: string,
  request: CredentialRequest,
  { config, signal }: ProviderContext,
): Promise<CredentialResponse> {
  const startingProgram = startProgram(program, ['--cargo-plugin'], {
    env: config.env,
    cwd: config.cwd,
    signal,
    stdin: 'pipe',
    stderr: 'inherit',
  });
  const { stdin, stdout, exited, end } = await withSpawnError(startingProgram);
  // Further output is not read, so the end of stdout is not awaited.
  const ended = withSpawnError(exited);
  // It is awaited later: until then, Node would report a rejection as unhandled.
  ended.catch(() => {});
  try {
    const lines = readLines(stdout ?? Readable.from([]));
    const hello = await nextLine(lines, { ended, messageName: 'hello' });
    const versions = withContext('failed to deserialize hello', () => decodeHello(hello));
    if (!versions.includes(PROTOCOL)) {
      throw authError(
        wordingByProgram(
          (ownName) =>
            `credential provider supports protocol versions [${versions.join(', ')}], ` +
            `while ${ownName === 'cargo' ? 'Cargo' : ownName} supports [${PROTOCOL}]`,
        ),
      );
    }
    stdin?.write(`${JSON.stringify(encodeRequest(request))}\n`);
    const line = await nextLine(lines, { ended, messageName: 'response' });
    const response = withContext('failed to deserialize response', () => decodeResponse(line));
    stdin?.end();
    const processEnd = await ended;
    if (processEnd.status !== 0) {
      // The single backtick is cargo's.
      throw authError(`credential process \`${program}\` failed with status ${statusText(processEnd)}\``);
    }
    if (response instanceof ProviderFailure) throw response.error;
    stdout?.destroy();
    return response;
  } catch (error) {
    // The end of an aborted program is already under way. This rejects with the reason.
    if (signal.aborted) await ended;
    // A program that waits for a request would otherwise keep this process alive.
    end('SIGKILL');
    throw error;
  }
}

type Lines = AsyncGenerator<Uint8Array, void, undefined>;

/** Yields lines, including their line breaks. */
async function* readLines(stream: Readable): Lines {
  let unread: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    unread = Buffer.concat([unread, Buffer.from(chunk)]);
    if (unread.length > MAX_LINE_BYTES) throw authError('credential provider wrote too much');
    for (let end = unread.indexOf('\n'); end !== -1; end = unread.indexOf('\n')) {
      yield unread.subarray(0, end + 1);
      unread = unread.subarray(end + 1);
    }
  }
  if (unread.length > 0) yield unread;
}

/** Returns the next line; empty if the program has ended without one. `messageName` names it in messages. */
async function nextLine(
  lines: Lines,
  { ended, messageName }: { readonly ended: Promise<unknown>; readonly messageName: string },
): Promise<string> {
  const next = await lines.next();
  if (next.done !== true)
    return decodeUtf8(next.value, `failed to read ${messageName} from credential provider`);
  await ended; // Rejects if the program could not be started.
  return '';
}

/** Returns the request as JSON value, with its fields in cargo's order. */
function encodeRequest({ action, args, subject: { indexUrl, name, headers } }: CredentialRequest): object {
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

/** Returns the fields of an operation, in cargo's order. */
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

function authError(message: Message): TsregError {
  return new TsregError(message, { code: 'auth' });
}
