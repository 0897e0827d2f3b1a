/** Trusted publishers that owners add to their crates. */
import { TsregError } from '../../core/errors/error.ts';
import type { ChangeContext } from '../server-context.ts';
import type { NewCratePublisher, NewCratePublisherOutcome } from '../store/crate-publisher-records.ts';
import { findPublisherProblem } from './publishers.ts';

/** An issuer whose jobs owners can let publish. */
export interface KnownIssuer {
  readonly url: string;
  /** null for an issuer that an admin has added. */
  readonly name: string | null;
}

/** CI systems that everyone can use. */
const PUBLIC_ISSUERS: readonly KnownIssuer[] = [
  { url: 'https://token.actions.githubusercontent.com', name: 'GitHub Actions' },
  { url: 'https://gitlab.com', name: 'GitLab.com' },
];

/** Returns the public issuers and those of existing publishers. Only of these does the server request keys. */
export async function knownIssuers({
  records,
}: {
  readonly records: Pick<ChangeContext['records'], 'listIssuers'>;
}): Promise<readonly KnownIssuer[]> {
  const known = new Set(PUBLIC_ISSUERS.map(({ url }) => url));
  const others = (await records.listIssuers()).filter((url) => !known.has(url));
  return [...PUBLIC_ISSUERS, ...others.map((url) => ({ url, name: null }))];
}

/**
 * Adds a publisher for one crate. Throws `usage` if a value is invalid or the issuer is not a known one: owners must not
 * choose the hosts that the server contacts.
 */
export async function addCratePublisher(
  { records, clock }: ChangeContext,
  publisher: Omit<NewCratePublisher, 'atMs'>,
): Promise<NewCratePublisherOutcome> {
  const { issuer, claims, crate } = publisher;
  const problem = findPublisherProblem({ issuer, claims, cratePatterns: [crate] });
  if (problem !== null) throw new TsregError(problem, { code: 'usage' });
  const isKnown = (await knownIssuers({ records })).some(({ url }) => url === issuer);
  if (!isKnown) throw new TsregError(`only an admin can add the issuer \`${issuer}\``, { code: 'usage' });
  return await records.createCratePublisher({ ...publisher, atMs: clock.now() });
}
