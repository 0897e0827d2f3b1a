import { isUnfinished, type PackagedFile } from './packaged.ts';

/** The result of a run, for comparison. */
export interface Answer {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Text of the workspace's Cargo.lock; null without one. */
  readonly lock: string | null;
  /** The files in CARGO_HOME's `registry` and `git`, one line each. */
  readonly home: readonly string[];
  /** The files that `package` wrote below the target folder, or `vendor` wrote; empty after other commands. */
  readonly packaged: readonly PackagedFile[];
}

/** A rule that removes from stderr what may differ between two correct programs. */
export interface Mask {
  readonly name: string;
  readonly why: string;
  apply(stderr: string): string;
}

/** All accepted differences in stderr. */
const stderrMasks: readonly Mask[] = [
  {
    name: 'order of Downloaded lines',
    why: 'downloads end in any order, and warnings of one may come before or after another',
    apply: (stderr) =>
      stderr
        .split(/(?<=^(?:\u001b\[\d+m)* Downloading(?:\u001b\[0m)? crates \.\.\.\n)/m)
        .map((part, index) => (index === 0 ? part : sortedDownloads(part)))
        .join(''),
  },
  {
    name: 'times',
    why: 'they are measured',
    apply: (stderr) =>
      stderr
        .replace(/^( {2}Downloaded \d+ crates? .*) in \S+( \(largest was .*\))?$/gm, '$1 in TIME$2')
        .replace(/\bafter \d+ ms\b/g, 'after N ms')
        .replace(/^( {4}Finished .*\)) in \S+$/gm, '$1 in TIME'),
  },
  {
    name: 'compressed sizes',
    why: 'the same archive may be compressed in several ways',
    apply: (stderr) =>
      stderr.replace(/^( {4}Packaged \d+ files?, \S+) \(\S+ compressed\)$/gm, '$1 (N compressed)'),
  },
  {
    name: 'order of messages about manifests',
    why: 'cargo has a workspace in a set without order, and files as the file system lists them',
    apply: (stderr) => sortedFileLists(stderr).replace(manifestBlocks, (text) => sortedByManifest(text)),
  },
  {
    name: 'order of dependencies without a library',
    why: 'cargo has the dependencies of one package on another in a set that is ordered by a hash',
    apply: (stderr) => stderr.replace(missingLibraries, (lines) => sortedLines(lines)),
  },
  {
    name: 'order of Compiling lines',
    why: 'packages that do not depend on each other are built in any order',
    apply: (stderr) => stderr.replace(/(?:^ {3}Compiling .*\n){2,}/gm, (lines) => sortedLines(lines)),
  },
];

const downloaded = /^(?:\u001b\[\d+m)* {2}Downloaded(?:\u001b\[0m)? (?!\d+ crates?\b).*\n/gm;
const label = '(?:\\u001b\\[\\d+m)*(?:warning|error)(?:\\u001b\\[0m)?: ';
const missingLibrary = 'ignoring invalid dependency `.*` which is missing a lib target\\n';
/** Consecutive warnings of this kind about one package. */
const missingLibraries = new RegExp(
  `^${label}(.*) ${missingLibrary}(?:${label}\\1 ${missingLibrary})+`,
  'gm',
);
/** A message that starts with the path of a manifest, up to the next message or status line. */
const manifestMessage = `^${label}\\S*Cargo\\.toml: .*\\n(?:(?!(?:\\u001b\\[\\d+m)* *[A-Z][a-z]+ing\\b|${label}).*\\n)*`;
/** All messages about one manifest, with the lines that count them. */
const manifestBlock = `(?:${manifestMessage})+(?:^${label}.* \\(manifest\\) .*\\n)+`;
const manifestBlocks = new RegExp(`(?:${manifestBlock}){2,}`, 'gm');

function sortedByManifest(text: string): string {
  const blocks = text.match(new RegExp(manifestBlock, 'gm')) ?? [];
  // Messages about the workspace come before those about its packages.
  const keyOf = (block: string): string =>
    block.includes(': workspace (manifest) ') ? '' : (/\S*Cargo\.toml/.exec(block)?.[0] ?? '');
  return blocks.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : Number(keyOf(a) > keyOf(b)))).join('');
}

function sortedFileLists(text: string): string {
  return text.replace(/(?:^\* .*\n){2,}/gm, (lines) => sortedLines(lines));
}

function sortedLines(lines: string): string {
  return `${lines.trimEnd().split('\n').sort().join('\n')}\n`;
}

/** Returns the text after `Downloading crates ...` with its sorted `Downloaded` lines first. */
function sortedDownloads(text: string): string {
  return `${(text.match(downloaded) ?? []).sort().join('')}${text.replace(downloaded, '')}`;
}

/** Applies every mask. */
export function maskStderr(stderr: string): string {
  return stderrMasks.reduce((text, mask) => mask.apply(text), stderr);
}

/** A part of a result that can differ. */
export type Facet = 'status' | 'stdout' | 'stderr' | 'lock' | 'home' | 'packaged';

const indexCache = /^registry\/index\/[^/]+\/\.cache\//;

/**
 * Returns whether both homes have the same content. `right` may have more cached index files, because which crates a
 * program prefetches is a question of speed.
 */
function isSameHome(left: readonly string[], right: readonly string[]): boolean {
  const known = new Set(left);
  const kept = right.filter((line) => known.has(line) || !indexCache.test(line));
  return left.join('\n') === kept.join('\n');
}

/** Returns the parts in which two results differ, after the masks. */
export function differingFacets(left: Answer, right: Answer): Facet[] {
  const facets: Facet[] = [];
  if (left.status !== right.status) facets.push('status');
  if (left.stdout !== right.stdout) facets.push('stdout');
  if (maskStderr(left.stderr) !== maskStderr(right.stderr)) facets.push('stderr');
  if (left.lock !== right.lock) facets.push('lock');
  // A failed run may leave anything in CARGO_HOME, as long as the next run is correct.
  if (left.status === 0 && !isSameHome(left.home, right.home)) facets.push('home');
  if (summaryOf(left) !== summaryOf(right)) facets.push('packaged');
  return facets;
}

function summaryOf({ packaged, status }: Answer): string {
  return packaged
    .filter(({ path }) => status === 0 || !isUnfinished(path))
    .map(({ path, digest }) => `${path} ${digest}`)
    .join('\n');
}
