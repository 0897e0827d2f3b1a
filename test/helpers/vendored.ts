import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, rmSync, type Stats } from 'node:fs';
import path from 'node:path';
import type { PackagedFile } from './packaged.ts';

/** The target folders of `vendor` in all scenarios, relative to the workspace. */
const places = ['vendor', 'third/party', 'sub/vendor'];

/** Lists everything in the target folders: content, mode, and times more than a day old. */
export function listVendored(workspace: string): PackagedFile[] {
  return places.flatMap((place) => filesBelow(workspace, place));
}

/** Removes the files of a failed run, so that they do not affect later runs. */
export function removeVendored(workspace: string): void {
  for (const place of places) rmSync(path.join(workspace, place), { recursive: true, force: true });
}

function filesBelow(workspace: string, folder: string): PackagedFile[] {
  const full = path.join(workspace, folder);
  if (!existsSync(full)) return [];
  const names = readdirSync(full).sort();
  if (names.length === 0) return [listed(`${folder}/`, '')];
  return names.flatMap((name) => {
    const file = path.join(full, name);
    const shown = `${folder}/${name}`;
    const stats = lstatSync(file);
    if (stats.isDirectory()) return filesBelow(workspace, shown);
    if (stats.isSymbolicLink()) return [listed(shown, `-> ${readlinkSync(file)}`)];
    const bytes = readFileSync(file);
    const about = attributes(stats);
    if (name === '.cargo-checksum.json') {
      return [
        { path: shown, digest: sha256(bytes), lines: checksumLines(shown, full, bytes.toString('utf8')) },
      ];
    }
    const isGenerated = name === 'Cargo.toml' && bytes.toString('utf8').includes('AUTOMATICALLY GENERATED');
    const lines = isGenerated
      ? [
          `${shown} ${about}`,
          ...bytes
            .toString('utf8')
            .trimEnd()
            .split('\n')
            .slice(11)
            .map((line) => `  | ${line}`),
        ]
      : // Manifests from registries contain the address of the server.
        [name === 'Cargo.toml' ? `${shown} ${about}` : `${shown} ${about} ${sha256(bytes).slice(0, 16)}`];
    return [{ path: shown, digest: `${about} ${sha256(bytes)}`, lines }];
  });
}

function listed(name: string, about: string): PackagedFile {
  return { path: name, digest: about, lines: [`${name} ${about}`.trimEnd()] };
}

/**
 * Returns the comment and the files of a checksum file as lines, and marks files with a wrong checksum. Of the
 * package's checksum, only shows whether it is `null`.
 */
function checksumLines(name: string, folder: string, text: string): string[] {
  const parsed = parseChecksums(text);
  if (parsed === null) return [`${name} is something else: ${text}`];
  const { comment, files, checksum } = parsed;
  const right = ([file, hash]: [string, string]): boolean => {
    const full = path.join(folder, file);
    return existsSync(full) && sha256(readFileSync(full)) === hash;
  };
  const entries = Object.entries(files).map((entry) => `  ${entry[0]}${right(entry) ? '' : ' WRONG'}`);
  return [`${name} ${checksum === null ? 'null' : 'and a checksum'}`, `  # ${comment}`, ...entries];
}

/** The content of a checksum file. Its keys must be in this order. */
interface Checksums {
  readonly comment: string;
  readonly files: Readonly<Record<string, string>>;
  readonly checksum: string | null;
}

function parseChecksums(text: string): Checksums | null {
  try {
    const {
      $comment,
      files,
      package: checksum,
    } = JSON.parse(text) as Checksums & {
      readonly $comment: string;
      readonly package: string | null;
    };
    const isWhole = JSON.stringify({ $comment, files, package: checksum }) === text;
    return isWhole ? { comment: $comment, files, checksum } : null;
  } catch {
    return null;
  }
}

const DAY_MS = 86_400_000;

function attributes({ mode, mtimeMs }: Stats): string {
  const time = Date.now() - mtimeMs > DAY_MS ? ` ${Math.floor(mtimeMs / 1000)}` : '';
  return (mode & 0o777).toString(8) + time;
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
