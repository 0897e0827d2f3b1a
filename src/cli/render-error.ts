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
  const bug = chain.find((cause) => !(cause instanceof TsregError) && describeFailure(cause) === null);
  if (bug !== undefined) return renderBug(bug, target);
  const { messages, snippet } = shownCauses(chain, target);
  const text = (snippet === null ? '' : renderSnippet(snippet, target)) + renderChain(messages);
  if (target.program === 'cargo' && chain.some((cause) => cause instanceof TsregError && cause.isInternal)) {
    return target.quiet ? text : text + CARGO_NOTES.map((note) => `${renderNote(note)}\n`).join('');
  }
  const remarks = isBug(chain.at(-1)) ? [renderNote(BUG_NOTE)] : [];
  if (target.program !== 'cargo') {
    const hints = hintsOf(chain, target);
    remarks.push(...hints.map((hint) => `${styled('help', 'help')}: ${sanitizeForTerminal(hint)}`));
  }
  return text + remarks.map((remark) => `\n${remark}\n`).join('');
}

/** Returns the messages to show, outermost first, up to a snippet. A snippet stands for its error and all causes. */
function shownCauses(
  chain: readonly unknown[],
  { program, verbose }: ErrorTarget,
): { readonly messages: readonly string[]; readonly snippet: Snippet | null } {
  const messages: string[] = [];
  for (const [depth, cause] of chain.entries()) {
    if (cause instanceof TsregError) {
      if (cause.isReported || (cause.verbose && !verbose && depth > 0)) break;
      if (cause.snippet !== null) return { messages, snippet: cause.snippet };
      const message = program === 'cargo' ? (cause.cargoMessage ?? cause.message) : cause.message;
      messages.push(sanitizeForTerminal(message));
    } else {
      messages.push(sanitizeForTerminal(describeFailure(cause) ?? String(cause)));
    }
  }
  return { messages, snippet: null };
}

/** Returns all hints, each once, those of inner causes first. */
function hintsOf(chain: readonly unknown[], { hint }: ErrorTarget): readonly string[] {
  const hints = chain.map((cause) => (cause instanceof TsregError ? cause.hint : null));
  return [...new Set([...hints.reverse(), hint])].filter((text) => text !== null);
}

/** cargo's notes after an internal error. */
const CARGO_NOTES = [
  'this is an unexpected cargo internal error',
  'we would appreciate a bug report: https://github.com/rust-lang/cargo/issues/',
  `cargo ${CARGO_RELEASE}`,
];

function renderNote(text: string): string {
  return `${styled('note', 'note')}: ${text}`;
}

const BUG_NOTE = 'this is a bug in tsreg, please report it';

/** Returns true if the root cause of an error is a bug of this program. */
function isBug(rootCause: unknown): boolean {
  return rootCause instanceof TsregError && rootCause.code === 'bug';
}

function renderChain(messages: readonly string[]): string {
  const [message, ...causeMessages] = messages;
  if (message === undefined) return '';
  return `${styled('error', 'error')}: ${message}\n${causeMessages.map(renderCause).join('')}`;
}

function renderCause(message: string): string {
  const lines = message.split('\n');
  // A line break at the end does not start another line.
  if (lines.at(-1) === '') lines.pop();
  const indented = lines.map((line) => (line === '' ? '\n' : `  ${line.replace(/\r$/, '')}\n`));
  return `\nCaused by:\n${indented.join('')}`;
}

/** Returns the error and its causes, outermost first. */
function causes(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  let cause = error;
  while (cause !== undefined && !chain.includes(cause)) {
    chain.push(cause);
    // The cause of an abort belongs to the caller, and is not shown.
    const isAborted = cause instanceof TsregError && cause.code === 'aborted';
    cause = cause instanceof Error && !isAborted ? cause.cause : undefined;
  }
  return chain;
}

/** The lines of a stack to show without `-v`: the message and three calls. */
const STACK_LINES = 4;

function renderBug(error: unknown, target: ErrorTarget): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const text = target.verbose ? stack : stack.split('\n').slice(0, STACK_LINES).join('\n');
  return `${styled('error', 'error')}: internal error: ${BUG_NOTE}\n\n${sanitizeForTerminal(text)}\n`;
}
