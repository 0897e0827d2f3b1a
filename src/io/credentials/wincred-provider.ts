/** Tokens in the Credential Manager of Windows. Cargo Book: Registry Authentication, "cargo:wincred". */
import type { Environment } from '../config/environment.ts';
import { Secret } from '../config/secret.ts';
import type { CredentialResponse, CredentialRequest, ProviderContext } from './credential-request.ts';
import { runStoreProgram, storeError } from './run-store-program.ts';
import { sessionToken } from './session-token.ts';
import { readToken } from './token-provider.ts';
import { WINCRED_SCRIPT } from './wincred-script.ts';

const VERBS = { get: 'get', login: 'store', logout: 'erase' } as const;

/** Reads, stores or removes the token of a registry, in the same generic credential as cargo. */
export async function askWincredProvider(
  { action, subject }: CredentialRequest,
  { config, signal }: ProviderContext,
): Promise<CredentialResponse> {
  const verb = VERBS[action.kind];
  const token = action.kind === 'login' ? (await readToken(action, subject)).expose() : '';
  const lines = [verb, base64(`cargo-registry:${subject.indexUrl}`), base64(token)];
  const { stdout, stderr } = await runStoreProgram(powerShell(config.env), SCRIPT_ARGUMENTS, {
    env: config.env,
    signal,
    input: lines.map((line) => `${line}\r\n`).join(''),
  });
  const [status = '', data = ''] = stdout.trim().split(' ');
  if (status === 'not-found') return { kind: 'not-found' };
  if (status === 'failed') throw storeError(verb, fromBase64(data));
  if (status !== 'ok') throw storeError(verb, stderr.trim() || 'PowerShell does not respond');
  if (action.kind !== 'get') return { kind: action.kind };
  return sessionToken(new Secret(fromBase64(data)));
}

const SCRIPT_ARGUMENTS = [
  '-NoLogo',
  '-NoProfile',
  '-NonInteractive',
  '-EncodedCommand',
  Buffer.from(WINCRED_SCRIPT, 'utf16le').toString('base64'),
];

/** Returns the full path of PowerShell, if known. Windows would prefer a program of that name in the working folder. */
function powerShell(env: Environment): string {
  const root = env['SystemRoot'] ?? env['SYSTEMROOT'];
  return root === undefined ? 'powershell.exe' : `${root}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function fromBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8');
}
