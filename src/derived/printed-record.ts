/** What the document prints of a package, as records. */
import type { AnnotatedWarning, Warning, WarningRemark } from '../errors/warning.ts';
import type { PrintedPackage } from './package-view.ts';
import type { RecordReader, RecordWriter } from './record.ts';
import type { TextReader, TextWriter } from './text-block.ts';

/** Writes a package. */
export function writePrinted(
  { ids, head, tail }: PrintedPackage,
  out: RecordWriter,
  texts: TextWriter,
): void {
  out.string(ids.legacy);
  out.string(ids.spec);
  texts.write(head);
  texts.write(tail);
}

/** Reads what `writePrinted` wrote. */
export function readPrinted(input: RecordReader, texts: TextReader): PrintedPackage {
  const ids = { legacy: input.string(), spec: input.string() };
  return { ids, head: texts.read(), tail: texts.read() };
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
  return { title, isBold, remarks, ...(help === null ? {} : { help }) };
}
