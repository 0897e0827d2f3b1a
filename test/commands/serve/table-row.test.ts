import { expect, it } from 'vitest';
import { tableRow } from '../../../src/commands/serve/table-row.ts';

it('no text adds a column or a line, or controls the terminal', () => {
  expect(tableRow([1, 'a\tb', 'c\nd', '\x1b]0;title\x07e'])).toBe('1\ta b\tc d\te\n');
});
