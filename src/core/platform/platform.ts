/** The `target.KEY` of a dependency table: a target triple or a `cfg(...)` expression. */
import { compareBytes } from '../files/compare-bytes.ts';

/** One configuration value: `unix`, or `target_os = "linux"`. `raw` is true if it was written as `r#name`. */
export type Cfg =
  | { readonly kind: 'name'; readonly name: string; readonly raw: boolean }
  | { readonly kind: 'key-pair'; readonly name: string; readonly raw: boolean; readonly value: string };

/** A cfg expression. */
export type CfgExpr =
  | { readonly kind: 'not'; readonly expr: CfgExpr }
  | { readonly kind: 'all' | 'any'; readonly exprs: readonly CfgExpr[] }
  | { readonly kind: 'value'; readonly cfg: Cfg }
  | { readonly kind: 'true' | 'false' };

/** A parsed platform. `text` is its printed form. */
export type Platform =
  | { readonly kind: 'name'; readonly name: string; readonly text: string }
  | { readonly kind: 'cfg'; readonly expr: CfgExpr; readonly text: string };

/**
 * The configuration values of a target, one text per value as rustc prints it: `unix`, `target_os="linux"`. Cargo Book:
 * Specifying Dependencies, Platform specific dependencies.
 */
export type CfgSet = ReadonlySet<string>;

/** Returns true if dependencies for `platform` are used on the target `triple` with the values `cfgs`. */
export function matchesPlatform(platform: Platform, triple: string, cfgs: CfgSet): boolean {
  return platform.kind === 'name' ? platform.name === triple : matchesExpr(platform.expr, cfgs);
}

/** Compares platforms in cargo's order. null (every platform) comes first, triples come before expressions. */
export function comparePlatforms(a: Platform | null, b: Platform | null): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  if (a.kind === 'name') return b.kind === 'name' ? compareBytes(a.name, b.name) : -1;
  return b.kind === 'name' ? 1 : compareExprs(a.expr, b.expr);
}

/** Returns a value as rustc prints it, which is its form in a `CfgSet`. */
export function cfgLine(cfg: Cfg): string {
  return cfg.kind === 'name' ? cfg.name : `${cfg.name}="${cfg.value}"`;
}

/** Returns a value as cargo prints it. */
export function formatCfg(cfg: Cfg): string {
  const name = cfg.raw ? `r#${cfg.name}` : cfg.name;
  return cfg.kind === 'name' ? name : `${name} = "${cfg.value}"`;
}

/** Returns an expression as cargo prints it, without the `cfg(…)` around it. */
export function formatCfgExpr(expr: CfgExpr): string {
  switch (expr.kind) {
    case 'not':
      return `not(${formatCfgExpr(expr.expr)})`;
    case 'all':
    case 'any':
      return `${expr.kind}(${expr.exprs.map(formatCfgExpr).join(', ')})`;
    case 'value':
      return formatCfg(expr.cfg);
    case 'true':
    case 'false':
      return expr.kind;
  }
}

/** The indexes of the kinds in cargo's enum `CfgExpr`, by which it sorts and hashes them. */
export const EXPR_ORDER: Readonly<Record<CfgExpr['kind'], number>> = {
  not: 0,
  all: 1,
  any: 2,
  value: 3,
  true: 4,
  false: 5,
};

function matchesExpr(expr: CfgExpr, cfgs: CfgSet): boolean {
  switch (expr.kind) {
    case 'not':
      return !matchesExpr(expr.expr, cfgs);
    case 'all':
      return expr.exprs.every((part) => matchesExpr(part, cfgs));
    case 'any':
      return expr.exprs.some((part) => matchesExpr(part, cfgs));
    case 'value':
      return cfgs.has(cfgLine(expr.cfg));
    case 'true':
      return true;
    case 'false':
      return false;
  }
}

function compareExprs(a: CfgExpr, b: CfgExpr): number {
  const order = EXPR_ORDER[a.kind] - EXPR_ORDER[b.kind];
  if (order !== 0) return order;
  if (a.kind === 'not' && b.kind === 'not') return compareExprs(a.expr, b.expr);
  if (a.kind === 'value' && b.kind === 'value') return compareCfgs(a.cfg, b.cfg);
  if ((a.kind === 'all' || a.kind === 'any') && (b.kind === 'all' || b.kind === 'any')) {
    return compareLists(a.exprs, b.exprs);
  }
  return 0;
}

/** Compares pair by pair. Of two equal starts, the shorter list comes first. */
function compareLists(a: readonly CfgExpr[], b: readonly CfgExpr[]): number {
  for (const [index, left] of a.entries()) {
    const right = b[index];
    if (right === undefined) return 1;
    const order = compareExprs(left, right);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareCfgs(a: Cfg, b: Cfg): number {
  if (a.kind !== b.kind) return a.kind === 'name' ? -1 : 1;
  const order = compareBytes(a.name, b.name) || Number(a.raw) - Number(b.raw);
  if (order !== 0 || a.kind === 'name' || b.kind === 'name') return order;
  return compareBytes(a.value, b.value);
}
