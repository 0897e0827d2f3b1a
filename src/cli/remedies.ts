/** Tips for arguments without a flag. cargo does not have them. */
import type { PositionalFlag } from '../commands/shared/flag.ts';
import type { CommandLine, Remedy } from '../commands/shared/usage-error.ts';

/** Returns how to select what `arg` probably names: a manifest, package or registry. Null if no flag does that. */
export function selectionRemedy(arg: string, { flags }: CommandLine): Remedy | null {
  const hasFlag = (name: string): boolean =>
    flags.some((flag) => flag.name === name && flag.isHidden !== true);
  if (arg === '' || arg.startsWith('-')) return null;
  // A path consists of dots, contains a slash, or ends with `.toml`.
  if (/^\.+$|[/\\]|\.toml$/.test(arg)) {
    if (!hasFlag('manifest-path')) return null;
    const path = arg.endsWith('.toml') ? arg : `${arg.replace(/[/\\]+$/, '')}/Cargo.toml`;
    return { purpose: 'select a manifest', text: `--manifest-path ${path}` };
  }
  if (hasFlag('package')) return { purpose: 'select a package', text: `--package ${arg}` };
  return hasFlag('registry') ? { purpose: 'select a registry', text: `--registry ${arg}` } : null;
}

/** Returns how to write the version `arg` after `spec`, the value of `flag`. Null if that would not be a package. */
export function versionRemedy(
  arg: string,
  { flag, spec }: { readonly flag: PositionalFlag; readonly spec: string },
): Remedy | null {
  if (flag.valueName !== 'SPEC' || !/^\d/.test(arg) || spec.includes('@')) return null;
  return { purpose: 'select a version', text: `${spec}@${arg}` };
}
