import fc from 'fast-check';
import { type Genome, genomes } from '../generator/genome.ts';

/** The numbers from which a generated case about lock files is built. */
export interface LockGenome {
  /** The workspace and its surroundings. */
  readonly base: Genome;
  readonly steps: readonly StepGene[];
  /** The minimum age of versions; 0 for none. */
  readonly age: number;
}

/** One run, after changes. Numbers are taken modulo the length of their list. */
export interface StepGene {
  readonly command: number;
  /** New versions of crates. */
  readonly publish: readonly VersionGene[];
  /** Versions that are yanked or unyanked. */
  readonly yank: readonly number[];
  /** 0 for no new commits. */
  readonly commit: number;
  /** 0 for unchanged manifests. */
  readonly change: number;
  /** 0 for an unchanged lock file. */
  readonly relock: number;
  /** 0 for an unchanged CARGO_HOME. */
  readonly home: number;
  readonly specs: readonly SpecGene[];
  readonly precise: PreciseGene | null;
  readonly flags: readonly number[];
  readonly cwd: number;
}

/** A version that is published later. */
export interface VersionGene {
  readonly crate: number;
  readonly bump: number;
  /** 0 for no rust-version. */
  readonly rust: number;
}

/** A package id specification, or a similar text. */
export interface SpecGene {
  readonly name: number;
  readonly form: number;
  readonly version: number;
  /** 0 for a valid specification. */
  readonly wrong: number;
}

/** The value of `--precise`. */
export interface PreciseGene {
  readonly kind: number;
  readonly version: number;
}

const index = fc.nat({ max: 59 });

/** Generates a number from 1 to 50 in about `percent` of all cases, and 0 otherwise. */
function rarely(percent: number): fc.Arbitrary<number> {
  return fc
    .tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 1, max: 50 }))
    .map(([n, value]) => (n >= 100 - percent ? value : 0));
}

const step = fc.record({
  command: index,
  publish: fc.array(fc.record({ crate: index, bump: index, rust: rarely(25) }), { maxLength: 4 }),
  yank: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(index, { maxLength: 2 }) },
  ),
  commit: rarely(30),
  change: rarely(15),
  relock: rarely(5),
  home: rarely(6),
  specs: fc.array(fc.record({ name: index, form: index, version: index, wrong: rarely(9) }), {
    maxLength: 2,
  }),
  precise: fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: fc.record({ kind: index, version: index }) },
  ),
  flags: fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(index, { maxLength: 2 }) },
  ),
  cwd: index,
});

/** Genomes of workspaces and of a few runs on them. */
export const lockGenomes: fc.Arbitrary<LockGenome> = fc.record({
  base: genomes,
  steps: fc.array(step, { minLength: 2, maxLength: 6 }),
  age: rarely(20),
});
