import path from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '../helpers/project-root.ts';

const { terminalSvg }: { terminalSvg: (text: string, form: { columns: number; title: string }) => string } =
  await import(path.join(projectRoot, 'scripts', 'terminal-svg.mjs'));

/** Returns the texts of the picture, each with its position, colour and weight. */
function textsOf(text: string, columns = 20): readonly string[] {
  const runs = terminalSvg(text, { columns, title: 't' }).matchAll(
    /<text x="([\d.]+)" y="(\d+)" fill="(#\w+)"[^>]*?( font-weight="700")?>([^<]*)</g,
  );
  return [...runs].map(([, x, y, color, isBold, shown]) =>
    [x, y, color, isBold ? 'bold' : '', shown].join(' '),
  );
}

it('shows text at the printed position and in its colours', () => {
  expect(textsOf('\x1b[1m\x1b[92m   Locking\x1b[0m a < b\n\x1b]8;;u\x1b\\x\x1b]8;;\x1b\\')).toEqual([
    '43.2 49 #98d982 bold Locking',
    '110.4 49 #d5dae3  a &lt; b',
    '18.0 68 #d5dae3  x',
  ]);
});

it('wraps full lines', () => {
  expect(textsOf('abcdef', 4)).toEqual(['18.0 49 #d5dae3  abcd', '18.0 68 #d5dae3  ef']);
});
