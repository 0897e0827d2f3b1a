import { describe, expect, it } from 'vitest';
import { hyperlink, knowsHyperlinks } from '../../../src/io/terminal/hyperlinks.ts';
import { stripStyles } from '../../../src/io/terminal/style.ts';

describe('links on a terminal', () => {
  it.each([
    [{}, false],
    [{ TERM: 'xterm-256color' }, false],
    [{ TERM: 'xterm-kitty' }, true],
    [{ TERM_PROGRAM: 'WezTerm' }, true],
    [{ TERM_PROGRAM: 'Apple_Terminal' }, false],
    [{ VTE_VERSION: '5000' }, true],
    [{ VTE_VERSION: '4999' }, false],
    [{ VTE_VERSION: 'new' }, false],
    [{ COLORTERM: 'xfce4-terminal' }, true],
    [{ KONSOLE_VERSION: '1' }, true],
    [{ FORCE_HYPERLINK: '' }, true],
    [{ FORCE_HYPERLINK: ' 0 ', TERM: 'alacritty' }, false],
    [{ FORCE_HYPERLINK: '1', TERM_PROGRAM: 'iTerm.app' }, false],
  ])('are supported with %j: %s', (env, expected) => {
    expect(knowsHyperlinks(env)).toBe(expected);
  });

  it('are reduced to their text without styles', () => {
    expect(stripStyles(hyperlink('https://a.example/', '#a'))).toBe('#a');
  });
});
