// `npm run docs`: builds the documentation site into site/. Installs its packages into docs/node_modules first, if they
// are missing. Passes its arguments to `vitepress build`, for example `--base /tsreg/`. Fails on a dead link, on a page
// that the sidebar lacks, and on a page that loads something from another host. The reference of the library comes from
// the doc comments: TypeDoc writes it into .tmp/reference, and pages of docs/ include it.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { installPackages } from './set-up.mjs';

const root = path.dirname(import.meta.dirname);
const docs = path.join(root, 'docs');
const site = path.join(root, 'site');

/** Decodes the character references of an HTML attribute. */
function textOf(attribute) {
  return attribute
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/**
 * Returns one line for each dead link in the HTML files of `folder`, and for each script, style or image that they load
 * from another host. The site is served at the path `base`.
 */
export function findFaults(folder, base = '/') {
  const names = readdirSync(folder, { recursive: true }).map((name) => name.replaceAll(path.sep, '/'));
  const files = new Set(names);
  const pages = new Map(
    names
      .filter((name) => name.endsWith('.html'))
      .map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]),
  );
  const anchors = new Map(
    [...pages].map(([name, html]) => [
      name,
      new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => textOf(id))),
    ]),
  );
  const faults = [];
  for (const [name, html] of pages) {
    for (const [, tag, attributes] of html.matchAll(/<(\w+)((?:\s+[^\s=>]+(?:="[^"]*")?)*)\s*\/?>/g)) {
      const [, target] = /\s(?:href|src)="([^"]*)"/.exec(attributes) ?? [];
      if (target === undefined || target.startsWith('data:')) continue;
      const url = new URL(textOf(target), `http://site.invalid${base}${name}`);
      if (url.host !== 'site.invalid') {
        if (tag !== 'a') faults.push(`${name}: loads ${target}`);
        continue;
      }
      const file = decodeURI(url.pathname.slice(base.length)).replace(/(^|\/)$/, '$1index.html');
      const anchor = decodeURIComponent(url.hash.slice(1));
      const isDead =
        !url.pathname.startsWith(base) ||
        !files.has(file) ||
        (anchor !== '' && !anchors.get(file)?.has(anchor));
      if (isDead) faults.push(`${name}: dead link ${target}`);
    }
  }
  return [...new Set(faults)];
}

/** Runs a program of a package of docs/. Returns true if it succeeds. */
function runOfDocs(program, args) {
  const file = path.join(docs, 'node_modules', program);
  const { status } = spawnSync(process.execPath, [file, ...args], { stdio: 'inherit', cwd: docs });
  return status === 0;
}

function build(args) {
  if (!installPackages(docs)) return false;
  const typedoc = ['--options', path.join(docs, '.vitepress', 'typedoc.json')];
  if (!runOfDocs('typedoc/bin/typedoc', typedoc)) return false;
  if (!runOfDocs('vitepress/bin/vitepress.js', ['build', docs, ...args])) return false;
  const base = args[args.indexOf('--base') + 1];
  const faults = findFaults(site, args.includes('--base') ? base : '/');
  for (const fault of faults) console.error(fault);
  if (faults.length === 0) console.log(`the site is in ${path.relative(process.cwd(), site)}/`);
  return faults.length === 0;
}

if (process.argv[1] === import.meta.filename && !build(process.argv.slice(2))) process.exitCode = 1;
