import type { CommitDecl } from '../../helpers/git-repo.ts';
import { buildDependencies, type Offer } from './dependencies.ts';
import type { CommitGene, Genome } from './genome.ts';
import { dependencyTables } from './manifest-text.ts';
import { pick } from './pick.ts';
import type { Subject } from './subjects.ts';

/** A package of a repository, as a manifest can depend on it. */
export interface GitOffer {
  readonly offer: Offer;
  /** Lines of the dependency's table. */
  readonly keys: string;
  /** The kind of reference that the dependency follows; null for the default branch. */
  readonly subject: Subject | null;
}

/** The repositories of a genome. */
export interface GeneratedRepos {
  readonly git: Readonly<Record<string, readonly CommitDecl[]>>;
  /** Commits of the later change. */
  readonly later: Readonly<Record<string, readonly CommitDecl[]>>;
  /** By name of the package. */
  readonly offers: ReadonlyMap<string, GitOffer>;
}

/** A branch whose name must be encoded in URLs. */
const sideBranch = 'next/one+x';

/** Builds repositories with one package and another below it, which depend on packages of crates.io. */
export function buildRepos(genome: Genome, offers: readonly Offer[]): GeneratedRepos {
  const git: Record<string, CommitDecl[]> = {};
  const later: Record<string, CommitDecl[]> = {};
  const gitOffers = new Map<string, GitOffer>();
  const known = offers.filter((offer) => offer.registry === null);
  genome.repos.forEach((repo, at) => {
    const name = `repo-${at}`;
    const commits = repo.commits.map((commit, index): CommitDecl => {
      const isAside = index > 0 && commit.version % 4 === 0;
      return {
        ...commitOf(commit, { at, index, offers: known }),
        tag: `v${index}`,
        ...(isAside ? { branch: sideBranch } : {}),
      };
    });
    git[name] = commits;
    const hasSide = commits.some(({ branch }) => branch !== undefined);
    if (repo.later.length > 0) {
      later[name] = repo.later.map((commit, index) => ({
        ...commitOf(commit, { at, index: index + 10, offers: known }),
        ...(hasSide && commit.version % 2 === 0 ? { branch: sideBranch } : {}),
      }));
    }
    const followed = follow(repo.reference, { name, last: commits.length - 1, hasSide });
    const offered = repo.reference % 3 === 0 ? `sub-${at}` : `git-${at}`;
    const features = offered === `git-${at}` ? ['extra'] : [];
    gitOffers.set(offered, {
      ...followed,
      offer: { name: offered, versions: [{ version: '0.0.0', features, dependencies: [] }], registry: null },
    });
  });
  return { git, later, offers: gitOffers };
}

function follow(
  reference: number,
  { name, last, hasSide }: { readonly name: string; readonly last: number; readonly hasSide: boolean },
): { keys: string; subject: Subject | null } {
  const url = `git = "file://$G/${name}"`;
  const branches = hasSide ? ['main', sideBranch, sideBranch] : ['main'];
  return pick(
    [
      { keys: url, subject: null },
      { keys: `${url}\nbranch = "${pick(branches, reference)}"`, subject: 'git branch' },
      { keys: `${url}\ntag = "v${last}"`, subject: 'git tag' },
      { keys: `${url}\nrev = "refs/tags/v0"`, subject: 'git rev' },
      { keys: `git = "file://$G/${name}/"`, subject: null },
      { keys: `${url}\nbranch = "${pick(branches, reference + 1)}"`, subject: 'git branch' },
      { keys: `${url}\ntag = "v0"`, subject: 'git tag' },
      { keys: `${url}\nrev = "refs/heads/main"`, subject: 'git rev' },
    ] as const,
    reference,
  );
}

function commitOf(
  commit: CommitGene,
  { at, index, offers }: { readonly at: number; readonly index: number; readonly offers: readonly Offer[] },
): CommitDecl {
  const { dependencies } = buildDependencies(commit.deps, offers);
  const normal = dependencies.filter((one) => one.kind !== 'dev' && !one.optional);
  const tables = dependencyTables(
    normal.map((dependency) => ({ dependency, source: { kind: 'registry', registry: null } })),
  );
  const version = `0.${commit.version % 5}.${index}`;
  return {
    files: {
      'Cargo.toml': `[package]\nname = "git-${at}"\nversion = "${version}"\nedition = "2021"\n[workspace]\nmembers = ["sub"]\n[dependencies.sub-${at}]\npath = "sub"\n${tables}\n[features]\nextra = []\n`,
      'src/lib.rs': '',
      'sub/Cargo.toml': `[package]\nname = "sub-${at}"\nversion = "0.0.${index}"\n`,
      'sub/src/lib.rs': '',
    },
  };
}
