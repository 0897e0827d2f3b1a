import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../src/cli/parse-arguments.ts';
import { findCommandLine } from '../../src/cli/program-grammar.ts';
import { wholeGrammar } from '../helpers/whole-grammar.ts';
import { projectRoot } from '../helpers/project-root.ts';
import { callsIn, type CodeBlock, type Page, readPages } from '../helpers/code-blocks.ts';

const pages = readPages();
const grammar = await wholeGrammar();

/** Returns the usage error of a call, or null. */
function refusalOf(args: readonly string[]): string | null {
  try {
    const parsed = parseArguments(args[0]?.startsWith('+') === true ? args.slice(1) : args, grammar);
    if (
      parsed.kind !== 'command' ||
      ['help', 'COMMAND'].includes(parsed.name) ||
      findCommandLine(grammar, parsed.name) !== null
    )
      return null;
    return `no such command: ${parsed.name}`;
  } catch (error) {
    return String(error);
  }
}

/** Returns the commands in code blocks, and code spans in prose that look like a command. */
function callsOn({ text, blocks }: Page): readonly string[] {
  const scripts = blocks.filter(({ language }) => ['sh', 'yaml', 'groovy'].includes(language));
  const consoles = blocks.filter(({ language }) => language === 'console');
  const lines = [...scripts, ...consoles.map(promptsOf)].flatMap(joinedLines);
  const spans = [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`(tsreg [^`]*)`/g)].map(
    ([, span]) => span ?? '',
  );
  return [...lines, ...spans.filter((span) => !/…|\.\.\./.test(span))];
}

function isOnlyShort(refusal: string): boolean {
  return refusal.includes('required arguments were not provided');
}

function promptsOf(block: CodeBlock): CodeBlock {
  return { ...block, lines: block.lines.filter((line) => line.startsWith('$ ')) };
}

/** Returns the lines of a block. Lines that end with a backslash are joined to the next. */
function joinedLines(block: CodeBlock): readonly string[] {
  return block.lines
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n');
}

interface Link {
  /** The target as written. */
  readonly target: string;
  /** Relative to the project. */
  readonly file: string;
  readonly anchor: string | undefined;
}

/** Returns the links of a page to files of the project, or nothing for a file that is not a page. */
function linksOn(name: string): readonly Link[] {
  const text = pages.find((page) => page.name === name)?.text ?? '';
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '');
  return [...prose.matchAll(/\]\((?!https?:)([^)\s]*)\)/g)].map(([, target = '']) => {
    const [file = '', anchor] = target.split('#');
    const isHere = file === '';
    return { target, anchor, file: isHere ? name : path.posix.join(path.posix.dirname(name), file) };
  });
}

/** Returns the anchor of a heading, as GitHub generates it. */
function anchorOf(heading: string): string {
  const words = heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '');
  return words.replaceAll(' ', '-');
}

function anchorsOf(page: Page): readonly string[] {
  const text = page.text.replaceAll(/^```[\s\S]*?^```/gm, '');
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading ?? ''));
}

describe('README and docs', () => {
  it('use only commands that the program accepts', () => {
    const wrong = pages.flatMap((page) =>
      callsOn(page).flatMap((line) =>
        callsIn(line).flatMap((args) => {
          const refusal = refusalOf(args);
          // Prose may omit required arguments.
          const isWrong = refusal !== null && (line !== `tsreg ${args.join(' ')}` || !isOnlyShort(refusal));
          return isWrong ? [`${page.name}: tsreg ${args.join(' ')}: ${refusal}`] : [];
        }),
      ),
    );
    expect(wrong).toEqual([]);
    expect(pages.flatMap(callsOn).length).toBeGreaterThan(200);
  });

  it('fail the check with a command that the program refuses', () => {
    expect(refusalOf(callsIn('- run: tsreg publish --now # x')[0] ?? [])).toContain('--now');
    expect(refusalOf(['publsh', '--plan'])).toBe('no such command: publsh');
    expect(callsIn(`sh 'npx --yes "$TSREG" yank "a@>=1, <2" --yes'`)).toEqual([
      ['yank', 'a@>=1, <2', '--yes'],
    ]);
  });

  it('keep the README within 150 lines', () => {
    const readme = pages.find(({ name }) => name === 'README.md')?.text ?? '';
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });

  it('lead from the README to every page', () => {
    const reached = new Set(['README.md']);
    for (const name of reached) for (const { file } of linksOn(name)) reached.add(file);
    expect(pages.map(({ name }) => name).filter((name) => !reached.has(name))).toEqual([]);
  });

  it('have no dead links within the project', () => {
    const broken = pages.flatMap((page) =>
      linksOn(page.name).flatMap(({ file, anchor, target }) => {
        const other = pages.find((each) => each.name === file);
        const isThere = existsSync(path.join(projectRoot, file));
        const isAnchored = anchor === undefined || (other !== undefined && anchorsOf(other).includes(anchor));
        return isThere && isAnchored ? [] : [`${page.name}: ${target}`];
      }),
    );
    expect(broken).toEqual([]);
  });
});
