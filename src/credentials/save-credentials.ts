/** The credentials file under cargo's home, changed. Cargo Book: Configuration, "Credentials". */
import type { Config } from '../config/config.ts';
import type { Secret } from '../config/secret.ts';
import { TsregError } from '../errors/error.ts';
import type { SourceId } from '../package-id/source-id.ts';

/** What is to stand in the file for a registry. */
export type StoredCredential =
  | { readonly kind: 'none' }
  | { readonly kind: 'token'; readonly token: Secret }
  | { readonly kind: 'secret-key'; readonly key: Secret; readonly subject: string | null };

/** Writes `credential` for `source` into the file, in the place of what it has. Everything else in it is kept. */
export async function saveCredentials(
  config: Config,
  source: SourceId,
  credential: StoredCredential,
): Promise<void> {
  await Promise.resolve();
  throw new TsregError(`cannot write ${config.home} ${source.key} ${credential.kind}`, { code: 'bug' });
}
