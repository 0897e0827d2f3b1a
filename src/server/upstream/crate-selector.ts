/** Selections of crates and versions of the upstream, such as `openssl` or `openssl@0.10.1`. */
import { TsregError } from '../../core/errors/error.ts';
import { parseVersion, VersionParseError } from '../../core/version/version.ts';
import { canonicalName } from '../store/canonical-name.ts';

/** Crates and versions that the operator has named. */
export class CrateSelection {
  /** By canonical name; `'all'` for all versions, else the versions without build metadata. */
  readonly #byName = new Map<string, Set<string> | 'all'>();

  /** Parses `NAME` and `NAME@VERSION`. `flag` is for errors. Throws `usage`. */
  constructor(flag: string, selectors: readonly string[]) {
    for (const text of selectors) {
      const { name, version } = parseSelector(flag, text);
      const selectedVersions = this.#byName.get(name);
      if (version === null) this.#byName.set(name, 'all');
      else if (selectedVersions === undefined) this.#byName.set(name, new Set([version]));
      else if (selectedVersions !== 'all') selectedVersions.add(version);
    }
  }

  /** Returns whether all versions of a crate are selected, `some` or none. Ignores case, and treats `-` as `_`. */
  partOf(name: string): 'all' | 'some' | 'none' {
    const selectedVersions = this.#byName.get(canonicalName(name));
    if (selectedVersions === undefined) return 'none';
    return selectedVersions === 'all' ? 'all' : 'some';
  }

  /** Returns true if the version is selected. */
  has(name: string, version: string): boolean {
    const selectedVersions = this.#byName.get(canonicalName(name));
    return selectedVersions === 'all' || selectedVersions?.has(withoutBuild(version)) === true;
  }
}

function parseSelector(
  flag: string,
  text: string,
): { readonly name: string; readonly version: string | null } {
  const [name = '', version = null, ...furtherParts] = text.split('@');
  const isVersion = version === null || isValidVersion(version);
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name) || !isVersion || furtherParts.length > 0) {
    throw new TsregError(`invalid value \`${text}\` for \`--${flag}\`: expected \`NAME\` or \`NAME@1.2.3\``, {
      code: 'usage',
    });
  }
  return { name: canonicalName(name), version: version === null ? null : withoutBuild(version) };
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

/** Returns a version without build metadata, in which the versions of a registry never differ alone. */
function withoutBuild(version: string): string {
  return version.replace(/\+.*$/, '');
}
