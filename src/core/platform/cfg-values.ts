/**
 * The configuration values that a platform uses. Cargo Book: Specifying Dependencies, Platform specific dependencies.
 */
import { formatCfg, type Cfg, type CfgExpr, type Platform } from './platform.ts';

/** Returns all values in a `cfg(…)`, in the order in which they are written; empty for a triple. */
export function cfgValues(platform: Platform): readonly Cfg[] {
  return platform.kind === 'cfg' ? valuesOf(platform.expr) : [];
}

/** Returns warnings about values that are keywords. `path` is their file as the warnings show it. */
export function keywordWarnings(platform: Platform, path: string): readonly string[] {
  return cfgValues(platform)
    .filter(({ name, raw }) => !raw && (name === 'true' || name === 'false'))
    .map(
      // cargo's words, including the doubled one.
      (cfg) =>
        `[${path}] future-incompatibility: \`cfg(${formatCfg(cfg)})\` is deprecated as \`${cfg.name}\` is a keyword ` +
        'and not an identifier and should not have have been accepted in this position.\n ' +
        '| this was previously accepted by Cargo but is being phased out; it will become a hard error in a future release!\n ' +
        `|\n | help: use raw-idents instead: \`cfg(r#${cfg.name})\``,
    );
}

function valuesOf(expr: CfgExpr): readonly Cfg[] {
  switch (expr.kind) {
    case 'value':
      return [expr.cfg];
    case 'not':
      return valuesOf(expr.expr);
    case 'all':
    case 'any':
      return expr.exprs.flatMap(valuesOf);
    case 'true':
    case 'false':
      return [];
  }
}
