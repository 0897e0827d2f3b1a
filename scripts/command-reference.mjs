// The reference of the commands, from the definitions that produce `--help`: tables of flags in docs/,
// docs/commands.md, man/ and the `man` field of package.json. Without arguments reports what is out of date; `--write`
// writes it.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { flattenCommands, loadCommands } from './command-list.mjs';
import { manFile, manPage, programManPage } from './man-page.mjs';
import {
  commandsOnPage,
  commandsPage,
  ownWordsOnPage,
  updatePage,
  updateSharedFlags,
  withFlags,
  withSubcommand,
} from './option-tables.mjs';

const root = path.dirname(import.meta.dirname);
const COMMANDS_PAGE = 'docs/commands.md';
const SHARED_FLAGS_PAGE = 'docs/shared-flags.md';

function readPages() {
  const names = readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md'));
  return new Map(names.map((name) => [`docs/${name}`, readFileSync(path.join(root, 'docs', name), 'utf8')]));
}

/** Gives each command without a page a section: on its own page, or for a subcommand on `docs/COMMAND-commands.md`. */
function addMissing(pages, commands) {
  const present = new Set([...pages.values()].flatMap(commandsOnPage));
  for (const command of commands.filter(({ name }) => !present.has(name))) {
    const [first] = command.words;
    const file = command.words.length === 1 ? `docs/${first}.md` : `docs/${first}-commands.md`;
    const text = pages.get(file) ?? '';
    pages.set(file, command.words.length === 1 ? withFlags(text, command) : withSubcommand(text, command));
  }
}

/** Returns the link anchor of a command's heading, or an empty string if the page has no such heading. */
function anchorOn(page, { name }) {
  const heading = `tsreg ${name}`;
  return page.includes(`\n## ${heading}\n`) ? `#${heading.replaceAll(' ', '-')}` : '';
}

/** Returns the expected content of every file of the reference, by its path in the project. */
async function makeReference() {
  const loaded = await loadCommands();
  const commands = flattenCommands(loaded.commands);
  const byName = new Map(commands.map((command) => [command.name, command]));
  const about = readJson('package.json').description;
  const { version } = readJson('package.json');
  const pages = readPages();
  pages.delete(COMMANDS_PAGE);
  addMissing(pages, commands);
  const files = new Map();
  const pageOf = new Map();
  for (const [file, text] of pages) {
    const names = commandsOnPage(text).filter((name) => byName.has(name));
    if (commandsOnPage(text).length === 0) continue;
    const page = updatePage(text, byName);
    const words = ownWordsOnPage(page);
    files.set(file, page);
    for (const name of names) {
      const command = byName.get(name);
      pageOf.set(name, path.basename(file) + anchorOn(page, command));
      const details = { page, words, isFirst: names[0] === name, version };
      files.set(manFile(name), manPage(command, details));
    }
  }
  files.set(SHARED_FLAGS_PAGE, updateSharedFlags(pages.get(SHARED_FLAGS_PAGE) ?? '', loaded));
  files.set(manFile(''), programManPage(loaded, { about, version }));
  files.set(
    COMMANDS_PAGE,
    commandsPage(loaded, (name) => pageOf.get(name)),
  );
  const man = [...files.keys()]
    .filter((file) => file.startsWith('man/'))
    .toSorted((a, b) => (a < b ? -1 : 1));
  files.set('package.json', withMan(man));
  return files;
}

function readJson(file) {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8'));
}

function withMan(man) {
  const text = readFileSync(path.join(root, 'package.json'), 'utf8');
  const list = `"man": [\n${man.map((file) => `    ${JSON.stringify(file)}`).join(',\n')}\n  ]`;
  return text.replace(/"man": \[[^\]]*\]/, list);
}

function strayManPages(files) {
  const folder = path.join(root, 'man');
  const present = existsSync(folder) ? readdirSync(folder).map((name) => `man/${name}`) : [];
  return present.filter((file) => !files.has(file));
}

const files = await makeReference();
const stale = [...files].filter(([file, text]) => {
  const at = path.join(root, file);
  return !existsSync(at) || readFileSync(at, 'utf8') !== text;
});
const stray = strayManPages(files);
if (process.argv.includes('--write')) {
  mkdirSync(path.join(root, 'man'), { recursive: true });
  for (const [file, text] of stale) writeFileSync(path.join(root, file), text);
  for (const file of stray) rmSync(path.join(root, file));
  console.log(`${stale.length} of ${files.size} files written, ${stray.length} removed`);
} else {
  for (const [file] of stale) console.error(`${file} is not what the definitions of the commands say`);
  for (const file of stray) console.error(`${file} is about no command`);
  if (stale.length + stray.length > 0) console.error('`npm run reference` writes them');
  process.exitCode = stale.length + stray.length === 0 ? 0 : 1;
}
