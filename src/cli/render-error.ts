/** Renders an error and its causes as text. */
import { type Snippet, TsregError } from '../core/errors/error.ts';
import { sanitizeForTerminal } from '../core/errors/sanitize-for-terminal.ts';
import type { ProgramName } from '../core/errors/wording.ts';
import { CARGO_RELEASE } from '../core/version/cargo-release.ts';
import { renderSnippet, type SnippetTarget } from '../io/terminal/render-snippet.ts';
import { describeFailure } from '../io/terminal/system-error.ts';
import { styled } from '../io/terminal/style.ts';

/** Options of the text. */
export interface ErrorTarget extends SnippetTarget {
  /** True to show causes that are hidden otherwise, and the whole stack of a bug. */
  readonly verbose: boolean;
  /** True to omit cargo's notes about internal errors. */
  readonly quiet: boolean;
  /** `tsreg` adds hints on what to do next; `cargo` shows cargo's messages and no hints. */
  readonly program: ProgramName;
  /** An additional hint from the command line; null if there is none. */
  readonly hint: string | null;
}

/** Returns the text of an error with styles and a line break at the end. */
export function renderError(error: unknown, target: ErrorTarget): string {
  const chain = causes(error);
  const bug = chain.find((each) => !(each instanceof TsregError) && describeFailure(each) === null);
  if (bug !== undefined) return renderBug(bug, target);
  const messages: string[] = [];
  let snippet: Snippet | null = null;
  for (const [depth, each] of chain.entries()) {
    if (each instanceof TsregError) {
      if (each.isReported || (each.verbose && !target.verbose && depth > 0)) break;
      if (each.snippet !== null) {
        snippet = each.snippet;
        break;
      }
      messages.push(
        sanitizeForTerminal(target.program === 'cargo' ? (each.cargoMessage ?? each.message) : each.message),
      );
    } else {
      messages.push(sanitizeForTerminal(describeFailure(each) ?? String(each)));
    }
  }
  const text = (snippet === null ? '' : renderSnippet(snippet, target)) + renderChain(messages);
  if (target.program === 'cargo' && chain.some((each) => each instanceof TsregError && each.isInternal))
    return target.quiet ? text : text + CARGO_NOTES.map((note) => `${renderNote(note)}\n`).join('');
  const remarks = isOurs(chain.at(-1)) ? [renderNote(OURS)] : [];
  if (target.program !== 'cargo')
    remarks.push(
      ...hintsOf(chain, target).map((hint) => `${styled('help', 'help')}: ${sanitizeForTerminal(hint)}`),
    );
  return text + remarks.map((remark) => `\n${remark}\n`).join('');
}

function hintsOf(chain: readonly unknown[], { hint }: ErrorTarget): readonly string[] {
  const hints = chain.map((each) => (each instanceof TsregError ? each.hint : null));
  return [...new Set([...hints, hint])].filter((each) => each !== null);
}

const CARGO_NOTES = [
  'this is an unexpected cargo internal error',
  'we would appreciate a bug report: https://github.com/rust-lang/cargo/issues/',
  `cargo ${CARGO_RELEASE}`,
];

function renderNote(text: string): string {
  return `${styled('note', 'note')}: ${text}`;
}

const OURS = 'this is a bug in tsreg, please report it';

/** Returns true if the root cause is a bug of this program. */
function isOurs(root: unknown): boolean {
  return root instanceof TsregError && root.code === 'bug';
}

function renderChain(messages: readonly string[]): string {
  const [top, ...led] = messages;
  if (top === undefined) return '';
  return `${styled('error', 'error')}: ${top}\n${led.map(renderCause).join('')}`;
}

function renderCause(message: string): string {
  const lines = message.split('\n');
  // A line break at the end does not start another line.
  if (lines.at(-1) === '') lines.pop();
  const indented = lines.map((line) => (line === '' ? '\n' : `  ${line.replace(/\r$/, '')}\n`));
  return `\nCaused by:\n${indented.join('')}`;
}

function causes(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  for (let each: unknown = error; each !== undefined && !chain.includes(each); ) {
    chain.push(each);
    // The cause of an abort belongs to the caller, and is not shown.
    const isAborted = each instanceof TsregError && each.code === 'aborted';
    each = each instanceof Error && !isAborted ? each.cause : undefined;
  }
  return chain;
}

function renderBug(error: unknown, target: ErrorTarget): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const shown = target.verbose ? stack : stack.split('\n').slice(0, 4).join('\n');
  return `${styled('error', 'error')}: internal error: ${OURS}\n\n${sanitizeForTerminal(shown)}\n`;
}
