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
  /**
   * The claim with the number of the repository. A publisher must have it, so that it cannot match the jobs of others;
   * null for an issuer that an admin has added.
   */
  readonly repositoryClaim: string | null;
}

/** CI systems that everyone can use. */
const PUBLIC_ISSUERS: readonly KnownIssuer[] = [
  {
    url: 'https://token.actions.githubusercontent.com',
    name: 'GitHub Actions',
    repositoryClaim: 'repository_id',
  },
  { url: 'https://gitlab.com', name: 'GitLab.com', repositoryClaim: 'project_id' },
];

/** Returns the public issuers and those of existing publishers. Only of these does the server request keys. */
export async function knownIssuers({
  records,
}: {
  readonly records: Pick<ChangeContext['records'], 'listIssuers'>;
}): Promise<readonly KnownIssuer[]> {
  const known = new Set(PUBLIC_ISSUERS.map(({ url }) => url));
  const others = (await records.listIssuers()).filter((url) => !known.has(url));
  return [...PUBLIC_ISSUERS, ...others.map((url) => ({ url, name: null, repositoryClaim: null }))];
}

/**
 * Adds a publisher for one crate. Throws `usage` if a value is invalid, if the issuer is not a known one, since owners
 * must not choose the hosts that the server contacts, or if the claims do not name one repository.
 */
export async function addCratePublisher(
  { records, clock }: ChangeContext,
  publisher: Omit<NewCratePublisher, 'atMs'>,
): Promise<NewCratePublisherOutcome> {
  const { issuer, claims, crate } = publisher;
  const problem = findPublisherProblem({ issuer, claims, cratePatterns: [crate] });
  if (problem !== null) throw new TsregError(problem, { code: 'usage' });
  const known = (await knownIssuers({ records })).find(({ url }) => url === issuer);
  if (known === undefined) {
    throw new TsregError(`only an admin can add the issuer \`${issuer}\``, { code: 'usage' });
  }
  const { name, repositoryClaim } = known;
  const isOneRepository = claims.some((claim) => claim.name === repositoryClaim && /^\d+$/.test(claim.value));
  if (repositoryClaim !== null && !isOneRepository) {
    throw new TsregError(
      `a publisher of ${name} needs the number of the repository: \`${repositoryClaim}=123456\``,
      {
        code: 'usage',
      },
    );
  }
  return await records.createCratePublisher({ ...publisher, atMs: clock.now() });
}
