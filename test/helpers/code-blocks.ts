import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from './project-root.ts';

/** A fenced block of a page. */
export interface CodeBlock {
  /** What stands behind the fence: `sh`, `console`, …; empty if nothing does. */
  readonly language: string;
  readonly lines: readonly string[];
  /** Of its first line, from 1. */
  readonly line: number;
}

/** A page of the documentation. */
export interface Page {
  /** Relative to the project, with `/`. */
  readonly name: string;
  readonly text: string;
  readonly blocks: readonly CodeBlock[];
}

/** README.md and every page below docs/. */
export function readPages(): readonly Page[] {
  const docs = readdirSync(path.join(projectRoot, 'docs'), { recursive: true, encoding: 'utf8' });
  const names = docs.map((name) => `docs/${name.replaceAll(path.sep, '/')}`);
  const top = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
  const isPage = (name: string): boolean => name.endsWith('.md') && !name.startsWith('docs/node_modules/');
  return [...top, ...names.filter(isPage)].map((name) => {
    const text = readFileSync(path.join(projectRoot, name), 'utf8');
    return { name, text, blocks: findBlocks(text) };
  });
}

function findBlocks(text: string): readonly CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { readonly language: string; readonly lines: string[]; readonly line: number } | null = null;
  for (const [at, line] of text.split('\n').entries()) {
    const fence = /^```(\w*)$/.exec(line.trim());
    if (fence === null) open?.lines.push(line);
    else if (open === null) open = { language: fence[1] ?? '', lines: [], line: at + 2 };
    else {
      blocks.push(open);
      open = null;
    }
  }
  return blocks;
}

/** What stands behind the prompts of a block marked `console`, each with the lines that it is said to print. */
export function commandsOf(
  block: CodeBlock,
): readonly { readonly command: string; readonly shown: string[] }[] {
  const commands: { readonly command: string; readonly shown: string[] }[] = [];
  for (const line of block.lines) {
    const prompt = /^\$ (.*)$/.exec(line);
    if (prompt === null) commands.at(-1)?.shown.push(line);
    else commands.push({ command: prompt[1] ?? '', shown: [] });
  }
  return commands;
}

/** The calls of tsreg in a line of a script, of a configuration of a CI system or of prose, as arguments. */
export function callsIn(text: string): readonly (readonly string[])[] {
  const calls = text.matchAll(/(?<=^|[\s'"($])(?:npx --yes "\$TSREG"|tsreg)(?= |$)([^\n]*)/g);
  return [...calls].map(([, rest = '']) => splitWords(rest));
}

/** Words up to the end of the command, as a shell has them; quotes that do not end are those around the command. */
function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  for (const [word] of text.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"|<>&;#)]|(?<=\S)#)+|[|<>&;#)'"]/g)) {
    if (/^[|<>&;#)'"]$/.test(word)) break;
    words.push(word.replace(/(['"])(.*?)\1/g, '$2'));
  }
  return words;
}
