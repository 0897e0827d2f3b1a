import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../helpers/project-root.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const { sidebar }: { sidebar: (root: string) => readonly unknown[] } = await import(
  path.join(projectRoot, 'docs', '.vitepress', 'pages.mjs')
);
const { findFaults }: { findFaults: (folder: string, base?: string) => readonly string[] } = await import(
  path.join(projectRoot, 'scripts', 'build-docs.mjs')
);

describe('the sidebar of the site', () => {
  it('has every page of docs/', () => {
    expect(sidebar(projectRoot).length).toBeGreaterThan(5);
  });

  it('reports missing pages and pages that do not exist', () => {
    using temp = makeTempDir('site');
    mkdirSync(path.join(temp.path, 'docs', 'node_modules', 'a'), { recursive: true });
    for (const file of ['README.md', 'poem.md', 'node_modules/a/README.md'])
      writeFileSync(path.join(temp.path, 'docs', file), '');
    expect(() => sidebar(temp.path)).toThrow(/needs changes: add `poem`, remove `getting-started`/);
  });
});

describe('the check of the built site', () => {
  it('reports dead links and resources from other hosts', () => {
    using temp = makeTempDir('site');
    mkdirSync(path.join(temp.path, 'ci'));
    writeFileSync(
      path.join(temp.path, 'index.html'),
      `<h1 id="a-&amp;-b">A</h1><a href="/t/ci/#top">1</a><a class="x" href="./?q#a-&amp;-b">2</a>
       <a href="https://example.com/">3</a><link rel="icon" href="data:,"><img alt="" src="/t/ci/index.html">`,
    );
    writeFileSync(
      path.join(temp.path, 'ci', 'index.html'),
      `<p id="top"><a href="../gone.html">1</a><a href="/t/#nowhere">2</a><a href="/ci/">3</a>
       <script async src="https://example.com/count.js"></script><link href="//fonts.example.com/a.css" rel="stylesheet">`,
    );
    expect(findFaults(temp.path, '/t/')).toEqual([
      'ci/index.html: dead link ../gone.html',
      'ci/index.html: dead link /t/#nowhere',
      'ci/index.html: dead link /ci/',
      'ci/index.html: loads https://example.com/count.js',
      'ci/index.html: loads //fonts.example.com/a.css',
    ]);
  });
});
