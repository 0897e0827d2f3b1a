/** The `target.KEY` of a dependency table: a target triple or a `cfg(...)` expression. */

/** One configuration value: `unix`, or `target_os = "linux"`. `raw` is true for `r#name` as written. */
export type Cfg =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'key-pair'; readonly name: string; readonly value: string };

/** A cfg expression. */
export type CfgExpr =
  | { readonly kind: 'not'; readonly expr: CfgExpr }
  | { readonly kind: 'all' | 'any'; readonly exprs: readonly CfgExpr[] }
  | { readonly kind: 'value'; readonly cfg: Cfg }
  | { readonly kind: 'true' | 'false' };

/** A parsed platform; `text` is its printed form. */
export type Platform =
  | { readonly kind: 'name'; readonly name: string; readonly text: string }
  | { readonly kind: 'cfg'; readonly expr: CfgExpr; readonly text: string };
