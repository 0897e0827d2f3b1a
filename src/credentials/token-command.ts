/** Programs that print a token and know no protocol. Cargo Book: Registry Authentication, "cargo:token-from-stdout". */
import { spawn } from 'node:child_process';
import { Secret } from '../config/secret.ts';
import { TsregError } from '../errors/error.ts';
import type { CredentialAnswer, CredentialRequest, ProviderContext } from './credential-request.ts';
import { endNow, endOf, startProgram, statusText } from './ended-process.ts';
import { decodeText } from './provider-answers.ts';
import { sessionToken } from './session-token.ts';

const MAX_BYTES = 1024 * 1024;

/** Runs the program that the first argument names and takes what it prints for the token. It cannot log in or out. */
export async function askTokenCommand(
  { action, subject, args }: CredentialRequest,
  { config, signal }: ProviderContext,
): Promise<CredentialAnswer> {
  if (action.kind !== 'get') throw authError('requested operation not supported');
  const [program, ...rest] = args;
  if (program === undefined) {
    throw authError(
      'The first argument to `cargo:token-from-stdout` must be a command that prints a token on stdout',
    );
  }
  const env = {
    ...config.env,
    CARGO_REGISTRY_INDEX_URL: subject.indexUrl,
    ...(subject.name === null ? {} : { CARGO_REGISTRY_NAME_OPT: subject.name }),
  };
  const expanded = rest.map((arg) => arg.replaceAll('{index_url}', () => subject.indexUrl));
  const child = startProgram(program, () =>
    spawn(program, expanded, { env, cwd: config.cwd, signal, stdio: ['inherit', 'pipe', 'inherit'] }),
  );
  const ended = endOf(child, 'close');
  const chunks: Uint8Array[] = [];
  let length = 0;
  child.stdout.on('data', (chunk: Uint8Array) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_BYTES) endNow(child);
  });
  const status = await ended;
  const output = decodeText(Buffer.concat(chunks), 'failed to read from credential provider');
  const newline = output.indexOf('\n');
  if (newline !== -1 && newline + 1 < output.length) {
    throw authError(`process \`${program}\` returned more than one line of output; expected a single token`);
  }
  if (!status.isSuccess)
    throw authError(`process \`${program}\` failed with status \`${statusText(status)}\``);
  return sessionToken(new Secret(newline === -1 ? output : output.slice(0, newline)));
}

function authError(message: string): TsregError {
  return new TsregError(message, { code: 'auth' });
}
