/** Programs that only print a token. Cargo Book: Registry Authentication, "cargo:token-from-stdout". */
import { Secret } from '../config/secret.ts';
import { TsregError } from '../../core/errors/error.ts';
import type { CredentialResponse, CredentialRequest, ProviderContext } from './credential-request.ts';
import { runProgram } from '../programs/run-program.ts';
import { statusText, withSpawnError } from './process-end.ts';
import { decodeUtf8 } from './provider-responses.ts';
import { sessionToken } from './session-token.ts';

const MAX_BYTES = 1024 * 1024;

/** Runs the program in the first argument and returns its output as token. Rejects other actions than `get`. */
export async function askTokenCommand(
  { action, subject, args }: CredentialRequest,
  { config, signal }: ProviderContext,
): Promise<CredentialResponse> {
  if (action.kind !== 'get') throw authError('requested operation not supported');
  const [program, ...programArgs] = args;
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
  const expandedArgs = programArgs.map((arg) => arg.replaceAll('{index_url}', () => subject.indexUrl));
  const run = runProgram(program, expandedArgs, {
    env,
    cwd: config.cwd,
    signal,
    maxBytes: MAX_BYTES,
    stdin: 'inherit',
    stderr: 'inherit',
  });
  const result = await withSpawnError(run);
  const output = decodeUtf8(result.stdout, 'failed to read from credential provider');
  const newline = output.indexOf('\n');
  if (newline !== -1 && newline + 1 < output.length) {
    throw authError(`process \`${program}\` returned more than one line of output; expected a single token`);
  }
  if (result.status !== 0)
    throw authError(`process \`${program}\` failed with status \`${statusText(result)}\``);
  return sessionToken(new Secret(output.replace(/\r?\n$/, '')));
}

function authError(message: string): TsregError {
  return new TsregError(message, { code: 'auth' });
}
