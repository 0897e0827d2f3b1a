import { describe, expect, it } from 'vitest';
import { type ErrorTarget, renderError } from '../../src/cli/render-error.ts';
import { stripStyles } from '../../src/io/terminal/style.ts';
import { TsregError, withHint } from '../../src/core/errors/error.ts';
import { CARGO_RELEASE } from '../../src/core/version/cargo-release.ts';
import { NOT_FOUND } from '../helpers/system.ts';

const target: ErrorTarget = {
  cwd: '/ws',
  width: null,
  verbose: false,
  quiet: false,
  program: 'tsreg',
  hint: null,
};

function render(error: unknown, more: Partial<ErrorTarget> = {}): string {
  return stripStyles(renderError(error, { ...target, ...more }));
}

const root = new TsregError('root\n\nof it\n', { code: 'io' });
const snippet = { path: '/ws/a', text: 'x=1', span: { start: 2, end: 3 }, message: 'no' };

describe('renderError', () => {
  it('indents every line of a cause', () => {
    expect(render(new TsregError('top', { cause: new TsregError('middle', { cause: root }) }))).toBe(
      'error: top\n\nCaused by:\n  middle\n\nCaused by:\n  root\n\n  of it\n',
    );
  });

  it('prints the hints of inner causes first', () => {
    const cause = new TsregError('root', { code: 'auth', hint: 'inner' });
    const error = withHint(new TsregError('top', { cause }), 'outer');
    expect(render(error, { hint: 'last' })).toBe(
      'error: top\n\nCaused by:\n  root\n\nhelp: inner\n\nhelp: outer\n\nhelp: last\n',
    );
    const own = withHint(new TsregError('root', { code: 'auth', hint: 'own' }), 'further');
    expect(render(own)).toBe('error: root\n\nhelp: own; further\n');
  });

  it('normalizes the line endings of causes', () => {
    const windows = new TsregError('one\r\ntwo\r\n', { code: 'io' });
    expect(render(new TsregError('top', { cause: windows }))).toBe(
      'error: top\n\nCaused by:\n  one\n  two\n',
    );
  });

  it('hides verbose causes unless `verbose` is set', () => {
    const hidden = new TsregError('hidden', { cause: root, verbose: true });
    expect(render(new TsregError('top', { cause: hidden }))).toBe('error: top\n');
    expect(render(new TsregError('top', { cause: hidden }), { verbose: true })).toContain(
      'Caused by:\n  hidden\n',
    );
  });

  it('omits causes that were already reported', () => {
    const reported = new TsregError('reported', { cause: root, isReported: true });
    expect(render(new TsregError('top', { cause: reported }), { verbose: true })).toBe('error: top\n');
  });

  it('shows a snippet before the outer errors and omits its cause', () => {
    const inner = new TsregError('inner', { snippet, cause: root });
    expect(render(inner)).toBe('error: no\n --> a:1:3\n  |\n1 | x=1\n  |   ^\n');
    expect(render(new TsregError('outer', { cause: inner }))).toBe(
      'error: no\n --> a:1:3\n  |\n1 | x=1\n  |   ^\nerror: outer\n',
    );
  });

  it('translates operating system errors to the usual text', () => {
    const failure = Object.assign(new Error('ENOENT: no such file or directory, open'), {
      errno: -2,
      code: 'ENOENT',
    });
    expect(render(new TsregError('top', { cause: failure }))).toBe(
      `error: top\n\nCaused by:\n  ${NOT_FOUND}\n`,
    );
  });

  it('names the resource that the Node permission model denies', () => {
    const refusal = Object.assign(new Error('Access to this API has been restricted.'), {
      code: 'ERR_ACCESS_DENIED',
      permission: 'FileSystemRead',
      resource: '/ws/Cargo.toml',
    });
    expect(render(refusal)).toBe('error: `/ws/Cargo.toml`: Access to this API has been restricted.\n');
    const ofNothing = Object.assign(new Error('no processes'), { code: 'ERR_ACCESS_DENIED', resource: '' });
    expect(render(new TsregError('top', { cause: ofNothing }))).toBe(
      'error: top\n\nCaused by:\n  no processes\n',
    );
  });

  it('asks for a bug report on internal errors in compatibility mode', () => {
    const error = new TsregError('top', {
      cause: new TsregError('inner', { code: 'source', isInternal: true }),
    });
    const chain = 'error: top\n\nCaused by:\n  inner\n';
    expect(render(error, { program: 'cargo' })).toBe(
      `${chain}note: this is an unexpected cargo internal error\n` +
        'note: we would appreciate a bug report: https://github.com/rust-lang/cargo/issues/\n' +
        `note: cargo ${CARGO_RELEASE}\n`,
    );
    expect(render(error, { program: 'cargo', quiet: true })).toBe(chain);
    expect(render(error)).toBe(chain);
  });

  it('reports an unexpected exception as a bug in tsreg', () => {
    expect(render(new TypeError('x is not a function'))).toMatch(
      /^error: internal error: this is a bug in tsreg, please report it\n\nTypeError: x is not a function\n/,
    );
  });
});
