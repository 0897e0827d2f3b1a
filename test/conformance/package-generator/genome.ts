import fc from 'fast-check';
import { index, rarely, sometimes } from '../generator/chances.ts';

/** The numbers from which a generated package tree is built, each taken modulo the length of its list. */
export interface PackageGenome {
  readonly members: readonly MemberGene[];
  /** Selects a single package, a virtual workspace, or a workspace with a root package. */
  readonly layout: number;
  /** Puts the whole tree into a folder below the repository's root; 0 for no. */
  readonly deeper: number;
  readonly repository: RepositoryGene;
  readonly resolver: number;
  /** The registry of publishes, so that members may depend on each other. */
  readonly publish: number;
  readonly runs: readonly PackageRunGene[];
  /** Flags of the last run, which should create archives. */
  readonly last: number;
  /** Adds a lock file from the start; 0 for no. */
  readonly lock: number;
}

/** A package. */
export interface MemberGene {
  readonly name: number;
  readonly version: number;
  readonly edition: number;
  readonly files: readonly number[];
  readonly links: readonly number[];
  /** 0 for neither `include` nor `exclude`. */
  readonly rules: number;
  readonly patterns: readonly number[];
  readonly readme: number;
  readonly license: number;
  readonly described: number;
  readonly keys: readonly number[];
  readonly tables: readonly number[];
  readonly targets: readonly number[];
  readonly inherit: readonly number[];
  readonly deps: readonly PackageDependencyGene[];
  readonly features: readonly number[];
  /** A package inside of this one; 0 for none. */
  readonly nested: number;
  /** A fault that prevents packaging; 0 for none. */
  readonly flaw: number;
}

/** A dependency of a package. */
export interface PackageDependencyGene {
  readonly what: number;
  readonly table: number;
}

/** The state of the git repository. */
export interface RepositoryGene {
  readonly kind: number;
  /** Lines of ignore files, and the place of the file. */
  readonly ignore: readonly number[];
  readonly ignoreFile: number;
  /** Changes since the commit. */
  readonly changes: readonly { readonly what: number; readonly file: number }[];
  readonly extra: number;
}

/** Flags of a run. */
export interface PackageRunGene {
  readonly flags: readonly number[];
  readonly isList: boolean;
  readonly isDirtyAllowed: boolean;
  readonly cwd: number;
}

const member: fc.Arbitrary<MemberGene> = fc.record({
  name: index,
  version: index,
  edition: index,
  files: fc.array(index, { maxLength: 6 }),
  links: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.array(index, { minLength: 1, maxLength: 2 }) },
  ),
  rules: rarely(60),
  patterns: fc.array(index, { minLength: 1, maxLength: 4 }),
  readme: index,
  license: index,
  described: index,
  keys: fc.array(index, { maxLength: 3 }),
  tables: fc.array(index, { maxLength: 3 }),
  targets: fc.array(index, { maxLength: 4 }),
  inherit: fc.array(index, { maxLength: 4 }),
  deps: fc.array(fc.record({ what: index, table: index }), { maxLength: 4 }),
  features: fc.array(index, { maxLength: 3 }),
  nested: rarely(15),
  flaw: rarely(6),
});

/** Genomes of one to three packages. */
export const packageGenomes: fc.Arbitrary<PackageGenome> = fc.record({
  members: fc.array(member, { minLength: 1, maxLength: 3 }),
  layout: index,
  deeper: rarely(30),
  repository: fc.record({
    kind: index,
    ignore: fc.array(index, { maxLength: 3 }),
    ignoreFile: index,
    changes: fc.oneof(
      { weight: 1, arbitrary: fc.constant([]) },
      {
        weight: 3,
        arbitrary: fc.array(fc.record({ what: index, file: index }), { minLength: 1, maxLength: 3 }),
      },
    ),
    extra: rarely(40),
  }),
  resolver: index,
  publish: index,
  runs: fc.array(
    fc.record({
      flags: fc.array(index, { maxLength: 3 }),
      isList: sometimes(40),
      isDirtyAllowed: sometimes(50),
      cwd: index,
    }),
    { minLength: 1, maxLength: 2 },
  ),
  last: index,
  lock: rarely(40),
});
