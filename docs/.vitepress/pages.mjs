// Which Markdown file becomes which page of the site, and where the sidebar shows it. Imports no package, so that the
// tests can read it where those of the site are not installed.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Pages outside docs/ that the site has as well. */
export const ROOT_PAGES = ['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];

/** The sidebar: pages by their names in the site, grouped by the reader who needs them. */
const GROUPS = {
  'Getting started': {
    'All pages': 'index',
    'Getting started': 'getting-started',
    Recipes: 'recipes',
    'Move from cargo': 'migrating',
    'tsreg in CI': {
      Overview: 'ci/index',
      GitHub: 'ci/github-actions',
      GitLab: 'ci/gitlab-ci',
      'Forgejo and Gitea': 'ci/forgejo-actions',
      Jenkins: 'ci/jenkins',
      'Azure Pipelines': 'ci/azure-pipelines',
      CircleCI: 'ci/circleci',
    },
  },
  Commands: {
    'All commands': 'commands',
    'Shared flags': 'shared-flags',
    metadata: 'metadata',
    tree: 'tree',
    why: 'why',
    outdated: 'outdated',
    sbom: 'sbom',
    info: 'info',
    search: 'search',
    diff: 'diff',
    pkgid: 'pkgid',
    'locate-project': 'locate-project',
    'read-manifest': 'read-manifest',
    'generate-lockfile': 'generate-lockfile',
    update: 'update',
    fetch: 'fetch',
    vendor: 'vendor',
    download: 'download',
    package: 'package',
    publish: 'publish',
    yank: 'yank',
    owner: 'owner',
    'login, logout, whoami': 'login',
    registry: 'registry',
    doctor: 'doctor',
    shim: 'shim',
    completions: 'completions',
    version: 'version',
  },
  Configuration: {
    'Keys and variables': 'configuration',
    'Untrusted repositories': 'untrusted-repositories',
    Systems: 'systems',
  },
  Registry: {
    'Quick start': 'serve',
    Commands: 'serve-commands',
    Operation: 'serve-operation',
    Sizing: 'serve-sizing',
    'PostgreSQL database': 'serve-database',
    'Object store': 'serve-object-store',
    Mirror: 'mirror',
    'HTTP interface': 'serve-api',
    Comparison: 'serve-comparison',
  },
  Library: {
    'Use from TypeScript': 'library',
    'Reference of tsreg': 'library-reference',
    'Reference of tsreg/server': 'library-server-reference',
  },
  Reference: {
    'Errors and exit status': 'errors',
    Compatibility: 'compatibility',
    'Differences from cargo': 'differences',
    Security: 'security',
    Performance: 'performance',
    Architecture: 'architecture',
    Changelog: 'project/changelog',
    'Report a vulnerability': 'project/security',
    Contribute: 'project/contributing',
  },
};

/** The name of a file of the project as a page of the site, `metadata.md` for `docs/metadata.md`; null if it is none. */
export function pageOf(file) {
  if (file === 'README.md') return 'index.md';
  if (ROOT_PAGES.includes(file)) return `project/${file.toLowerCase()}`;
  const [, name] = /^docs\/(.*\.md)$/.exec(file) ?? [];
  return name?.replace(/(^|\/)README\.md$/, '$1index.md') ?? null;
}

/** The Markdown files below docs/, relative to the project folder `root`. */
function docsFiles(root) {
  return readdirSync(path.join(root, 'docs'), { recursive: true })
    .map((name) => `docs/${name.replaceAll(path.sep, '/')}`)
    .filter((name) => name.endsWith('.md') && !/\/(?:node_modules|\.vitepress)\//.test(name));
}

/** The group of the decision records: its pages are named by their headings. Empty if there are none. */
function decisions(root, pages) {
  const records = pages.filter((page) => page.startsWith('decisions/') && page !== 'decisions/index').sort();
  if (records.length === 0) return {};
  const titles = records.map((page) => {
    const [, heading] = /^# (.*)$/m.exec(readFileSync(path.join(root, 'docs', `${page}.md`), 'utf8')) ?? [];
    return [heading?.replaceAll('`', '') ?? page, page];
  });
  return { Decisions: { 'All decisions': 'decisions/index', ...Object.fromEntries(titles) } };
}

/** The entries of the sidebar for a group, with its groups inside. */
function entriesOf(group) {
  return Object.entries(group).map(([text, page]) =>
    typeof page === 'string'
      ? { text, link: `/${page.replace(/(^|\/)index$/, '$1')}` }
      : { text, collapsed: true, items: entriesOf(page) },
  );
}

function pagesIn(group) {
  return Object.values(group).flatMap((page) => (typeof page === 'string' ? page : pagesIn(page)));
}

/** Returns the sidebar in the form of VitePress. Throws if it lacks a page of docs/, or has one that does not exist. */
export function sidebar(root) {
  const pages = [...docsFiles(root), ...ROOT_PAGES].map((file) => pageOf(file).replace(/\.md$/, ''));
  const groups = { ...GROUPS, Reference: { ...GROUPS.Reference, ...decisions(root, pages) } };
  const shown = pagesIn(groups);
  const lacking = pages.filter((page) => !shown.includes(page)).map((page) => `add \`${page}\``);
  const unknown = shown.filter((page) => !pages.includes(page)).map((page) => `remove \`${page}\``);
  if (lacking.length + unknown.length > 0)
    throw new Error(
      `the sidebar in docs/.vitepress/pages.mjs needs changes: ${[...lacking, ...unknown].join(', ')}`,
    );
  // A group opens on its pages by itself: closed ones leave the names of all groups in sight.
  return Object.entries(groups).map(([text, group], index) => ({
    text,
    collapsed: index > 0,
    items: entriesOf(group),
  }));
}
