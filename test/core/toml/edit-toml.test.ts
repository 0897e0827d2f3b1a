import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { removeTomlKey, setTomlString, type TomlPath } from '../../../src/core/toml/edit-toml.ts';
import { parseToml } from '../../../src/core/toml/parse.ts';

const INDEX: TomlPath = ['registries', 'mine', 'index'];
const set = (text: string, path: TomlPath = INDEX): string => setTomlString(text, { path, value: 'URL' });

describe('setTomlString', () => {
  it.each([
    ['an empty file', '', '[registries.mine]\nindex = "URL"\n'],
    ['a file with other tables', '# top\na = 1\n', '# top\na = 1\n\n[registries.mine]\nindex = "URL"\n'],
    ['a file without a last line break', 'a = 1', 'a = 1\n\n[registries.mine]\nindex = "URL"\n'],
    ['a file with Windows line breaks', 'a = 1\r\n', 'a = 1\r\n\r\n[registries.mine]\r\nindex = "URL"\r\n'],
    ['a byte order mark', '\ufeff', '\ufeff[registries.mine]\nindex = "URL"\n'],
    [
      'the header of the table',
      '[registries.mine] # ours\ntoken = "t"\n',
      '[registries.mine] # ours\nindex = "URL"\ntoken = "t"\n',
    ],
    ['a header at the end of the file', '[registries.mine]', '[registries.mine]\nindex = "URL"\n'],
    [
      'the header of an outer table',
      '[registries]\nother.index = "x"\n',
      '[registries]\nother.index = "x"\n\n[registries.mine]\nindex = "URL"\n',
    ],
    [
      'the header of an inner table',
      '[registries.mine.x]\na = 1\n',
      '[registries.mine.x]\na = 1\n\n[registries.mine]\nindex = "URL"\n',
    ],
    [
      'dotted keys',
      'registries.mine.token = "t" # a\n',
      'registries.mine.index = "URL"\nregistries.mine.token = "t" # a\n',
    ],
    [
      'dotted keys after a byte order mark',
      '\ufeffregistries.mine.token = "t"\n',
      '\ufeffregistries.mine.index = "URL"\nregistries.mine.token = "t"\n',
    ],
    [
      'dotted keys in a table',
      '[registries]\n  mine.token = """\nx"""\n',
      '[registries]\n  mine.index = "URL"\n  mine.token = """\nx"""\n',
    ],
  ])('adds a value to %s', (_, before, after) => {
    expect(set(before)).toBe(after);
  });

  it.each([
    ['[registries.mine]\nindex = "old" # why\n', '[registries.mine]\nindex = "URL" # why\n'],
    ["registries = { mine = { index = 'old' } }\n", 'registries = { mine = { index = "URL" } }\n'],
    ['registries.mine . "index"=1\n', 'registries.mine . "index"="URL"\n'],
  ])('replaces only the value in %j', (before, after) => {
    expect(set(before)).toBe(after);
  });

  it.each([
    'registries = { other = { index = "x" } }\n',
    'registries.mine = { token = "t" }\n',
    '[[registries]]\n',
    'registries = 1\n',
    '[registries.mine.index]\n',
  ])('refuses %j', (before) => {
    expect(() => set(before)).toThrow(
      'the table of `registries.mine.index` has a form that only you can edit',
    );
  });
});

describe('removeTomlKey', () => {
  const MINE: TomlPath = ['registries', 'mine'];
  it.each([
    ['nothing', 'a = 1 # x\n', 'a = 1 # x\n'],
    [
      'a table, and no comment outside',
      '# before\n[registries.mine]\n# inside\nindex = "x" # y\n\n# after\n[other]\n',
      '# before\n\n# after\n[other]\n',
    ],
    [
      'a table between others',
      '[a]\nb = 1\n\n[registries.mine]\nindex = "x"\n\n[c]\nd = 1\n',
      '[a]\nb = 1\n\n[c]\nd = 1\n',
    ],
    ['a table and those inside', '[registries.mine]\nindex = "x"\n[registries.mine.y]\nz = 1\n', ''],
    [
      'scattered dotted keys',
      'registries.mine.index = "x"\na = [\n1]\nregistries.mine.token = [\n"t"]\nb = 2\n',
      'a = [\n1]\nb = 2\n',
    ],
    ['an inline table', '[registries]\nmine = { index = "x" }\n', ''],
    [
      'arrays of tables',
      '[a]\nb = 1\n[[registries.mine.x]]\ny = 1\n[c]\n[[registries.mine.x]]\nz = 1\n[registries.mine.x.w]\nv = 1\n',
      '[a]\nb = 1\n[c]\n',
    ],
    [
      'a table with others of its kind',
      '[registries]\na.index = "x"\nmine.index = "y"\n',
      '[registries]\na.index = "x"\n',
    ],
  ])('removes %s', (_, before, after) => {
    expect(removeTomlKey(before, MINE)).toBe(after);
  });

  it('keeps the header of an empty table with a comment', () => {
    const before = '[registry] # ours\ndefault = "mine"\n';
    expect(removeTomlKey(before, ['registry', 'default'])).toBe('[registry] # ours\n');
  });

  it('refuses a table inside an inline table', () => {
    expect(() =>
      removeTomlKey('registries = { mine = { index = "x" }, b = { index = "y" } }\n', MINE),
    ).toThrow('the table of `registries.mine` has a form that only you can edit');
  });
});

const LINE = fc.constantFrom(
  '# comment',
  '',
  'a = 1',
  '[registry]',
  'default = "x" # y',
  '[registries.other]',
  'index = "https://x/"',
  '[registries]',
  'two.index = """',
  '"""',
  '[[patch]]',
  'b = { c = 1 }',
);

it('removes exactly what it added', () => {
  fc.assert(
    fc.property(fc.array(LINE, { maxLength: 12 }), fc.constantFrom('\n', '\r\n'), (lines, newline) => {
      const text = lines.map((line) => line + newline).join('');
      let before;
      try {
        before = parseToml(text);
      } catch {
        return;
      }
      const added = set(text);
      expect(added.startsWith(text)).toBe(true);
      expect(parseToml(added).get('registries')).toBeInstanceOf(Map);
      const removed = removeTomlKey(added, ['registries', 'mine']);
      // One of several blank lines at the end may go.
      expect(removed.trimEnd()).toBe(text.trimEnd());
      expect(parseToml(removed)).toEqual(before);
    }),
    { numRuns: 500 },
  );
});
