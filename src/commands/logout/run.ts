/** `logout`: removes the token of a registry. Cargo Book: cargo logout. */
import { SourceTable } from '../../core/package-id/source-table.ts';
import { RegistryCredentials } from '../../io/credentials/registry-credentials.ts';
import type { LoginDialog } from '../../io/credentials/credential-request.ts';
import type { Config } from '../../io/config/config.ts';
import { displayRegistryName } from '../../core/package-id/describe.ts';
import type { OperationContext } from '../../core/report/report.ts';
import { type RegistryName, registryNameOf } from '../shared/registry/registry-document.ts';
import { chooseRegistry, type RegistryFlags, registrySource } from '../shared/registry/select-registry.ts';

/** The command-line options of `logout`. */
export interface LogoutOptions {
  readonly config: Config;
  readonly registry: RegistryFlags;
  readonly dialog: LoginDialog;
}

/** The document of `logout --json`. */
export interface LogoutDocument {
  /** Version of this format. */
  readonly version: 1;
  readonly registry: RegistryName;
  /** False if no token was stored. */
  readonly removed: boolean;
}

/** Lets the provider of the registry remove its token. Needs no network. Rejects with cargo's errors. */
export async function logout(
  { config, registry, dialog }: LogoutOptions,
  context: OperationContext,
): Promise<LogoutDocument> {
  const { original } = registrySource(chooseRegistry(registry, config), config, new SourceTable());
  const credentials = new RegistryCredentials({ ...context, config });
  const removed = await credentials.logout(original, dialog);
  if (!removed) {
    context.report.status('Logout', `not currently logged in to \`${displayRegistryName(original)}\``);
  }
  return { version: 1, registry: registryNameOf(original), removed };
}
