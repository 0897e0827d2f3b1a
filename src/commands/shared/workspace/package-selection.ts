/** The values of the flags that select workspace members. */
import { isGiven, valuesOf } from '../command.ts';
import type { FlagValues } from '../flag.ts';
import { checkPackageFlags, type PackageFlags } from './select-packages.ts';

/** The members that the command line selects. */
export interface PackageSelection {
  readonly packages: PackageFlags;
  /** True for `-p` without a value, which fails with a list of the members. */
  readonly listsPackages: boolean;
}

/** Returns the values of `packageFlags`. Throws `usage` if they cannot be combined. */
export function packageSelection(values: FlagValues): PackageSelection {
  const packages = {
    packages: valuesOf(values, 'package'),
    workspace: isGiven(values, 'workspace'),
    exclude: valuesOf(values, 'exclude'),
  };
  checkPackageFlags(packages);
  return { packages, listsPackages: isGiven(values, 'package') && packages.packages.length === 0 };
}
