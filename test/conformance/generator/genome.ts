import fc from 'fast-check';
import { index, rarely, sometimes } from './chances.ts';

/**
 * The numbers from which a generated case is built. Every genome gives a case, because numbers are taken modulo the
 * length of their list. So shrinking may remove any part.
 */
export interface Genome {
  readonly crates: readonly CrateGene[];
  readonly members: readonly MemberGene[];
  readonly repos: readonly RepoGene[];
  readonly root: number;
  readonly serve: number;
  readonly resolver: number;
  readonly list: number;
  readonly inherit: readonly number[];
  readonly patches: readonly PatchGene[];
  readonly replace: PatchGene | null;
  /** The crate that the `paths` configuration replaces, and its replacement. */
  readonly override: OverrideGene | null;
  /** Packages outside of the workspace folder. */
  readonly outside: readonly OutsideGene[];
  /** A workspace inside of the workspace; 0 for none. */
  readonly nested: number;
  readonly metadata: number;
  readonly config: number;
  readonly runs: readonly RunGene[];
  /** Flags of further runs, after the first ones. */
  readonly again: readonly number[];
  /** The change of the lock file between runs; 0 for none. */
  readonly relock: number;
  readonly change: ChangeGene | null;
}

/** A crate of the registry. */
export interface CrateGene {
  readonly first: number;
  readonly versions: readonly VersionGene[];
  /** 0 for crates.io. */
  readonly registry: number;
}

/** A version of a crate, as a change from the previous one. */
export interface VersionGene {
  readonly bump: number;
  readonly deps: readonly DependencyGene[];
  readonly features: readonly FeatureGene[];
  readonly links: number;
  readonly yanked: boolean;
  readonly rust: number;
  readonly kind: number;
}

/** A dependency. */
export interface DependencyGene {
  readonly on: number;
  readonly version: number;
  readonly form: number;
  readonly kind: number;
  readonly optional: boolean;
  readonly noDefault: boolean;
  readonly features: readonly number[];
  readonly platform: number;
  readonly rename: number;
}

/** A feature and its values. */
export interface FeatureGene {
  readonly name: number;
  readonly values: readonly { readonly kind: number; readonly a: number; readonly b: number }[];
}

/** A member of the workspace. */
export interface MemberGene {
  readonly deps: readonly (DependencyGene & { readonly source: number })[];
  readonly features: readonly FeatureGene[];
  readonly targets: readonly number[];
  readonly edition: number;
  readonly rust: number;
  readonly version: number;
  readonly inherit: readonly number[];
  readonly extra: number;
}

/** A git repository. */
export interface RepoGene {
  readonly commits: readonly CommitGene[];
  readonly reference: number;
  /** Commits of the later change. */
  readonly later: readonly CommitGene[];
}

/** A commit of a repository. */
export interface CommitGene {
  readonly version: number;
  readonly deps: readonly DependencyGene[];
}

/** A replacement of a crate of the registry. */
export interface PatchGene {
  readonly on: number;
  readonly version: number;
  readonly by: number;
  readonly via: number;
  readonly deps: readonly DependencyGene[];
}

/** A package of the `paths` configuration. */
export interface OverrideGene {
  readonly on: number;
  readonly version: number;
  /** True for the dependencies of the replaced crate, false for `deps`. */
  readonly isFaithful: boolean;
  readonly deps: readonly DependencyGene[];
}

/** A package outside of the workspace. */
export interface OutsideGene {
  readonly deps: readonly DependencyGene[];
  readonly features: readonly FeatureGene[];
}

/** Flags of a run. */
export interface RunGene {
  readonly flags: readonly number[];
  readonly platform: number;
  readonly cwd: number;
}

/** The changes between two runs, after which the lock file is an older one. */
export interface ChangeGene {
  readonly publish: readonly number[];
  readonly yank: readonly number[];
  readonly member: number;
  readonly deps: readonly (DependencyGene & { readonly source: number })[];
  readonly drop: boolean;
  /** Changes the version of the member. */
  readonly bump: boolean;
  /** Removes a member. */
  readonly remove: boolean;
}

const dependency = {
  on: index,
  version: index,
  form: index,
  kind: index,
  optional: sometimes(35),
  noDefault: sometimes(20),
  features: fc.array(index, { maxLength: 2 }),
  platform: rarely(30),
  rename: rarely(18),
};

const feature = fc.record({
  name: index,
  values: fc.array(fc.record({ kind: index, a: index, b: index }), { maxLength: 3 }),
});

const memberDependency = fc.record({ ...dependency, source: index });

const version = fc.record({
  bump: index,
  deps: fc.array(fc.record(dependency), { maxLength: 3 }),
  features: fc.array(feature, { maxLength: 3 }),
  links: rarely(14),
  yanked: sometimes(12),
  rust: rarely(25),
  kind: index,
});

const commit = fc.record({ version: index, deps: fc.array(fc.record(dependency), { maxLength: 2 }) });

const patch = fc.record({
  on: index,
  version: index,
  by: index,
  via: index,
  deps: fc.array(fc.record(dependency), { maxLength: 1 }),
});

/** Genomes of a few crates and a few members. */
export const genomes: fc.Arbitrary<Genome> = fc.record({
  crates: fc.array(
    fc.record({
      first: index,
      versions: fc.array(version, { minLength: 1, maxLength: 4 }),
      registry: rarely(20),
    }),
    { minLength: 1, maxLength: 7 },
  ),
  members: fc.array(
    fc.record({
      deps: fc.array(memberDependency, { maxLength: 4 }),
      features: fc.array(feature, { maxLength: 4 }),
      targets: fc.array(index, { maxLength: 5 }),
      edition: index,
      rust: rarely(25),
      version: index,
      inherit: fc.array(index, { maxLength: 4 }),
      extra: index,
    }),
    { minLength: 1, maxLength: 4 },
  ),
  repos: fc.array(
    fc.record({
      commits: fc.array(commit, { minLength: 1, maxLength: 3 }),
      reference: index,
      later: fc.array(commit, { maxLength: 2 }),
    }),
    { maxLength: 2 },
  ),
  root: index,
  serve: index,
  resolver: index,
  list: index,
  inherit: fc.array(index, { maxLength: 6 }),
  patches: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.array(patch, { maxLength: 2 }) },
  ),
  replace: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: patch }),
  override: fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    {
      weight: 1,
      arbitrary: fc.record({
        on: index,
        version: index,
        isFaithful: sometimes(50),
        deps: fc.array(fc.record(dependency), { maxLength: 2 }),
      }),
    },
  ),
  outside: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    {
      weight: 1,
      arbitrary: fc.array(
        fc.record({
          deps: fc.array(fc.record(dependency), { maxLength: 2 }),
          features: fc.array(feature, { maxLength: 2 }),
        }),
        { maxLength: 2 },
      ),
    },
  ),
  nested: rarely(14),
  metadata: index,
  config: index,
  runs: fc.array(fc.record({ flags: fc.array(index, { maxLength: 3 }), platform: index, cwd: index }), {
    minLength: 1,
    maxLength: 3,
  }),
  again: fc.array(index, { maxLength: 2 }),
  relock: rarely(50),
  change: fc.option(
    fc.record({
      publish: fc.array(index, { maxLength: 3 }),
      yank: fc.array(index, { maxLength: 1 }),
      member: index,
      deps: fc.array(memberDependency, { maxLength: 2 }),
      drop: sometimes(40),
      bump: sometimes(20),
      remove: sometimes(30),
    }),
    { nil: null, freq: 3 },
  ),
});
