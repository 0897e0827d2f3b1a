/** The name of the operating system, for people. */
import { readFileSync } from 'node:fs';
import { release, type } from 'node:os';

/** Files with the name of a Linux distribution. os-release(5). */
const RELEASE_FILES = ['/etc/os-release', '/usr/lib/os-release'];

/**
 * Returns the name as `cargo -vV` prints it: `Debian 12.0.0 (bookworm) [64-bit]`, or else the kernel and its release.
 */
export function describeOperatingSystem(): string {
  const bits = process.arch.endsWith('64') || process.arch === 's390x' ? '64-bit' : '32-bit';
  return `${distribution() ?? `${type()} ${release()}`} [${bits}]`;
}

/** Returns the name and version of a Linux distribution; null for another system, or if the name is unknown. */
function distribution(): string | null {
  if (process.platform !== 'linux') return null;
  const fields = releaseFields();
  const name = fields.get('NAME')?.replace(/ GNU\/Linux$/, '');
  if (name === undefined) return null;
  const version = fields.get('VERSION_ID');
  const codename = fields.get('VERSION_CODENAME');
  return [
    name,
    ...(version === undefined ? [] : [threePart(version)]),
    ...(codename ? [`(${codename})`] : []),
  ].join(' ');
}

/** Returns the variables in the first file that exists; none if there is no such file. */
function releaseFields(): ReadonlyMap<string, string> {
  for (const file of RELEASE_FILES) {
    try {
      const lines = readFileSync(file, 'utf8').matchAll(/^([A-Z_]+)=(["']?)(.*)\2$/gm);
      return new Map(Array.from(lines, ([, key = '', , value = '']) => [key, value]));
    } catch {
      // Not every distribution has both files.
    }
  }
  return new Map();
}

/** Returns `22.04` as `22.4.0`. Text that is not a version stays as it is. */
function threePart(version: string): string {
  if (!/^\d+(?:\.\d+){0,2}$/.test(version)) return version;
  return [...version.split('.'), '0', '0'].slice(0, 3).map(Number).join('.');
}
