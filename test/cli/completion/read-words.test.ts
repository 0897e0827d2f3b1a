import { describe, expect, it } from 'vitest';
import { type Place, readWords } from '../../../src/cli/completion/read-words.ts';
import { wholeGrammar } from '../../helpers/whole-grammar.ts';

const ALIASES: Readonly<Record<string, readonly string[]>> = {
  md: ['metadata', '--no-deps'],
  loop: ['loop'],
};

const grammar = await wholeGrammar();

function read(...words: readonly string[]): Place {
  return readWords(words, {
    grammar,
    alias: (name) => ALIASES[name] ?? null,
  });
}

/** Returns in short what can follow the words, such as `value features --features=`. */
function next(...words: readonly string[]): string {
  const { next: found } = read(...words);
  return found.kind === 'value' ? `value ${found.flag.name} ${found.prefix}`.trim() : found.kind;
}

describe('readWords', () => {
  it.each<readonly [string, string]>([
    ['', 'command'],
    ['m', 'command'],
    ['+nightly m', 'command'],
    ['help ', 'command'],
    ['serve ', 'command'],
    ['--color ', 'value color'],
    ['--color always m', 'command'],
    ['-', 'flag'],
    ['metadata ', 'flag'],
    ['metadata x', 'nothing'],
    ['metadata --fo', 'flag'],
    ['metadata --features ', 'value features'],
    ['metadata --features=a,', 'value features --features='],
    ['metadata -F', 'flag'],
    ['metadata -F ', 'value features'],
    ['metadata -Fa', 'value features -F'],
    ['metadata -qFa', 'value features -qF'],
    ['metadata --no-deps -q --filter-platform x --color ', 'value color'],
    ['metadata --no-such ', 'flag'],
    ['publish -p ', 'value package'],
    ['publish -p -', 'flag'],
    ['publish -p a -p ', 'value package'],
    ['publish a.crate ', 'flag'],
    ['update a ', 'value spec'],
    ['login -- ', 'value args'],
    ['login -- a --b', 'value args'],
    ['md --fe', 'flag'],
    ['md --features ', 'value features'],
    ['loop ', 'nothing'],
    ['nothing ', 'nothing'],
    ['serve nothing ', 'nothing'],
  ])('determines what can follow %j', (line, expected) => {
    expect(next(...line.split(' '))).toBe(expected);
  });

  it('returns the command and the values of its flags', () => {
    const { command, values } = read('serve', 'token', '--user', 'a', '--user', 'b', '');
    expect([command, [...values]]).toEqual(['serve token', [['user', ['a', 'b']]]]);
    expect([...read('md', '-vv', '').values.keys()]).toEqual(['no-deps', 'verbose']);
  });
});
