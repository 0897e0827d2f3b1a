import { expect, it } from 'vitest';
import { requireColorChoice, usesColor } from '../../../src/io/terminal/color-choice.ts';
import { OutputStream } from '../../../src/io/terminal/output-stream.ts';

class FakeStream extends OutputStream {
  readonly #answer: boolean;

  constructor(isTerminal: boolean) {
    super(2);
    this.#answer = isTerminal;
  }

  override get isTerminal(): boolean {
    return this.#answer;
  }
}

it.each<readonly [Record<string, string>, boolean, boolean]>([
  [{ TERM: 'xterm' }, true, true],
  [{ TERM: 'xterm' }, false, false],
  [{ TERM: 'dumb' }, true, false],
  [{ TERM: 'dumb', CI: '1' }, true, true],
  [{ TERM: 'dumb', CLICOLOR: '1' }, true, true],
  [{ TERM: 'xterm', CLICOLOR: '0' }, true, false],
  [{ TERM: 'xterm', NO_COLOR: '1' }, true, false],
  [{ TERM: 'xterm', NO_COLOR: '' }, true, true],
  [{ CLICOLOR_FORCE: '1' }, false, true],
  [{ CLICOLOR_FORCE: '' }, false, false],
  [{ CLICOLOR_FORCE: '1', NO_COLOR: '1' }, true, false],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: 'true', CLICOLOR: '0' }, false, true],
  [{ FORCE_COLOR: '0', TERM: 'xterm' }, true, false],
  [{ FORCE_COLOR: 'false', TERM: 'xterm' }, true, false],
  [{ FORCE_COLOR: '' }, false, false],
  [{ FORCE_COLOR: '0', CLICOLOR_FORCE: '1' }, false, true],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, true, false],
  [{ FORCE_COLOR: '1', TSREG_COMPAT: 'cargo' }, false, false],
])('with %j on a terminal (%s), `auto` uses colours: %s', (env, isTerminal, colored) => {
  expect(usesColor('auto', new FakeStream(isTerminal), env)).toBe(colored);
  expect(usesColor('always', new FakeStream(isTerminal), env)).toBe(true);
  expect(usesColor('never', new FakeStream(isTerminal), env)).toBe(false);
});

it('refuses a colour choice in upper case', () => {
  const origin = { kind: 'environment', name: 'CARGO_TERM_COLOR' } as const;
  expect(() => requireColorChoice('x', origin)).toThrow(
    expect.objectContaining({
      hint: 'this is `term.color` from environment variable `CARGO_TERM_COLOR`',
    }),
  );
  expect(() => requireColorChoice('ALWAYS')).toThrow(
    'argument for --color must be auto, always, or never, but found `ALWAYS`',
  );
});
