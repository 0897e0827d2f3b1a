import { expect, it } from 'vitest';
import { parsePattern } from '../../../src/core/tree/pattern.ts';

const causeOf = (text: string): string => {
  try {
    parsePattern(text);
    return 'nothing';
  } catch (error) {
    if (!(error instanceof Error) || !(error.cause instanceof Error)) throw error;
    return `${error.message}: ${error.cause.message}`;
  }
};

it('reads text, fields and doubled braces', () => {
  const parts = parsePattern('a {{{p}}} {license}{lib}é');
  expect(parts.map((part) => (part.kind === 'text' ? part.text : `<${part.field}>`)).join('')).toBe(
    'a {<package>} <license><library>é',
  );
  expect(parsePattern('')).toEqual([]);
});

it.each([
  ['{p', "expected '}'"],
  ['{', "expected '}'"],
  ['{1}', "expected '}'"],
  ['{p-}', "expected '}'"],
  ['}', "unexpected '}'"],
  ['{{}', "unexpected '}'"],
  ['{}', 'unsupported pattern ``'],
  ['{zz}', 'unsupported pattern `zz`'],
  ['{é2}', 'unsupported pattern `é2`'],
])('refuses %s', (text, reason) => {
  expect(causeOf(text)).toBe(`tree format \`${text}\` not valid: ${reason}`);
});
