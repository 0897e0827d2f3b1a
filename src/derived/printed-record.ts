/** What the document prints of a package, as records. */
import type { AnnotatedWarning, Warning, WarningRemark } from '../errors/warning.ts';
import { DamagedRecordError } from './damaged-record-error.ts';
import type { KeptText } from './kept-text.ts';
import { KeptPackageJson } from './package-json.ts';
import type { PrintedPackage } from './package-view.ts';
import type { RecordReader, RecordWriter } from './record.ts';
import type { TextWriter } from './text-block.ts';

/** Writes a package, with its id where most documents have it. */
export function writePrinted({ text }: PrintedPackage, texts: TextWriter): void {
  texts.write(text.head);
  texts.write(JSON.stringify(text.id('legacy')));
  texts.write(text.tail);
  texts.write(JSON.stringify(text.id('spec')));
}

/** Reads what `writePrinted` wrote. */
export class PrintedReader {
  readonly #in: RecordReader;
  readonly #block: KeptText;
  #at = 0;

  /** The places of texts stand in `input`, the texts in `block`. */
  constructor(input: RecordReader, block: KeptText) {
    this.#in = input;
    this.#block = block;
  }

  /** The next package. Throws `DamagedRecordError`. */
  readonly read = (): PrintedPackage => {
    const { ints } = this.#in;
    const at = this.#in.skipInts(4);
    const head = this.#at;
    const id = head + (ints[at] ?? 0);
    const tail = id + (ints[at + 1] ?? 0);
    const spec = tail + (ints[at + 2] ?? 0);
    const end = spec + (ints[at + 3] ?? 0);
    if (end > this.#block.length) throw new DamagedRecordError('texts');
    this.#at = end;
    return { text: new KeptPackageJson(this.#block, { head, id, tail, spec, end }) };
  };
}

/** Writes a warning. */
export function writeWarning(warning: Warning, out: RecordWriter): void {
  const { title, isBold, remarks, help }: AnnotatedWarning =
    typeof warning === 'string' ? { title: warning } : warning;
  out.string(title);
  out.int(isBold === true ? 1 : 0);
  out.list(remarks ?? [], ({ label, text }) => {
    out.int(label === 'note' ? 1 : 0);
    out.string(text);
  });
  out.string(help ?? null);
}

/** Reads what `writeWarning` wrote. */
export function readWarning(input: RecordReader): Warning {
  const title = input.string();
  const isBold = input.int() === 1;
  const remarks = input.list(
    (): WarningRemark => ({ label: input.int() === 1 ? 'note' : 'help', text: input.string() }),
  );
  const help = input.optionalString();
  if (!isBold && remarks.length === 0 && help === null) return title;
  return {
    title,
    ...(isBold ? { isBold } : {}),
    ...(remarks.length === 0 ? {} : { remarks }),
    ...(help === null ? {} : { help }),
  };
}
