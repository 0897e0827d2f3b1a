import { loadConfig } from '../../src/io/config/config.ts';
import { Secret } from '../../src/io/config/secret.ts';
import type {
  CredentialAction,
  CredentialRequest,
  LoginDialog,
  ProviderContext,
} from '../../src/io/credentials/credential-request.ts';
import { SourceTable } from '../../src/core/package-id/source-table.ts';
import { reportTo } from '../../src/core/report/report.ts';

/** The index URL of the registry in these requests. */
export const INDEX_URL = 'sparse+https://registry.example/index/';

/** Returns a dialog whose user enters `lines`, and which records its messages in `said`. */
export function scriptedDialog(lines: readonly string[] = []): LoginDialog & { readonly said: string[] } {
  const said: string[] = [];
  const rest = [...lines];
  return {
    said,
    say: (line) => void said.push(line),
    readSecretLine: async () => await Promise.resolve(rest.shift() ?? ''),
  };
}

/** Returns a request about the registry `mock`. */
export function requestOf(action: CredentialAction, args: readonly string[] = []): CredentialRequest {
  const source = new SourceTable().forRegistryIndex(INDEX_URL, 'mock');
  return { action, subject: { source, indexUrl: INDEX_URL, name: 'mock', headers: [] }, args };
}

/** The action that gets a token for reading. */
export const GET: CredentialAction = { kind: 'get', operation: { kind: 'read' } };

/** Returns the action that stores `token`. */
export function loginWith(token: string): CredentialAction {
  return { kind: 'login', token: new Secret(token), loginUrl: null, dialog: scriptedDialog() };
}

/** Returns the action that removes the stored token. */
export function logoutAction(): CredentialAction {
  return { kind: 'logout', dialog: scriptedDialog() };
}

/** Returns the context of a provider, with nothing configured. */
export function providerContext(env: Readonly<Record<string, string>>, cwd: string): ProviderContext {
  const report = reportTo({});
  const config = loadConfig({ cwd, env: { CARGO_HOME: cwd, ...env }, report });
  return { config, report, signal: new AbortController().signal, registry: null };
}
