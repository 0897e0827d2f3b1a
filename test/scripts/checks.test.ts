import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../helpers/project-root.ts';

type Check = (files: ReadonlyMap<string, string>) => readonly string[];

const scripts = path.join(projectRoot, 'scripts');
const layers: {
  findForbiddenImports: Check;
  findCircles: Check;
  findUpwardRows: () => readonly string[];
} = await import(path.join(scripts, 'check-layers.mjs'));
const docComments: { findUndocumentedExports: Check } = await import(
  path.join(scripts, 'check-doc-comments.mjs')
);

function forbidden(file: string, text: string): readonly string[] {
  return layers.findForbiddenImports(new Map([[file, text]]));
}

function undocumented(text: string): readonly string[] {
  return docComments.findUndocumentedExports(new Map([['a/b.ts', text]]));
}

describe('the table of imports', () => {
  it('has rows that name only lower folders', () => {
    expect(layers.findUpwardRows()).toEqual([]);
  });

  it.each([
    [
      'version/a.ts',
      `import { b } from '../summary/b.ts';`,
      '../summary/b.ts: version may not import summary',
    ],
    [
      'version/a.ts',
      `import type { B } from '../commands/x/b.ts';`,
      '../commands/x/b.ts: version may not import commands',
    ],
    [
      'toml/a.ts',
      `export { b } from '../commands/x/b.ts';`,
      '../commands/x/b.ts: toml may not import commands',
    ],
    ['toml/a.ts', `export * from '../commands/x/b.ts';`, '../commands/x/b.ts: toml may not import commands'],
    ['cli/c/a.ts', `await import('../../disk/b.ts');`, '../../disk/b.ts: cli may not import disk'],
    ['manifest/a.ts', `import { readFileSync } from 'node:fs';`, 'node:fs: manifest may not use fs'],
    ['commands/x/a.ts', `import { Hono } from 'hono';`, 'hono: commands may not use hono'],
    ['commands/x/a.ts', `import { b } from '../y/run.ts';`, '../y/run.ts: a command may not import y'],
    [
      'commands/shared/workspace/a.ts',
      `import { b } from '../lock/b.ts';`,
      '../lock/b.ts: commands/shared/workspace may not import commands/shared/lock',
    ],
    [
      'server/http/a.ts',
      `import { b } from '../pages/b.ts';`,
      '../pages/b.ts: server/http may not import server/pages',
    ],
    [
      'things/a.ts',
      `import '../errors/error.ts';`,
      '../errors/error.ts: the folder things has no row in the table of imports',
    ],
  ])('refuses in src/%s: %s', (file, text, problem) => {
    expect(forbidden(file, text)).toEqual([`src/${file} imports ${problem}`]);
  });

  it.each([
    ['summary/a.ts', `import { b } from '../version/b.ts'; import { c } from './c.ts'; import 'node:path';`],
    ['http/a.ts', `await import('node:http2');`],
    ['cli/c/a.ts', `import { b } from '../../commands/x/run.ts'; import chalk from 'chalk';`],
    ['commands/x/a.ts', `import { b } from '../shared/lock/b.ts';`],
    ['server/http/a.ts', `import type { ServerContext } from '../server-context.ts';`],
    ['cli/a.ts', `import { b } from '../disk/input-recorder.ts';`],
  ])('accepts in src/%s: %s', (file, text) => {
    expect(forbidden(file, text)).toEqual([]);
  });
});

describe('the check for import cycles', () => {
  it('reports a cycle, even through type imports', () => {
    const files = new Map([
      ['a/a.ts', `import { b } from '../b.ts'; import './c.ts';`],
      ['b.ts', `import type { D } from './d.ts';`],
      ['a/c.ts', `import '../d.ts';`],
      ['d.ts', `export * from './a/a.ts';`],
    ]);
    expect(layers.findCircles(files)).toEqual([
      'a circle of imports: src/a/a.ts -> src/b.ts -> src/d.ts -> src/a/a.ts',
    ]);
  });

  it('accepts two files that import a third', () => {
    const files = new Map([
      ['a.ts', `import './b.ts'; import './c.ts';`],
      ['b.ts', `import './c.ts';`],
      ['c.ts', `import 'node:fs';`],
    ]);
    expect(layers.findCircles(files)).toEqual([]);
  });
});

describe('the check of doc comments', () => {
  it('reports exports without a doc comment', () => {
    expect(undocumented('export const a = 1;\n\n// b\nexport function b() {}\nexport type C = 1;')).toEqual([
      'src/a/b.ts:1 a has no doc comment',
      'src/a/b.ts:4 b has no doc comment',
      'src/a/b.ts:5 C has no doc comment',
    ]);
  });

  it('accepts one comment for overloads and consecutive constants, and none for re-exports', () => {
    const text = [
      '/** Two. */\nexport const a = 1;\nexport const b = 2; // more',
      '/** F. */\nexport function f(): void;\nexport function f(): void {}',
      "export { g } from './g.ts';",
    ];
    expect(undocumented(text.join('\n\n'))).toEqual([]);
  });
});
