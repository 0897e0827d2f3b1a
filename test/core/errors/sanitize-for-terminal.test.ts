import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  escapeForTerminal,
  escapeLine,
  sanitizeForTerminal,
} from '../../../src/core/errors/sanitize-for-terminal.ts';

describe('sanitizeForTerminal', () => {
  it('removes control sequences that start with one or two characters', () => {
    const text = 'a\x1b[2Jb\u009b2Jc\x1b]0;t\x07d\u009d0;u\u009ce\x07\n\tf\x7f';
    expect(sanitizeForTerminal(text)).toBe('ab2Jcd0;ue\n\tf');
  });

  it('joins lines and removes direction changes', () => {
    expect(sanitizeForTerminal('a\r\n\nb\u2028c \u202edcba\u2066e', 'join')).toBe('a b c dcbae');
  });

  it('indents all lines after the first', () => {
    expect(sanitizeForTerminal('a\r\nb\n\n c', 'indent')).toBe('a\n    b\n\n c');
  });

  it.each(['שלום, naïve 日本', '👩‍👩‍👧', 'نمی‌خواهم', '# a ## b', 'a::b', 'plain'])(
    'leaves %j unchanged',
    (text) => {
      for (const lineBreaks of ['keep', 'join', 'indent'] as const)
        expect(sanitizeForTerminal(text, lineBreaks)).toBe(text);
    },
  );

  it('removes invisible characters and replaces lone surrogates', () => {
    expect(sanitizeForTerminal('a\u00adb\u200bc\ufeffd\u{e0041}e\ud800f\u061cg')).toBe('abcde\ufffdfg');
  });

  it('breaks up commands of CI systems', () => {
    const text =
      'a::b\n::error::x\r  \t::set-output name=a::b\n \u2028::\n##[add-mask]x ##vso[task] ##teamcity[x]';
    expect(sanitizeForTerminal(text)).toBe(
      'a::b\n: :error::x   \t::set-output name=a::b\n  : :\n## [add-mask]x ## vso[task] ## teamcity[x]',
    );
    // It becomes a command only once the invisible characters are removed.
    expect(sanitizeForTerminal('\u200b::debug::x #\u200b#vso[x] \x1b[1m::x')).toBe(
      ': :debug::x ## vso[x] ::x',
    );
  });

  it('returns safe text for any input, and leaves that unchanged', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '\x1b[',
        '\x1b]8;;',
        '::',
        '##',
        'vso[',
        '\n',
        '\r',
        ' ',
        '\t',
        '\u2028',
        '\ud800',
        '#',
        ':',
      ),
    );
    fc.assert(
      fc.property(fc.array(part), fc.constantFrom('keep' as const, 'join' as const), (parts, lineBreaks) => {
        const safe = sanitizeForTerminal(parts.join(''), lineBreaks);
        expect(sanitizeForTerminal(safe, lineBreaks)).toBe(safe);
        expect(safe).not.toMatch(/(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        expect(safe).not.toMatch(/^\s*::|##[a-z]*\[/im);
      }),
      { numRuns: 2000, seed: 14 },
    );
  });

  it('handles long text within seconds', () => {
    for (const part of ['\n\u2028 ', '\x1b]', '\x1b[', '#', ' :', '\r', ' ', '\u200d']) {
      const start = performance.now();
      sanitizeForTerminal(`${part.repeat(200_000)}\u0001`, 'join');
      expect(performance.now() - start, JSON.stringify(part)).toBeLessThan(2000);
    }
  });
});

describe('escapeForTerminal', () => {
  it('leaves ordinary names unchanged and escapes others', () => {
    for (const name of ['src/lib.rs', 'a b', 'é日', 'x##y', 'a::b'])
      expect(escapeForTerminal(name)).toBe(name);
    expect(escapeForTerminal('a\nb\x1b[31m\u202e.rs')).toBe('a\\nb\\u{1b}[31m\\u{202e}.rs');
    expect(escapeForTerminal('::add-mask::x')).toBe('\\u{3a}:add-mask::x');
    expect(escapeForTerminal('a##vso[x]')).toBe('a\\u{23}#vso[x]');
  });

  it('escapes lone surrogates', () => {
    expect(escapeForTerminal('a\ud800b\u{1f600}')).toBe('a\\u{d800}b\u{1f600}');
  });
});

describe('escapeLine', () => {
  it('keeps code with tabs, and escapes hidden characters', () => {
    for (const line of ['\tfn a() {}', ' \t::core::mem::swap(a, b);', '+::errors::new()', 'r##"é\u200d"##'])
      expect(escapeLine(line)).toBe(line);
    expect(escapeLine(' a\u202e\r\x1b[31m')).toBe(' a\\u{202e}\\r\\u{1b}[31m');
  });

  it('breaks commands of CI systems', () => {
    expect(escapeLine(' \t::add-mask::x')).toBe(' \t\\u{3a}:add-mask::x');
    expect(escapeLine('::Set-Env name=a::b')).toBe('\\u{3a}:Set-Env name=a::b');
    expect(escapeLine('+##vso[x]')).toBe('+\\u{23}#vso[x]');
  });
});
