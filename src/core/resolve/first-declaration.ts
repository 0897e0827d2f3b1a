/**
 * The declaration that cargo's messages name if one dependency has several: the first one in its `im_rc::HashSet`,
 * whose order depends on hashes. So the hash must be that of cargo.
 */
import { type CfgExpr, EXPR_ORDER, type Platform } from '../platform/platform.ts';
import { REFERENCE_INDEX, SOURCE_KIND_INDEX, type SourceId } from '../package-id/source-id.ts';
import type { Op, VersionReq } from '../version/requirement.ts';
import type { Version } from '../version/version.ts';
import { FxHash } from './fx-hash.ts';
import type { LockedDependency } from './locked-dependency.ts';
import { KIND_ORDER } from './resolution.ts';

/** The indexes of the operators in the enum `Op` of the Rust crate `semver`. */
const OPS: Readonly<Record<Op, number>> = {
  exact: 0,
  greater: 1,
  'greater-eq': 2,
  less: 3,
  'less-eq': 4,
  tilde: 5,
  caret: 6,
  wildcard: 7,
};

/**
 * Number of bits of a hash that choose a branch of cargo's sets (hash array mapped tries of the Rust crate `im-rc`),
 * starting with the lowest.
 */
const BRANCH_BITS = 5;
const BRANCH_MASK = (1 << BRANCH_BITS) - 1;
// The indexes of the variants of cargo's enum `OptVersionReq`.
const REQ_ANY = 0;
const REQ_WRITTEN = 1;
const REQ_LOCKED = 2;

/** Returns the declaration that comes first in cargo's set, which is a trie of hashes; undefined if there is none. */
export function firstDeclaration(dependencies: readonly LockedDependency[]): LockedDependency | undefined {
  if (dependencies.length < 2) return dependencies[0];
  const hashed = dependencies.map((dependency) => ({ dependency, hash: hashOf(dependency) }));
  return hashed.toSorted((a, b) => compareBranches(a.hash, b.hash))[0]?.dependency;
}

/** Compares two hashes by the branches of the trie to which they lead. */
function compareBranches(a: number, b: number): number {
  for (let shift = 0; shift < 32; shift += BRANCH_BITS) {
    const difference = ((a >>> shift) & BRANCH_MASK) - ((b >>> shift) & BRANCH_MASK);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Hashes a dependency like cargo, field by field. The fields for unstable features are always unset. */
function hashOf({ declared, locked }: LockedDependency): number {
  const hash = new FxHash();
  hash.text(declared.name);
  addSource(hash, declared.source);
  hash.number(declared.registry === null ? 0 : 1);
  if (declared.registry !== null) addSource(hash, declared.registry);
  addRequirement(hash, declared.req, locked);
  hash.number(declared.req.acceptsAny ? 0 : 1); // specified_req
  hash.number(KIND_ORDER[declared.kind]);
  hash.number(0); // only_match_name
  hash.number(declared.renamed ? 1 : 0);
  if (declared.renamed) hash.text(declared.nameInToml);
  hash.number(declared.optional ? 1 : 0);
  hash.number(0); // public
  hash.number(declared.defaultFeatures ? 1 : 0);
  hash.number(declared.features.length);
  for (const feature of declared.features) hash.text(feature);
  hash.number(0); // artifact
  hash.number(declared.platform === null ? 0 : 1);
  if (declared.platform !== null) addPlatform(hash, declared.platform);
  return hash.finish();
}

function addSource(hash: FxHash, { kind, reference, canonicalUrl }: SourceId): void {
  hash.number(SOURCE_KIND_INDEX[kind]);
  if (reference !== null) {
    hash.number(REFERENCE_INDEX[reference.kind]);
    if (reference.kind !== 'default') hash.text(reference.name);
  }
  hash.text(canonicalUrl);
}

function addRequirement(hash: FxHash, req: VersionReq, locked: Version | null): void {
  if (locked !== null) {
    hash.number(REQ_LOCKED);
    addVersion(hash, locked);
  } else hash.number(req.acceptsAny ? REQ_ANY : REQ_WRITTEN);
  if (req.acceptsAny && locked === null) return;
  hash.number(req.comparators.length);
  for (const { op, major, minor, patch, pre } of req.comparators) {
    hash.number(OPS[op]);
    hash.number(major);
    for (const part of [minor, patch]) {
      hash.number(part === null ? 0 : 1);
      if (part !== null) hash.number(part);
    }
    hash.text(pre);
  }
}

function addVersion(hash: FxHash, { major, minor, patch, pre, build }: Version): void {
  hash.number(major);
  hash.number(minor);
  hash.number(patch);
  hash.text(pre);
  hash.text(build);
}

function addPlatform(hash: FxHash, platform: Platform): void {
  hash.number(platform.kind === 'name' ? 0 : 1);
  if (platform.kind === 'name') hash.text(platform.name);
  else addExpression(hash, platform.expr);
}

function addExpression(hash: FxHash, expr: CfgExpr): void {
  hash.number(EXPR_ORDER[expr.kind]);
  switch (expr.kind) {
    case 'not':
      addExpression(hash, expr.expr);
      return;
    case 'all':
    case 'any':
      hash.number(expr.exprs.length);
      for (const part of expr.exprs) addExpression(hash, part);
      return;
    case 'value':
      hash.number(expr.cfg.kind === 'name' ? 0 : 1);
      hash.text(expr.cfg.name);
      if (expr.cfg.kind === 'key-pair') hash.text(expr.cfg.value);
      return;
    case 'true':
    case 'false':
  }
}
