import { describe, expect, it } from 'vitest';
import { decodeOk, decodeOwners, decodeSearchPage } from '../../../src/core/protocol/api-responses.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('a response with lists instead of objects', () => {
  it('is decoded by the order of the fields', () => {
    expect(decodeOk(bytes('[true]'))).toBe(true);
    expect(decodeOwners(bytes('[[[1,"a",null,null,"N"]]]'))).toEqual([
      { id: 1, login: 'a', name: 'N', email: null },
    ]);
    expect(decodeSearchPage(bytes('{"crates":[["a","d","1.0.0"]],"meta":[3]}'))).toEqual({
      crates: [{ name: 'a', description: 'd', maxVersion: '1.0.0' }],
      total: 3,
    });
  });

  it.each([
    ['[]', 'invalid length 0, expected struct R with 1 element at line 1 column 2'],
    ['[true,"m"]', 'trailing characters at line 1 column 7'],
    ['[1]', 'invalid type: integer `1`, expected a boolean at line 1 column 2'],
  ])('is refused if the lists do not fit: %s', (text, message) => {
    expect(() => decodeOk(bytes(text))).toThrow(message);
  });
});
