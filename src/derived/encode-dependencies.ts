/** Writes what `recallDependencies` and `recallLockPass` read. */
import type { Stamp } from '../disk/stamp.ts';
import type { SourceId } from '../package-id/source-id.ts';
import { encodeContainer } from './container.ts';
import { type LockedPackage, type LockPass, writeLockPass } from './lock-pass.ts';
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
  readonly content: { readonly marker: Stamp; readonly view: PackageView } | null;
}

/** The record of a workspace's dependencies: `root` is its absolute path, `lockText` what its lock file says. */
export function encodeDependencies(
  pass: LockPass<KeptPackage>,
  { root, lockText }: { readonly root: string; readonly lockText: string },
): Uint8Array {
  const outline = new RecordWriter();
  const sources = new SourceWriter(outline);
  const texts = new TextWriter(outline);
  const actual = new Map(pass.packages.map((each) => [each.summary.id.source, each.actual]));
  outline.string(root);
  outline.list(actual, (pair) => pair.forEach((source) => sources.write(source)));
  outline.list(pass.packages, ({ index, content }) => {
    writeStamp(index, outline);
    writeStamp(content?.marker ?? null, outline);
    if (content !== null) writePrinted(content.view, outline, texts);
  });
  const lockPass = new RecordWriter();
  writeLockPass(pass, lockPass);
  return encodeContainer(
    new Map([
      ['lock', Buffer.from(lockText)],
      ...outline.blocks('outline'),
      ['texts', texts.finish()],
      ...lockPass.blocks('lock-pass'),
    ]),
  );
}
