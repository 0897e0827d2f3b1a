import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from './project-root.ts';

/** A fenced block of a page. */
export interface CodeBlock {
  /** The language after the fence: `sh`, `console`, …; empty without one. */
  readonly language: string;
  readonly lines: readonly string[];
  /** The number of its first line, from 1. */
  readonly line: number;
}

/** A page of the documentation. */
export interface Page {
  /** Path relative to the project, with `/`. */
  readonly name: string;
  readonly text: string;
  readonly blocks: readonly CodeBlock[];
}

/** Reads README.md, CONTRIBUTING.md, CHANGELOG.md and every page below docs/. */
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

/** Returns the commands of a `console` block, each with the output that the block shows. */
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

/** Returns the arguments of each call of tsreg in a line of a script, a CI configuration or prose. */
export function callsIn(text: string): readonly (readonly string[])[] {
  const calls = text.matchAll(/(?<=^|[\s'"($])(?:npx --yes "\$TSREG"|tsreg)(?= |$)([^\n]*)/g);
  return [...calls].map(([, rest = '']) => splitWords(rest));
}

/**
 * Splits a command into words as a shell does, up to the end of the command. An unmatched quote belongs to the text
 * around the command and ends it.
 */
function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  for (const [word] of text.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"|<>&;#)]|(?<=\S)#)+|[|<>&;#)'"]/g)) {
    if (/^[|<>&;#)'"]$/.test(word)) break;
    words.push(word.replace(/(['"])(.*?)\1/g, '$2'));
  }
  return words;
}
