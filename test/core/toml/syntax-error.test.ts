import { describe, expect, it } from 'vitest';
import { parseToml } from '../../../src/core/toml/parse.ts';
import { renderTomlError, TomlSyntaxError } from '../../../src/core/toml/syntax-error.ts';

/** cargo's messages about invalid TOML, each with texts and the start and end of the error in them. */
const CASES: [string, [string, number, number][]][] = [
  [
    '`_` may only go between digits, expected nothing',
    [
      ['x = 1_\n', 5, 6],
      ['x = _1\n', 4, 5],
      ['x = 1e3_\n', 7, 8],
      ['x = 0x_1\n', 4, 5],
      ['x = 0x1_\n', 7, 8],
      ['x = _\n', 4, 5],
      ['x = __1\n', 4, 5],
      ['x = 1__\n', 6, 7],
      ['x = -_\n', 5, 6],
      ['x = 0x__1\n', 4, 5],
      ['x = 0o_\n', 4, 5],
    ],
  ],
  [
    '`_` may only go between digits',
    [
      ['x = 1_.5\n', 5, 6],
      ['x = 1._5\n', 6, 7],
      ['x = 1.5_e3\n', 7, 8],
      ['x = 1e_3\n', 6, 7],
      ['x = 1__0\n', 6, 7],
      ['x = 0xa__b\n', 8, 9],
      ['x = 1.5__2\n', 8, 9],
      ['x = 1_e5\n', 5, 6],
      ['x = 1__.5\n', 6, 7],
    ],
  ],
  [
    'integer number overflowed',
    [
      ['x = 1_a\n', 4, 7],
      ['x = 0x\n', 4, 6],
    ],
  ],
  [
    'invalid exponent, expected digits',
    [
      ['x = 1_e\n', 7, 7],
      ['x = 1e\n', 6, 6],
      ['x = 1e+\n', 7, 7],
    ],
  ],
  [
    'invalid binary number',
    [
      ['x = 0b1_2\n', 8, 8],
      ['x = 0b2\n', 6, 6],
    ],
  ],
  [
    'invalid fraction, expected digits',
    [
      ['x = 1_.\n', 7, 7],
      ['x = 1.e5\n', 6, 6],
      ['x = 1.\n', 6, 6],
      ['x = 1..2\n', 6, 6],
    ],
  ],
  [
    'invalid mantissa, expected digits',
    [
      ['x = .5\n', 4, 4],
      ['x = -.5\n', 4, 4],
      ['x = +.5\n', 4, 4],
      ['x = .\n', 4, 4],
      ['x = .1.2\n', 4, 4],
    ],
  ],
  [
    'unexpected leading zero, expected nothing',
    [
      ['x = 01\n', 4, 5],
      ['x = -01\n', 5, 6],
      ['x = 0_1\n', 4, 5],
      ['x = 00\n', 4, 5],
    ],
  ],
  [
    'invalid hexadecimal number',
    [
      ['x = 0xG\n', 6, 6],
      ['x = 0xg1\n', 6, 6],
    ],
  ],
  ['radix must be lowercase, expected `0x`', [['x = 0X1\n', 4, 6]]],
  ['integers with a radix cannot be signed, expected nothing', [['x = +0x1\n', 4, 5]]],
  ['redundant integer number prefix, expected nothing', [['x = 0d1\n', 4, 6]]],
  ['invalid octal number', [['x = 0o8\n', 6, 6]]],
  ['unexpected sign, expected nothing', [['x = 0x+1\n', 6, 7]]],
  [
    'invalid float, expected nothing',
    [
      ['x = 1.5.6\n', 7, 9],
      ['x = 1e5x\n', 7, 8],
    ],
  ],
  [
    'string values must be quoted, expected literal string',
    [
      ['x = 1a\n', 4, 6],
      ['x = +\n', 4, 5],
      ['x = -\n', 4, 5],
      ['x = +a\n', 4, 6],
      ['x = tr ue\n', 4, 9],
      ['x = x\n', 4, 5],
      ['x = x y\n', 4, 7],
      ['x = 1 2\n', 4, 7],
      ['x = [1 2]\n', 5, 8],
      ['x = 1. 5\n', 4, 8],
      ['x = é\n', 4, 5],
      ['x = 1é\n', 4, 6],
      ['x = [é]\n', 5, 6],
      ['x = {"é"=é}\n', 9, 10],
    ],
  ],
  [
    'redundant numeric sign, expected nothing',
    [
      ['x = ++1\n', 5, 6],
      ['x = --1\n', 5, 6],
      ['x = +-1\n', 5, 6],
    ],
  ],
  [
    'invalid float, expected `inf`',
    [
      ['x = infx\n', 4, 8],
      ['x = +infx\n', 5, 9],
      ['x = Inf\n', 4, 7],
      ['x = +Inf\n', 5, 8],
      ['x = INF\n', 4, 7],
      ['x = i\n', 4, 5],
    ],
  ],
  [
    'invalid float, expected `nan`',
    [
      ['x = nanx\n', 4, 8],
      ['x = n\n', 4, 5],
    ],
  ],
  [
    'invalid boolean, expected `true`',
    [
      ['x = True\n', 4, 8],
      ['x = tru\n', 4, 7],
      ['x = truex\n', 4, 9],
      ['x = t\n', 4, 5],
    ],
  ],
  [
    'invalid boolean, expected `false`',
    [
      ['x = falsey\n', 4, 10],
      ['x = f\n', 4, 5],
    ],
  ],
  ['invalid time, expected `:` (HH:MM)', [['x = 1979-05-27 07\n', 4, 17]]],
  [
    'invalid time, expected hour',
    [
      ['x = 1979-05-27  07:32:00\n', 4, 24],
      ['x = 1979-05-27T\n', 4, 15],
    ],
  ],
  ['invalid date, expected a two-digit month (MM)', [['x = 1979-5-27\n', 4, 13]]],
  ['invalid date, expected month between 01 and 12', [['x = 1979-13-01\n', 4, 14]]],
  [
    'invalid date, expected day between 01 and 28',
    [
      ['x = 1979-02-30\n', 4, 14],
      ['x = 1979-02-29\n', 4, 14],
      ['x = 1900-02-29\n', 4, 14],
    ],
  ],
  ['invalid date, expected a four-digit year (YYYY)', [['x = 197-01-01\n', 4, 13]]],
  ['invalid date, expected a two-digit day (DD)', [['x = 1979-01-1\n', 4, 13]]],
  [
    'invalid date, expected `-` (MM-DD)',
    [
      ['x = 1979-01\n', 4, 11],
      ['x = 0-1\n', 4, 7],
    ],
  ],
  ['invalid date, expected month', [['x = 1979-\n', 4, 9]]],
  [
    'invalid date-time, expected `T` between date and time',
    [
      ['x = 1979-01-01x\n', 4, 15],
      ['x = 1979-01-01_00:00\n', 4, 20],
    ],
  ],
  [
    'invalid time, expected a two-digit hour (HH)',
    [
      ['x = 1979-01-01T1:00:00\n', 4, 22],
      ['x = 7:32\n', 4, 8],
      ['x = 0:1\n', 4, 7],
    ],
  ],
  ['invalid time, expected minute between 00 and 59', [['x = 1979-01-01T00:60:00\n', 4, 23]]],
  ['invalid time, expected hour between 00 and 23', [['x = 1979-01-01T24:00:00\n', 4, 23]]],
  ['invalid time, expected second between 00 and 60', [['x = 1979-01-01T00:00:61\n', 4, 23]]],
  ['invalid time, expected nanosecond', [['x = 1979-01-01T00:00:00.\n', 4, 24]]],
  ['invalid offset, expected a two-digit hour (HH)', [['x = 1979-01-01T00:00:00+1:00\n', 4, 28]]],
  ['invalid offset, expected hours between 00 and 23', [['x = 1979-01-01T00:00:00+25:00\n', 4, 29]]],
  ['invalid offset, expected minutes between 00 and 59', [['x = 1979-01-01T00:00:00+01:60\n', 4, 29]]],
  ['invalid offset, expected `:` (HH:MM)', [['x = 1979-01-01T00:00:00+0100\n', 4, 28]]],
  [
    'invalid datetime',
    [
      ['x = 1979-01-01T00:00:00Zx\n', 4, 25],
      ['x = 07:32Z\n', 4, 10],
      ['x = 07:32:00Z\n', 4, 13],
    ],
  ],
  ['invalid time, expected a two-digit minute (MM)', [['x = 07:3\n', 4, 8]]],
  ['invalid time, expected minute', [['x = 12:\n', 4, 7]]],
  [
    'invalid datetime, expected year or hour',
    [
      ['x = +1979-01-01\n', 4, 15],
      ['x = -07:32\n', 4, 10],
    ],
  ],
  ['invalid basic string, expected `"`', [['x = "a\n', 6, 6]]],
  ["invalid literal string, expected `'`", [["x = 'a\n", 6, 6]]],
  ['missing opening quote, expected `"`', [['x = a"\n', 4, 4]]],
  ["missing opening quote, expected `'`", [["x = a'\n", 4, 4]]],
  [
    'invalid multi-line basic string, expected `"`',
    [
      ['x = """a\n', 9, 9],
      ['x = """"\n', 9, 9],
      ['x = """""\n', 10, 10],
    ],
  ],
  ["invalid multi-line literal string, expected `'`", [["x = '''a\n", 9, 9]]],
  ['missing opening quote, expected `"""`', [['x = a"""\n', 4, 4]]],
  ["missing opening quote, expected `'''`", [["x = a'''\n", 4, 4]]],
  [
    'missing escaped value, expected `b`, `e`, `f`, `n`, `r`, `\\`, `"`, `x`, `u`, `U`',
    [
      ['x = "\\q"\n', 6, 6],
      ['x = "\\"\n', 6, 6],
    ],
  ],
  [
    'too few unicode value digits, expected unicode hexadecimal value',
    [
      ['x = "\\x1"\n', 8, 8],
      ['x = "\\xZZ"\n', 7, 7],
      ['x = "\\u12"\n', 9, 9],
      ['x = "\\u{1}"\n', 7, 7],
    ],
  ],
  [
    'invalid value, expected unicode hexadecimal value',
    [
      ['x = "\\uD800"\n', 7, 7],
      ['x = "\\U00110000"\n', 7, 7],
    ],
  ],
  [
    'unexpected key or value, expected newline, `#`',
    [
      ['x = "a" b\n', 8, 8],
      ['x = "a"b\n', 7, 7],
      ['x = """a"""b\n', 11, 11],
      ['x = """""""""\n', 12, 12],
      ['x = """a""""""\n', 13, 13],
      ["x = '''a''''''\n", 13, 13],
      ['x = ,\n', 4, 4],
      ['x = 1,\n', 5, 5],
      ['x = "a" = 1\n', 8, 8],
      ['x = 1 = 2\n', 6, 6],
      ['x = 1 .5\n', 6, 6],
      ['x = "é" é\n', 8, 8],
      ['[a]]\n', 3, 3],
      ['[a]b\n', 3, 3],
    ],
  ],
  [
    'invalid basic string, expected non-double-quote visible characters, `\\`',
    [
      ['x = "\x01"\n', 5, 6],
      ['x = "\x7f"\n', 5, 6],
      ['x = "a\x0db"\n', 6, 7],
    ],
  ],
  ['invalid literal string, expected non-single-quote visible characters', [["x = '\x01'\n", 5, 5]]],
  ['invalid multi-line basic string, expected `\\`, characters', [['x = """\x01"""\n', 7, 8]]],
  ['invalid multi-line literal string, expected non-single-quote characters', [["x = '''\x01'''\n", 7, 7]]],
  [
    'invalid comment character, expected printable characters',
    [
      ['x = # c\x01\n', 7, 7],
      ['x = 1 # c\x7f\n', 9, 9],
      ['# c\x00\n', 3, 3],
      ['# c\x00 = 1\n', 3, 3],
      ['# c\x00', 3, 3],
    ],
  ],
  [
    'unclosed array, expected `]`',
    [
      ['x = [\n', 6, 6],
      ['x = [1,2\n', 9, 9],
    ],
  ],
  [
    'missing array opening, expected `[`',
    [
      ['x = ]\n', 4, 4],
      ['x = {a=]}\n', 7, 7],
    ],
  ],
  [
    'unclosed inline table, expected `}`',
    [
      ['x = {\n', 6, 6],
      ['x = {a=1\n', 9, 9],
      ['x = {a=\n', 8, 8],
      ['x = {a\n', 7, 7],
    ],
  ],
  [
    'missing inline table opening, expected `{`',
    [
      ['x = }\n', 4, 4],
      ['x = {a=[}\n', 8, 8],
    ],
  ],
  [
    'extra comma in array, expected value',
    [
      ['x = [,]\n', 5, 6],
      ['x = [1,,2]\n', 7, 8],
    ],
  ],
  [
    'missing comma between array elements, expected `,`',
    [
      ['x = [1,2}\n', 8, 8],
      ['x = {a=[1}\n', 9, 9],
    ],
  ],
  [
    'unexpected `=` in array, expected value, `]`',
    [
      ['x = [=]\n', 5, 6],
      ['x = [a=1]\n', 6, 7],
    ],
  ],
  [
    'extra comma in inline table, expected key',
    [
      ['x = {,}\n', 5, 5],
      ['x = {a=1,,}\n', 9, 9],
    ],
  ],
  [
    'extra assignment between key-value pairs, expected `,`',
    [
      ['x = {a=1 b=2}\n', 10, 10],
      ['x = {a=1;b=2}\n', 10, 10],
      ['x = {a=1=2}\n', 8, 8],
    ],
  ],
  ['extra assignment between key-value pairs, expected value', [['x = {a==1}\n', 7, 7]]],
  [
    'missing assignment between key-value pairs, expected `=`',
    [
      ['x = {a 1}\n', 7, 7],
      ['x = {a [1]}\n', 7, 7],
      ['x = {a {}}\n', 7, 7],
      ['x = {a.b c=1}\n', 9, 9],
    ],
  ],
  [
    'unquoted keys cannot be empty, expected letters, numbers, `-`, `_`',
    [
      ['x = {=1}\n', 5, 5],
      ['x = {.a=1}\n', 5, 5],
      ['x = {a.=1}\n', 7, 7],
      ['x = {a..b=1}\n', 7, 7],
      ['[a.]\n', 3, 3],
      ['[.a]\n', 1, 1],
      ['[]\n', 1, 1],
      ['[[]]\n', 2, 2],
      ['[ [a]]\n', 2, 2],
      ['[{a}]\n', 1, 1],
      ['=\n', 0, 0],
      ['a.b.=1\n', 4, 4],
      ['[a.b.]\n', 5, 5],
      ['[a..b]\n', 3, 3],
    ],
  ],
  [
    'missing key for inline table element, expected key',
    [
      ['x = {[1]}\n', 5, 5],
      ['x = {{}}\n', 5, 5],
    ],
  ],
  ['missing key for inline table element, expected `,`', [['x = {a=1 [}\n', 9, 9]]],
  [
    'invalid inline table element, expected `,`',
    [
      ['x = {a=1 ]\n', 9, 9],
      ['x = [{a=1]\n', 9, 9],
    ],
  ],
  ['invalid inline table element, expected `=`', [['x = {a ]}\n', 7, 7]]],
  ['invalid inline table element, expected key', [['x = {]}\n', 5, 5]]],
  [
    'duplicate key',
    [
      ['x = {"a"=1,"a"=2}\n', 11, 14],
      ['x = {a.b=1,a=2}\n', 11, 12],
      ['x = {a={b=1},a.c=2}\n', 13, 14],
      ['x = {a.b.c=1,a.b=2}\n', 15, 16],
      ['[a]\n[a]\n', 5, 6],
      ['[a.b]\n[a]\n[a.b]\n', 13, 14],
      ['[a]\nb=1\n[a]\nc=1\n', 9, 10],
      ['[a]\n[[a]]\n', 6, 7],
      ['[[a]]\n[a]\n', 7, 8],
      ['[[a]]\n[a.b]\n[a.b]\n', 15, 16],
      ['a=1\n[a]\n', 5, 6],
      ['a=1\n[[a]]\n', 6, 7],
      ['a=1\n[[a]]\nb=1\nb=2\n', 14, 15],
      ['a.b=1\n[a]\n', 7, 8],
    ],
  ],
  [
    'cannot extend value of type integer with a dotted key',
    [
      ['x = {a=1,a.b=2}\n', 9, 10],
      ['a=1\n[a.b]\n', 5, 6],
      ['a=1\n[[a.b]]\n', 6, 7],
      ['a.b=1\na.c=2\na.b.d=3\n', 14, 15],
      ['a=1\na.b=1\n', 4, 5],
      ['a=1\n[a.b.c]\n', 5, 6],
    ],
  ],
  [
    'extra `=`, expected nothing',
    [
      ['x = ==1\n', 4, 5],
      ['x = = 1\n', 4, 5],
      ['==\n', 1, 2],
      ['a==1\n', 2, 3],
      ['= = 1\n', 2, 3],
      ['== = 1\n', 1, 2],
      ['a= = 1\n', 3, 4],
      ['a==1 = 1\n', 2, 3],
      ['==', 1, 2],
      ['a==1', 2, 3],
      ['x = $\ny == 1\n', 9, 10],
    ],
  ],
  [
    'invalid unquoted key, expected letters, numbers, `-`, `_`',
    [
      ['x = {é=1}\n', 5, 5],
      ['[é]\n', 1, 1],
      ['[a\xa0]\n', 2, 2],
      ['é = 1\n', 0, 0],
      ['a$ = 1\n', 1, 1],
      ['a$b$ = 1\n', 1, 1],
      ['a$$b = 1\n', 1, 1],
      ['$ = 1\n', 0, 0],
      ['a" = 1\n', 1, 1],
      ["a' = 1\n", 1, 1],
      ['/a = 1\n', 0, 0],
      ['a = 1\n\ufeff = 1\n', 6, 6],
      ['[é]', 1, 1],
      ['[a\xa0]', 2, 2],
    ],
  ],
  [
    'carriage return must be followed by newline, expected newline',
    [
      ['x = 1\x0d2\n', 6, 6],
      ['x = """a\x0db"""\n', 9, 9],
      ["x = '''a\x0db'''\n", 9, 9],
      ['x = """a\\\x0db"""\n', 10, 10],
      ['\x0d = 1\n', 1, 1],
      ['a = 1\x0d = 1\n', 6, 6],
      ['\x0d', 1, 1],
      ['a = 1\x0d', 6, 6],
    ],
  ],
  ['invalid multi-line basic string, expected newline', [['x = """a\\ b"""\n', 10, 10]]],
  [
    'key with no value, expected `=`',
    [
      ['a\n', 1, 1],
      ['a b\n', 2, 2],
      ['a.b\n', 3, 3],
      ['a..b\n', 4, 4],
      ['a.\n', 2, 2],
      ['a .b\n', 4, 4],
      ['"a".b\n', 5, 5],
      ['"""a"""\n', 7, 7],
      ["'''a'''\n", 7, 7],
      ['é\n', 1, 1],
      ['a é\n', 2, 2],
      ['a$\n', 2, 2],
      ['a$b$\n', 4, 4],
      ['a$$b\n', 4, 4],
    ],
  ],
  [
    'missing value for key, expected `=`',
    [
      ['.a\n', 2, 2],
      ['.\n', 1, 1],
      ['..\n', 2, 2],
      ['.a', 2, 2],
      ['.', 1, 1],
      ['..', 2, 2],
    ],
  ],
  [
    'unclosed table, expected `]`',
    [
      ['[a\n', 2, 2],
      ['[a b]\n', 2, 2],
      ['[a.b\n', 4, 4],
      ['[a\nb]\n', 2, 2],
      ['[a=1]\n', 2, 2],
      ['[a,b]\n', 2, 2],
      ['["a]\n', 4, 4],
      ['[a = 1\n', 2, 2],
      ['[a b] = 1\n', 2, 2],
      ['[a.b = 1\n', 4, 4],
      ['[a\nb] = 1\n', 2, 2],
      ['[a=1] = 1\n', 2, 2],
      ['[a,b] = 1\n', 2, 2],
      ['["a] = 1\n', 8, 8],
    ],
  ],
  [
    'unclosed array table, expected `]`',
    [
      ['[[a]\n', 4, 4],
      ['[[a] = 1\n', 4, 4],
      ['[[a]', 4, 4],
    ],
  ],
  [
    'unclosed array table, expected `]]`',
    [
      ['[[a.b\n', 5, 5],
      ['[[a.b = 1\n', 5, 5],
      ['[[a.b', 5, 5],
      ['[a]\nx=1\nx=2\n[[a\nb\n', 15, 15],
    ],
  ],
  [
    'keys cannot be multi-line basic strings, expected basic string, literal string',
    [
      ['["""a"""]\n', 1, 8],
      ['"""a""" = 1\n', 0, 7],
      ['["""a"""]', 1, 8],
    ],
  ],
  [
    'missing table open, expected `[`',
    [
      [']\n', 0, 0],
      ['] = 1\n', 0, 0],
      [']', 0, 0],
    ],
  ],
  [
    'invalid key-value pair, expected key',
    [
      ['{\n', 0, 0],
      ['}\n', 0, 0],
      [',\n', 0, 0],
      ['{ = 1\n', 0, 0],
      ['} = 1\n', 0, 0],
      [', = 1\n', 0, 0],
      ['{', 0, 0],
      ['}', 0, 0],
      [',', 0, 0],
    ],
  ],
  [
    'keys cannot be multi-line literal strings, expected basic string, literal string',
    [["'''a''' = 1\n", 0, 7]],
  ],
  [
    'cannot extend value of type inline table with a dotted key',
    [
      ['a={}\n[a.b]\n', 6, 7],
      ['a={}\na.b=1\n', 5, 6],
      ['a={b={}}\na.b.c=1\n', 9, 10],
      ['a={b.c=1,b.d=2}\n[a.b.e]\n', 17, 18],
    ],
  ],
  [
    'cannot extend value of type array with a dotted key',
    [
      ['a=[{}]\n[a.b]\n', 8, 9],
      ['a=[]\na.b=1\n', 5, 6],
      ['a=[1]\n[a.b]\n', 7, 8],
    ],
  ],
  ['cannot extend value of type string with a dotted key', [['a="x"\na.b=1\n', 6, 7]]],
  ['cannot extend value of type float with a dotted key', [['a=1.5\na.b=1\n', 6, 7]]],
  ['cannot extend value of type boolean with a dotted key', [['a=true\na.b=1\n', 7, 8]]],
  ['cannot extend value of type datetime with a dotted key', [['a=1979-01-01\na.b=1\n', 13, 14]]],
];

function errorOf(text: string): TomlSyntaxError {
  try {
    parseToml(text);
  } catch (error) {
    if (error instanceof TomlSyntaxError) return error;
    throw error;
  }
  throw new Error('an error was expected');
}

describe.each(CASES)('the error "%s"', (message, texts) => {
  it.each(texts)('is reported for %j', (text, start, end) => {
    const error = errorOf(text);
    expect([error.message, error.start, error.end]).toEqual([message, start, end]);
  });
});

describe('the limits', () => {
  it('allow 80 levels of arrays and inline tables', () => {
    expect(() => parseToml(`a = ${'['.repeat(80)}${']'.repeat(80)}`)).not.toThrow();
    expect(errorOf(`a = ${'['.repeat(81)}${']'.repeat(81)}`)).toMatchObject({
      message: 'cannot recurse further; max recursion depth met',
      start: 84,
      end: 85,
    });
    expect(() => parseToml(`a = ${'{a='.repeat(81)}1${'}'.repeat(81)}`)).toThrow('max recursion depth met');
  });

  it('allow keys of 80 parts', () => {
    const key = Array.from({ length: 80 }, () => 'a').join('.');
    expect(() => parseToml(`${key} = 1`)).not.toThrow();
    expect(errorOf(`${key}.a = 1`)).toMatchObject({ message: 'recursion limit', start: -1, end: -1 });
  });
});

describe('renderTomlError', () => {
  it.each([
    [
      'a = 1\n<<<<<<< HEAD\n',
      `TOML parse error at line 2, column 9
  |
2 | <<<<<<< HEAD
  |         ^
key with no value, expected \`=\`
`,
    ],
    [
      'x = yes\nb = 1\n',
      `TOML parse error at line 1, column 5
  |
1 | x = yes
  |     ^^^
string values must be quoted, expected literal string
`,
    ],
    [
      'a = [\n',
      `TOML parse error at line 1, column 7
  |
1 | a = [
  |       ^
unclosed array, expected \`]\`
`,
    ],
    [
      // If the error is at a character of several bytes, the column counts bytes.
      'x = "é" é\n',
      `TOML parse error at line 1, column 10
  |
1 | x = "é" é
  |          ^
unexpected key or value, expected newline, \`#\`
`,
    ],
    [
      `${'\n'.repeat(9)}e = "é" b`,
      `TOML parse error at line 10, column 9
   |
10 | e = "é" b
   |         ^
unexpected key or value, expected newline, \`#\`
`,
    ],
  ])('shows the position in %j', (text, expected) => {
    expect(renderTomlError(text, errorOf(text))).toBe(expected);
  });

  it('shows only the message without a position', () => {
    expect(renderTomlError('', { message: 'm', start: -1, end: -1 })).toBe('m\n');
  });
});
