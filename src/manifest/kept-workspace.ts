/** `[workspace]` of a root whose manifest was found right before. Cargo Book: Workspaces. */
import { DecodeContext, strings } from '../toml/decode.ts';
import type { Decoder } from '../toml/decode.ts';
import type { TomlTable } from '../toml/value.ts';
import { inheritablePackage } from './inheritable.ts';
import type { WorkspaceConfig } from './manifest.ts';
import { dependency } from './raw-dependency.ts';
import { lints } from './raw-lints.ts';

/**
 * What the table says to members that are read one by one, each entry of it read when it is asked for. `table` is the
 * `written` of another such value. Throws `TomlTypeError` for any other table.
 */
export function readKeptWorkspace(table: TomlTable): WorkspaceConfig {
  const dependencies = table.get('dependencies');
  const field = <T>(key: string, decoder: Decoder<T>): T | null => {
    const value = table.get(key);
    return value === undefined ? null : decoder(value, new DecodeContext());
  };
  return {
    members: field('members', strings),
    defaultMembers: field('default-members', strings),
    exclude: field('exclude', strings) ?? [],
    metadata: table.get('metadata') ?? null,
    inheritable: {
      package: field('package', inheritablePackage),
      dependencies:
        dependencies instanceof Map
          ? {
              get: (name) => {
                const value = dependencies.get(name);
                return value === undefined ? undefined : dependency(value, new DecodeContext());
              },
            }
          : null,
      lints: field('lints', lints),
    },
    written: table,
  };
}
