import { expect, test } from 'vitest';
import { Container, encodeContainer } from '../../src/derived/container.ts';
import { readWarning, writeWarning } from '../../src/derived/printed-record.ts';
import { RecordInMemory } from '../../src/derived/record-file.ts';
import { RecordReader, RecordWriter } from '../../src/derived/record.ts';
import type { Warning } from '../../src/errors/warning.ts';

test.each<Warning>([
  'a text',
  { title: 'bold', isBold: true },
  { title: 'advised', help: 'do otherwise' },
  {
    title: 'all of it',
    isBold: true,
    remarks: [
      { label: 'note', text: 'one' },
      { label: 'help', text: 'two\nlines' },
    ],
    help: 'do otherwise',
  },
])('a warning comes back as the value that it was: %j', (warning) => {
  const out = new RecordWriter();
  writeWarning(warning, out);
  const container = Container.open(new RecordInMemory(encodeContainer(new Map(out.blocks('warnings')))));
  if (container === null) throw new Error('not a record');
  expect(readWarning(new RecordReader(container, 'warnings'))).toStrictEqual(warning);
});
