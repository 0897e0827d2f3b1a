/** Writes what `recallDependencies` and `recallLockPass` read. */
import type { Stamp } from '../disk/stamp.ts';
import type { SourceId } from '../package-id/source-id.ts';
import { type BlockParts, encodeContainer } from './container.ts';
import { type LockedPackage, type LockPass, writeLockPass } from './lock-pass.ts';
import type { PackagePresence } from './dependency-record.ts';
import { writeRegistries } from './named-registries.ts';
import type { PackageView } from './package-view.ts';
import { writePrinted } from './printed-record.ts';
import { RecordWriter } from './record.ts';
import { SourceWriter } from './source-record.ts';
import { writeStamp } from './stamp-record.ts';
import { TextWriter } from './text-block.ts';

/** A package that is kept. */
export interface KeptPackage extends LockedPackage {
  /** Where the package really comes from, if its source is replaced. */
  readonly actual: SourceId;
  /** The file of the index that the summary was read from; null where there is no index. */
  readonly index: Stamp | null;
  /** null if it was not needed. */
  readonly content: (PackagePresence & { readonly view: PackageView }) | null;
}

/** The dependencies of a workspace, and what their sources are known by. */
export interface KeptLockPass extends LockPass<KeptPackage> {
  /** Files that are as they were as long as a source need not be asked, by key of the original source. */
  readonly sourceFiles: ReadonlyMap<string, readonly Stamp[]>;
}

/** What dependencies belong to. */
export interface DependencyOrigin {
  /** Absolute path of the workspace's root. */
  readonly root: string;
  /** What its lock file says. */
  readonly lockText: string;
  /** Registries that manifests named, as configuration resolved them. */
  readonly registries: ReadonlyMap<string, SourceId>;
  /** The record that packages are taken from, by their index there; null where none is. */
  readonly base: { readonly identity: string; readonly indexes: ReadonlyMap<KeptPackage, number> } | null;
}

/** The record of a workspace's dependencies: of all of them, or of those that are not in `base`. */
export function encodeDependencies(
  pass: KeptLockPass,
  { root, lockText, registries, base }: DependencyOrigin,
): Uint8Array {
  const own: KeptPackage[] = [];
  const order = pass.packages.map((each) => base?.indexes.get(each) ?? -own.push(each));
  const outline = new RecordWriter();
  const sources = new SourceWriter(outline, { keepsNames: false });
  const texts = new TextWriter(outline);
  const actual = new Map(pass.packages.map((each) => [each.summary.id.source, each.actual]));
  outline.string(root);
  outline.string(base?.identity ?? null);
  writeRegistries(registries, outline, sources);
  outline.map(actual, (original, replaced) => {
    for (const source of [original, replaced]) sources.write(source);
    outline.list(pass.sourceFiles.get(original.key) ?? [], (stamp) => writeStamp(stamp, outline));
  });
  outline.list(base === null ? [] : order, (at) => outline.int(at));
  outline.list(own, ({ index, content }) => {
    writeStamp(index, outline);
    writeStamp(content?.manifest ?? null, outline);
    if (content === null) return;
    outline.string(content.archive?.folder ?? null);
    if (content.archive !== null) outline.string(content.archive.name);
    outline.string(content.view.libraryName);
    writePrinted(content.view, texts);
  });
  const lockPass = new RecordWriter();
  writeLockPass({ ...pass, packages: own }, lockPass);
  return encodeContainer(
    new Map<string, BlockParts>([
      ['lock', Buffer.from(lockText)],
      ...outline.blocks('outline'),
      ['texts', texts.finish()],
      ...lockPass.blocks('lock-pass'),
    ]),
  );
}
