/** `[lints]` as written. Cargo Book: The Manifest Format, The lints section. */
import { sortByKey } from '../files/sort-by-key.ts';
import { asTable, integer, invalidType, map, oneOf, variant } from '../toml/decode.ts';
import type { Decoded, Decoder } from '../toml/decode.ts';
import { struct } from '../toml/decode-struct.ts';
import type { TomlValue } from '../toml/value.ts';
import { workspaceTrue } from './inheritable.ts';

/** A lint: its level and other settings. */
export interface Lint {
  readonly level: 'forbid' | 'deny' | 'warn' | 'allow';
  /** null if only the level is written; 0 if a table omits it. */
  readonly priority: bigint | null;
  /** Keys other than `level` and `priority`. */
  readonly config: ReadonlyMap<string, TomlValue>;
}

const level = variant('forbid', 'deny', 'warn', 'allow');

const NO_CONFIG: Lint['config'] = new Map();

const lintConfig = struct(
  'TomlLintConfig',
  { level, priority: integer('i8', -128n, 127n) },
  { required: ['level'], withDefault: ['priority'], onUnknown: () => undefined, asArray: false },
);

const lint: Decoder<Lint> = oneOf<Lint>({
  expected: 'a string or map',
  string: (text, context) => ({ level: level(text, context), priority: null, config: NO_CONFIG }),
  table: (value, context) => {
    const { level: written, priority = 0n } = lintConfig(value, context);
    const config = new Map(asTable(value));
    config.delete('level');
    config.delete('priority');
    return { level: written, priority, config };
  },
});

/** Reads the lints of one tool, sorted by name. */
const toolLints = map(lint);

/** Reads `[workspace.lints]`: lints by tool, both sorted. */
export const lints = map(toolLints);

/** Lints by tool and name. */
export type Lints = Decoded<typeof lints>;

/** `[lints]` of a package. */
export interface PackageLints {
  /** True for `workspace = true`. */
  readonly inherits: boolean;
  readonly lints: Lints;
}

/** Reads `[lints]` of a package. */
export const packageLints: Decoder<PackageLints> = (value, context) => {
  const table = asTable(value);
  if (table === null) throw invalidType(value, 'a lints table', context);
  let inherits = false;
  const tools = new Map<string, Decoded<typeof toolLints>>();
  for (const [key, item] of table) {
    if (key === 'workspace') inherits = context.entry(key, item, workspaceTrue);
    else tools.set(key, context.entry(key, item, toolLints));
  }
  return { inherits, lints: sortByKey(tools) };
};
