/** Selections of crates and versions of the upstream, such as `openssl` or `openssl@0.10.1`. */
import { TsregError } from '../../core/errors/error.ts';
import { parseVersion, VersionParseError } from '../../core/version/version.ts';
import { withoutBuild } from '../shared/version-text.ts';
import { canonicalName } from '../store/canonical-name.ts';

/** The selected versions of a crate: all of them, or some. These have no build metadata. */
export type SelectedVersions = 'all' | ReadonlySet<string>;

/** A crate, or one of its versions. */
export interface CrateSelector {
  /** In any spelling. */
  readonly name: string;
  /** Without build metadata; null for all versions. */
  readonly version: string | null;
}

const NO_VERSIONS: SelectedVersions = new Set();

/** Crates and versions that flags name. */
export class CrateSelection {
  /** By canonical name. */
  readonly #byName: ReadonlyMap<string, SelectedVersions>;

  /** Parses `NAME` and `NAME@VERSION`. `flag` is for errors. Throws `usage`. */
  constructor(flag: string, selectors: readonly string[]) {
    const byName = new Map<string, SelectedVersions>();
    for (const text of selectors) {
      const { name, version } = parseSelector(flag, text);
      const key = canonicalName(name);
      byName.set(key, withVersions(byName.get(key) ?? NO_VERSIONS, [version]));
    }
    this.#byName = byName;
  }

  /** Returns the selected versions of a crate. Ignores case, and treats `-` as `_`. */
  versionsOf(name: string): SelectedVersions {
    return this.#byName.get(canonicalName(name)) ?? NO_VERSIONS;
  }
}

/** Returns the versions and `more`, in which null stands for all versions. */
export function withVersions(versions: SelectedVersions, more: readonly (string | null)[]): SelectedVersions {
  if (versions === 'all') return 'all';
  const all = new Set(versions);
  for (const version of more) {
    if (version === null) return 'all';
    all.add(version);
  }
  return all;
}

/** Parses `NAME` or `NAME@VERSION`. `flag` is for the error. Throws `usage`. */
function parseSelector(flag: string, text: string): CrateSelector {
  const [name = '', version = null, ...furtherParts] = text.split('@');
  const isVersion = version === null || isValidVersion(version);
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name) || !isVersion || furtherParts.length > 0) {
    throw new TsregError(`invalid value \`${text}\` for \`--${flag}\`: expected \`NAME\` or \`NAME@1.2.3\``, {
      code: 'usage',
    });
  }
  return { name, version: version === null ? null : withoutBuild(version) };
}

function isValidVersion(text: string): boolean {
  try {
    parseVersion(text);
    return true;
  } catch (error) {
    if (error instanceof VersionParseError) return false;
    throw error;
  }
}
