/** The log for people at a terminal: short lines with the local time. */
import { present } from '../../core/errors/assert.ts';
import { escapeForTerminal } from '../../core/errors/sanitize-for-terminal.ts';
import { withoutTokens } from '../auth/tokens.ts';
import type { LogValues } from '../shared/log.ts';
import type { LogEntry, LogLevel } from './line-log.ts';

/** A part of a line that may have a color. */
export type LogPart = LogLevel | 'time';

/** Options of the text. */
export interface TextLogOptions {
  /** Whether to write requests, ids, checksums and stack traces too. */
  readonly isVerbose: boolean;
  /** Returns `text` in the color of a part. */
  readonly paint: (part: LogPart, text: string) => string;
}

type LogValue = LogValues[string];

const LEVEL_COLUMNS = 'warning'.length;
/** Further lines of an entry are below its text, so that they cannot imitate an entry. */
const INDENT = ' '.repeat('00:00:00 '.length + LEVEL_COLUMNS + 1);
/** Clients choose some values, such as a path of 16 KB. */
const MAX_VALUE_CHARS = 300;
/** Values that help only while one searches for a fault. */
const MINOR_VALUES: ReadonlySet<string> = new Set(['id', 'checksum', 'key']);

/** Returns an entry as one line, and further ones for help and a stack trace; empty for an entry that is not shown. */
export function textLines(entry: LogEntry, options: TextLogOptions): string {
  const { atMs, level, event, values } = entry;
  const { isVerbose, paint } = options;
  const isRequest = event === 'request';
  if (isRequest && !isVerbose) return '';
  const head = `${paint('time', localTime(atMs))} ${paint(level, level)}${' '.repeat(LEVEL_COLUMNS - level.length)}`;
  const lines = [`${head} ${isRequest ? requestText(values, options) : eventText(entry, options)}`];
  const { help, stack } = values;
  if (typeof help === 'string') lines.push(`${INDENT}help: ${printable(help)}`);
  if (isVerbose && typeof stack === 'string') {
    lines.push(...stack.split('\n').map((line) => `${INDENT}${printable(line)}`));
  }
  return `${lines.join('\n')}\n`;
}

/** Returns `published: crate mug, version 1.0.0`. */
function eventText({ event, values }: LogEntry, { isVerbose }: TextLogOptions): string {
  const words = event.replaceAll('-', ' ');
  const { reason = null, help: _help, stack: _stack, ...others } = values;
  const details = Object.entries(others)
    .filter(([name, value]) => value !== null && (isVerbose || !MINOR_VALUES.has(name)))
    .map(([name, value]) => `${name} ${printable(value)}`)
    .join(', ');
  if (reason === null) return details === '' ? words : `${words}: ${details}`;
  return `${words}: ${printable(reason)}${details === '' ? '' : ` (${details})`}`;
}

/** Returns `GET /crates/mug 200 6 ms alice`. */
function requestText(values: LogValues, { paint }: TextLogOptions): string {
  const text = (name: string): string => printable(present(values[name], `the ${name} of a request`));
  const status = Number(values['status']);
  const result = status < 400 ? text('status') : paint(status < 500 ? 'warning' : 'error', text('status'));
  const client = values['user'] === null ? text('address') : text('user');
  return `${text('method')} ${text('path')} ${result} ${Math.round(Number(values['ms']))} ms ${client}`;
}

/** Returns a value that is safe to print, without secrets, and shortened. */
function printable(value: LogValue): string {
  // Before the text is cut: half a token would not be recognized.
  const text = withoutTokens(String(value));
  const isLong = text.length > MAX_VALUE_CHARS;
  return escapeForTerminal(isLong ? `${text.slice(0, MAX_VALUE_CHARS)}…` : text);
}

/** Returns `14:03:22` in the time zone of the process. */
function localTime(atMs: number): string {
  const time = new Date(atMs);
  return [time.getHours(), time.getMinutes(), time.getSeconds()]
    .map((number) => String(number).padStart(2, '0'))
    .join(':');
}
