import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { indexPath } from '../test/helpers/crate.ts';
import { type Command, run } from './measure.ts';
import type { Place, Workbench } from './workbench.ts';

/** What no program can do without, however it goes about it. */
export interface Needed {
  /** Files that it has to read. */
  readonly reads: readonly string[];
  /** Files of which it has to know that they are there. */
  readonly asks: readonly string[];
  /** Files that it has to write, and how large they are. */
  readonly writes: readonly (readonly [file: string, bytes: number])[];
  /** What it has to print. */
  readonly printedBytes: number;
}

const PROGRAM = `const fs = require('node:fs');
const { reads, asks, writes, printedBytes } = JSON.parse(fs.readFileSync(process.argv[1], 'utf8'));
for (const file of reads) fs.readFileSync(file);
for (const file of asks) fs.statSync(file);
for (const [file, bytes] of writes) {
  fs.mkdirSync(file.slice(0, file.lastIndexOf('/')), { recursive: true });
  fs.writeFileSync(file, Buffer.alloc(bytes));
}
process.stdout.write(Buffer.alloc(printedBytes));`;

/**
 * The floor of a case: the bare start of Node, and then nothing but reading what must be read, asking whether what must
 * be there is there, writing what must be written and printing as much as must be printed.
 */
export function floor(bench: Workbench, needed: Needed, place: Place): Command {
  const folder = mkdtempSync(path.join(bench.folder, 'floor-'));
  const list = path.join(folder, 'list.json');
  const target = path.join(folder, 'files');
  const writes = needed.writes.map(([file, bytes]) => [path.join(target, file), bytes]);
  writeFileSync(list, JSON.stringify({ ...needed, writes }));
  const before = (): void => rmSync(target, { recursive: true, force: true });
  return bench.node(['-e', PROGRAM, list], { ...place, before });
}

/** What a document says of one package, as far as it is wanted here. */
interface DocumentPackage {
  readonly name: string;
  readonly version: string;
  readonly source: string | null;
  readonly manifest_path: string;
}

/** A document, and how large it is. */
export interface Document {
  readonly packages: readonly DocumentPackage[];
  readonly root: string;
  readonly bytes: number;
}

/** The document that a command prints. */
export function askDocument(command: Command): Document {
  const { stdout } = run(command);
  const document: { packages: DocumentPackage[]; workspace_root: string } = JSON.parse(stdout.toString());
  return { packages: document.packages, root: document.workspace_root, bytes: stdout.length };
}

/** Warm: manifests of the workspace and the lock file are read, and every other package is there. */
export function neededWarm({ packages, root, bytes }: Document): Needed {
  const lock = packages.some(({ source }) => source !== null) ? [path.join(root, 'Cargo.lock')] : [];
  const paths = (isOwn: boolean): string[] =>
    packages.flatMap(({ source, manifest_path: file }) => ((source === null) === isOwn ? [file] : []));
  return { reads: [...paths(true), ...lock], asks: paths(false), writes: [], printedBytes: bytes };
}

/** Where nothing is known of the packages: all manifests are read as well. */
export function neededFirst(document: Document): Needed {
  const { reads, asks, ...rest } = neededWarm(document);
  return { ...rest, reads: [...reads, ...asks], asks: [] };
}

/** Where the lock file is made: the index of every package is read as well, and the lock file written. */
export function neededToLock(document: Document, home: string): Needed {
  const { reads, ...rest } = neededWarm(document);
  const lock = path.join(document.root, 'Cargo.lock');
  return {
    ...rest,
    reads: [...reads.filter((file) => file !== lock), ...indexFiles(document, home)],
    writes: [['Cargo.lock', statSync(lock).size]],
  };
}

/**
 * Where nothing is on disk: the index files, archives and unpacked files of all packages are written, and their
 * manifests read. What the network takes is not in it.
 */
export function neededFromNothing(document: Document, home: string): Needed {
  const { reads, ...rest } = neededFirst(document);
  const folders = document.packages.flatMap(({ source, manifest_path: file }) =>
    source === null ? [] : [path.dirname(file)],
  );
  const archives = onlyFolder(path.join(home, 'registry', 'cache'));
  const written = [
    ...indexFiles(document, home),
    ...folders.map((folder) => path.join(archives, `${path.basename(folder)}.crate`)),
    ...folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => path.join(parentPath, name)),
    ),
  ];
  return {
    ...rest,
    reads,
    writes: written.map((file) => [path.relative(home, file), statSync(file).size]),
  };
}

function indexFiles({ packages }: Document, home: string): readonly string[] {
  const index = path.join(onlyFolder(path.join(home, 'registry', 'index')), '.cache');
  const names = new Set(packages.flatMap(({ source, name }) => (source === null ? [] : [name])));
  return Array.from(names, (name) => path.join(index, indexPath(name)));
}

/** The one folder inside `parent`. */
export function onlyFolder(parent: string): string {
  const [name, ...others] = readdirSync(parent);
  if (name === undefined || others.length > 0) throw new Error(`not one registry in ${parent}`);
  return path.join(parent, name);
}
