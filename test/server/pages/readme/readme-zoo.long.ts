import { existsSync, readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import { loadReadmeRenderer } from '../../../../src/server/pages/readme/readme.ts';
import { structureOf, type ReadmeStructure } from '../../../helpers/readme-structure.ts';

const MIN_READMES = 300;
const SOURCES = path.join(process.env['CARGO_HOME'] ?? path.join(os.homedir(), '.cargo'), 'registry/src');
const READMES = readmesIn(SOURCES);
const KINDS = ['headings', 'links', 'images', 'lists', 'tables', 'codeBlocks', 'tasks'] as const;

/** A part of a readme that only one of the renderers has. */
interface Difference {
  readonly kind: keyof ReadmeStructure;
  readonly ours: string;
  readonly theirs: string;
}

/** Differences that are intended, or faults of marked. */
const EXPLAINED: Readonly<Record<string, (difference: Difference, markdown: string) => boolean>> = {
  'this project has footnotes, marked has none': (_, markdown) => /^ {0,3}\[\^[^\]]+\]:/m.test(markdown),
  'this project has alerts with a title, marked shows `[!NOTE]`': ({ kind, ours, theirs }) =>
    kind === 'text' &&
    ours ===
      theirs.replace(
        /\[!(\w)(\w+)\]/g,
        (_, first: string, rest: string) => first.toUpperCase() + rest.toLowerCase(),
      ),
  'marked expands tabs in code': ({ kind, ours, theirs }) =>
    kind === 'codeBlocks' && ours.replaceAll('\t', '    ') === theirs.replaceAll('\t', '    '),
  'marked does not find emphasis in emphasis': ({ kind, ours, theirs }) =>
    kind === 'text' && ours === theirs.replaceAll('*', ''),
  'marked misses a definition with a blank after the label': ({ kind, ours, theirs }, markdown) =>
    kind === 'links'
      ? theirs === '' && markdown.replaceAll('`', '').includes(`[${ours}]`)
      : withoutBrackets(ours) === withoutBrackets(theirs),
  'marked shows the backslashes of alternative texts': ({ kind, ours, theirs }) =>
    kind === 'images' && ours === theirs.replace(/\\(?=[!-/:-@[-`{-~])/g, ''),
  'markdown-it decodes the text of bare addresses': ({ kind, ours, theirs }) =>
    (kind === 'links' || kind === 'text') &&
    ours.replaceAll(' ', '') === theirs.replaceAll('%20', '').replaceAll(' ', ''),
  'marked finds no task whose text begins in the next line': ({ kind, ours, theirs }, markdown) =>
    /^\s*- \[[ x]\]$/m.test(markdown) &&
    (kind === 'tasks' ? theirs === '' : kind === 'text' && ours === theirs.replace(/\[x?\]/g, '')),
  'markdown-it makes no link of an address after an escaped character': ({ kind, ours, theirs }) =>
    kind === 'links' && ours === '' && /^\S+@\S+$/.test(theirs),
};

describe.skipIf(READMES.length < MIN_READMES)(
  `readmes of published crates (skipped with fewer than ${MIN_READMES} of them in CARGO_HOME)`,
  () => {
    it('have the structure that marked gives them, but for differences that are explained', async () => {
      const renderer = await loadReadmeRenderer();
      const counts = new Map<string, number>();
      const unexplained: string[] = [];
      for (const file of READMES) {
        const markdown = readFileSync(file, 'utf8');
        const ours = structureOf(renderer.render(markdown, { repository: null, readmePath: null }).text);
        const theirs = structureOf(marked.parse(markdown));
        for (const difference of differencesOf(ours, theirs)) {
          const [reason] =
            Object.entries(EXPLAINED).find(([, applies]) => applies(difference, markdown)) ?? [];
          if (reason === undefined) unexplained.push(`${file} ${JSON.stringify(difference)}`);
          else counts.set(reason, (counts.get(reason) ?? 0) + 1);
        }
      }
      console.log(`${READMES.length} readmes`, Object.fromEntries(counts));
      expect(unexplained).toEqual([]);
    });
  },
);

function withoutBrackets(text: string): string {
  return text.replaceAll(/[[\]]/g, '');
}

/** Returns the readmes of all unpacked packages. */
function readmesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((registry) =>
      readdirSync(path.join(folder, registry)).map((name) => path.join(folder, registry, name)),
    )
    .map((crate) => path.join(crate, 'README.md'))
    .filter((file) => existsSync(file));
}

/** Returns what is in one structure only. Parts of one kind at the same place become one difference. */
function differencesOf(ours: ReadmeStructure, theirs: ReadmeStructure): readonly Difference[] {
  const found: Difference[] =
    ours.text === theirs.text ? [] : [{ kind: 'text', ours: ours.text, theirs: theirs.text }];
  for (const kind of KINDS) {
    const [onlyOurs, onlyTheirs] = [without(ours[kind], theirs[kind]), without(theirs[kind], ours[kind])];
    for (let i = 0; i < Math.max(onlyOurs.length, onlyTheirs.length); i += 1)
      found.push({ kind, ours: onlyOurs[i] ?? '', theirs: onlyTheirs[i] ?? '' });
  }
  return found;
}

/** Returns `parts` without as many of each as `others` has. */
function without(parts: readonly string[], others: readonly string[]): readonly string[] {
  const rest = [...others];
  return parts.filter((part) => {
    const at = rest.indexOf(part);
    if (at !== -1) rest.splice(at, 1);
    return at === -1;
  });
}
