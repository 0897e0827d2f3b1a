import { describe, expect, test } from 'vitest';
import { decodeIndexConfig } from '../../../src/core/protocol/index-config.ts';

const decode = (text: string) => decodeIndexConfig(Buffer.from(text));

describe('decodeIndexConfig', () => {
  test('reads the known fields and ignores the others', () => {
    expect(decode('{"dl":"d","api":"a","auth-required":true,"x":[1,{"y":null}],"z":-1.5e3}')).toEqual({
      dl: 'd',
      api: 'a',
      authRequired: true,
      dryRun: false,
    });
    expect(decode(' {"dl" : "\\u00e9", "api":null}\n')).toEqual({
      dl: 'é',
      api: null,
      authRequired: false,
      dryRun: false,
    });
    expect(decode('{"dl":"d","dry-run":true}').dryRun).toBe(true);
    expect(decode('{"dl":"d","dry-run":"yes"}').dryRun).toBe(false);
    expect(decode('{"x":"\\ud800","dl":"d"}').dl).toBe('d');
    expect(decode('{"x":1e999,"dl":"d"}').dl).toBe('d');
  });

  // Every message is the one that cargo prints.
  test.each([
    ['{"dl":5}', 'invalid type: integer `5`, expected a string at line 1 column 7'],
    ['{"dl":null}', 'invalid type: null, expected a string at line 1 column 10'],
    ['{"dl":{"a":1}}', 'invalid type: map, expected a string at line 1 column 6'],
    ['{"dl":[1]}', 'invalid type: sequence, expected a string at line 1 column 6'],
    ['{"dl":"x","auth-required":null}', 'invalid type: null, expected a boolean at line 1 column 30'],
    ['{"dl":"x","auth-required":"y"}', 'invalid type: string "y", expected a boolean at line 1 column 29'],
    ['{"dl":"x","api":5}', 'invalid type: integer `5`, expected a string at line 1 column 17'],
    ['"x"', 'invalid type: string "x", expected struct RegistryConfig at line 1 column 3'],
    ['', 'EOF while parsing a value at line 1 column 0'],
    ['{', 'EOF while parsing an object at line 1 column 1'],
    ['{"dl"', 'EOF while parsing an object at line 1 column 5'],
    ['{"dl":', 'EOF while parsing a value at line 1 column 6'],
    ['{"dl":"x"', 'EOF while parsing an object at line 1 column 9'],
    ['{"dl":"x",', 'EOF while parsing a value at line 1 column 10'],
    ['{"dl":"x",}', 'trailing comma at line 1 column 11'],
    ['{"dl":"x"}x', 'trailing characters at line 1 column 11'],
    ['{"dl":"x" "b"}', 'expected `,` or `}` at line 1 column 11'],
    ['{dl:1}', 'key must be a string at line 1 column 2'],
    ['{"dl":"x', 'EOF while parsing a string at line 1 column 8'],
    ['{"x":[1,}', 'expected value at line 1 column 9'],
    ['{"x":[1 2]}', 'expected `,` or `]` at line 1 column 9'],
    ['{"x":tru}', 'expected ident at line 1 column 9'],
    ['{"x":01}', 'invalid number at line 1 column 7'],
    ['{"x":1.}', 'invalid number at line 1 column 8'],
    ['{"dl":"\\q"}', 'invalid escape at line 1 column 9'],
    ['{"dl":true}', 'invalid type: boolean `true`, expected a string at line 1 column 10'],
    ['{"dl":1.5}', 'invalid type: floating point `1.5`, expected a string at line 1 column 9'],
    ['{"dl":-1}', 'invalid type: integer `-1`, expected a string at line 1 column 8'],
    ['5', 'invalid type: integer `5`, expected struct RegistryConfig at line 1 column 1'],
    ['null', 'invalid type: null, expected struct RegistryConfig at line 1 column 4'],
    ['{"dl":"x","dl":"y"}', 'duplicate field `dl` at line 1 column 14'],
    ['{"x":"\\ud800"}', 'missing field `dl` at line 1 column 14'],
    ['{"x":[[1]', 'EOF while parsing a list at line 1 column 9'],
    ['{"dl":"é"} é', 'trailing characters at line 1 column 13'],
    [
      '{\n "dl":"x",\n "auth-required": 1\n}',
      'invalid type: integer `1`, expected a boolean at line 3 column 19',
    ],
    ['{"dl":"a\tb"}', 'control character (\\u0000-\\u001F) found while parsing a string at line 1 column 9'],
    ['{"x":nan}', 'expected ident at line 1 column 7'],
    ['{"x":{"y":1}', 'EOF while parsing an object at line 1 column 12'],
    ['{"dl":nul}', 'expected ident at line 1 column 10'],
    ['{"dl":1e999}', 'number out of range at line 1 column 11'],
    ['{"x":1e999,"dl":"y"', 'EOF while parsing an object at line 1 column 19'],
    ['<html>', 'expected value at line 1 column 1'],
    ['{"a":1}', 'missing field `dl` at line 1 column 7'],
  ])('refuses %s', (text, message) => {
    expect(() => decode(text)).toThrow(message);
  });

  test('refuses a deeply nested document', () => {
    expect(() => decode(`{"x":${'['.repeat(100_000)}`)).toThrow(
      'EOF while parsing a list at line 1 column 100005',
    );
  });
});
