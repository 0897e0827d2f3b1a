import { expect, it } from 'vitest';
import {
  boolean,
  decodeAsCargo,
  map,
  nullable,
  string,
  struct,
} from '../../../src/core/json/decode-as-cargo.ts';

const decoder = struct(
  'Item',
  { name: nullable(string), parts: map(string), open: boolean },
  { required: ['parts'], omissible: 1 },
);
const decode = (json: string): unknown => decodeAsCargo(decoder, Buffer.from(json));

// The expected messages are those of cargo's JSON library.
it('reads an object, or a list of the values', () => {
  const parts = new Map([['a', 'b']]);
  expect(decode('{"x":[1],"open":true,"parts":{"a":"x","a":"b"}}')).toEqual({ open: true, parts });
  expect(decode('[null,{"a":"b"},true]')).toEqual({ name: null, parts, open: true });
  expect(decode('["x",{"a":"b"}]')).toEqual({ name: 'x', parts });
});

it.each<[string, string]>([
  ['1', 'invalid type: integer `1`, expected struct Item at line 1 column 1'],
  ['{"name":"x"}', 'missing field `parts` at line 1 column 12'],
  ['{"parts":{},"parts":{}}', 'duplicate field `parts` at line 1 column 19'],
  ['{"parts":[]}', 'invalid type: sequence, expected a map at line 1 column 9'],
  ['{"parts":{"a":null}}', 'invalid type: null, expected a string at line 1 column 18'],
  ['["x"]', 'invalid length 1, expected struct Item with 3 elements at line 1 column 5'],
  ['{"parts":{}} x', 'trailing characters at line 1 column 14'],
])('refuses %s', (json, message) => {
  expect(() => decode(json)).toThrow(message);
});
