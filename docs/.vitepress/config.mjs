// The documentation site: `npm run docs` builds it into site/. The pages are the Markdown files of the project, as they are.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitepress';
import { pageOf, ROOT_PAGES, sidebar } from './pages.mjs';

const root = path.dirname(path.dirname(import.meta.dirname));
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/** The sentence under the title of the README. */
const description = readFileSync(path.join(root, 'README.md'), 'utf8').split('\n\n')[1].replaceAll('\n', ' ');

/** What is in the project folder and no page, as patterns. */
const noPages = readdirSync(root, { withFileTypes: true })
  .filter(({ name }) => name !== 'docs' && !ROOT_PAGES.includes(name))
  .map((entry) => (entry.isDirectory() ? `${entry.name}/**` : entry.name));

/** Names headings as the usual forge does: links with anchors work there and here. */
function anchorOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** A link in a file of the project as the site needs it; null if it leads to a file that is no page. */
function linkInSite(file, href) {
  const [, target = '', anchor = ''] = /^([^#]*)(#.*)?$/.exec(href) ?? [];
  const linked = path.posix.join(path.posix.dirname(file), target);
  const page = pageOf(linked);
  if (page === null) return null;
  // The landing page stands for the README, and has other headings.
  return path.posix.relative(path.posix.dirname(pageOf(file)), page) + (linked === 'README.md' ? '' : anchor);
}

/** Makes the links between files of the project links between pages. Those to files that are no pages become text. */
function adaptTokens(tokens, file) {
  let isText = false;
  for (const token of tokens) {
    // Vue would take `{{ }}` in code for an expression.
    if (token.type === 'code_inline') token.attrSet('v-pre', '');
    if (token.type === 'link_close' && isText) {
      token.tag = 'span';
      isText = false;
    }
    const href = token.type === 'link_open' ? token.attrGet('href') : null;
    if (href === null || /^(?:[a-z]+:|#)/.test(href)) continue;
    const link = linkInSite(file, href);
    if (link === null) {
      token.tag = 'span';
      token.attrs = null;
      isText = true;
    } else token.attrSet('href', link);
  }
}

function adaptPages(md) {
  // Text such as `:1:` is no emoji.
  md.disable('emoji');
  md.core.ruler.push('project-links', ({ tokens, env }) => {
    const file = path.relative(root, env.realPath ?? env.path).replaceAll(path.sep, '/');
    for (const { children } of tokens) adaptTokens(children ?? [], file);
  });
}

/** Finds Vue in docs/node_modules for the pages outside docs/ as well. */
const vueOfDocs = {
  name: 'vue-of-docs',
  enforce: 'pre',
  resolveId(id, _importer, options) {
    if (!/^vue(?:\/|$)/.test(id)) return null;
    if (options.ssr) return { id, external: true };
    return this.resolve(id, path.join(root, 'docs', 'package.json'), { ...options, skipSelf: true });
  },
};

const icon = readFileSync(path.join(import.meta.dirname, 'theme', 'crate.svg'), 'utf8');

export default defineConfig({
  title: 'tsreg',
  description,
  lang: 'en',
  srcDir: '..',
  srcExclude: noPages,
  rewrites: pageOf,
  outDir: '../site',
  cacheDir: '../.tmp/site-cache',
  cleanUrls: false,
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  markdown: { anchor: { slugify: anchorOf }, attrs: { disable: true }, config: adaptPages },
  transformPageData: ({ relativePath }) =>
    relativePath === 'index.md' ? { title: 'tsreg', frontmatter: { layout: 'home' } } : {},
  vite: { plugins: [vueOfDocs] },
  themeConfig: {
    version,
    nav: [
      { text: 'Getting started', link: '/getting-started' },
      { text: 'Commands', link: '/commands' },
      { text: 'Configuration', link: '/configuration' },
      { text: 'Registry', link: '/serve' },
      { text: 'Library', link: '/library' },
    ],
    sidebar: sidebar(root),
    outline: [2, 3],
    search: { provider: 'local', options: { detailedView: true } },
    externalLinkIcon: true,
  },
});
