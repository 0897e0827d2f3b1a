/** Output to the user: messages and progress on stderr, results on stdout. */
import { type Environment, programName } from '../config/environment.ts';
import type { ProgressSettings } from '../config/term-settings.ts';
import type { Progress, Report, StatusOptions, StatusStyle } from '../../core/report/report.ts';
import type { Snippet } from '../../core/errors/error.ts';
import { sanitizeForTerminal } from '../../core/errors/sanitize-for-terminal.ts';
import { formatWarning, type Warning } from '../../core/errors/warning.ts';
import { type Message, type Wording, wordsOf } from '../../core/errors/wording.ts';
import { type ColorChoice, usesColor } from './color-choice.ts';
import { knowsHyperlinks } from './hyperlinks.ts';
import { NOTHING_WRITTEN, OutputStream } from './output-stream.ts';
import { progressLine, ProgressThrottle } from './progress-bar.ts';
import { renderSnippet } from './render-snippet.ts';
import { withSystemContext } from './system-error.ts';
import { sanitizeStyled, type StyleName, stripDelete, stripStyles, styled } from './style.ts';
import { NO_REPORT, progressReport, takesProgressReports } from './term-integration.ts';

/** How much to print. */
export type Verbosity = 'quiet' | 'normal' | 'verbose';

const STATUS_STYLES: Readonly<Record<StatusStyle, StyleName>> = {
  header: 'header',
  good: 'header',
  note: 'note',
  warn: 'warning',
  error: 'error',
  emphasis: 'emphasis',
};

/**
 * Writes to stdout and stderr. Until it is configured, it prints everything, in color on a terminal. `Report` documents
 * its methods for messages and progress.
 */
export class Shell implements Report {
  readonly #out: OutputStream;
  readonly #err: OutputStream;
  readonly #env: Environment;
  #verbosity: Verbosity = 'verbose';
  #color: ColorChoice = 'auto';
  #hyperlinks: boolean | null = null;
  #unicode: boolean | null = null;
  #progress: ProgressSettings = { when: 'auto', width: null, termIntegration: null };
  /** Exists while an operation shows its progress. */
  #throttle: ProgressThrottle | null = null;
  /** The bar on the terminal, without its status word; null if there is none. */
  #lastBar: string | null = null;
  /** True if the terminal shows progress outside its text. */
  #isReported = false;

  /** `written` counts the bytes of the same output that were already written. The shell skips them. */
  constructor(env: Environment, written = NOTHING_WRITTEN) {
    this.#env = env;
    this.#out = new OutputStream(1, written[1]);
    this.#err = new OutputStream(2, written[2]);
  }

  /** Gives `receive` a copy of all further output; null to stop. */
  copyOutput(receive: ((fd: 1 | 2, bytes: Uint8Array) => void) | null): void {
    for (const stream of [this.#out, this.#err])
      stream.copyTo = receive === null ? null : (bytes) => receive(stream.fd, bytes);
  }

  get verbosity(): Verbosity {
    return this.#verbosity;
  }

  setVerbosity(verbosity: Verbosity): void {
    this.#verbosity = verbosity;
  }

  setColor(choice: ColorChoice): void {
    this.#color = choice;
  }

  /** Sets whether colored output may contain links; null to decide by the environment. */
  setHyperlinks(choice: boolean | null): void {
    this.#hyperlinks = choice;
  }

  /** Sets whether results may contain non-ASCII characters; null to decide by stdout and the environment. */
  setUnicode(choice: boolean | null): void {
    this.#unicode = choice;
  }

  setProgress(progress: ProgressSettings): void {
    this.#progress = progress;
  }

  /** Columns of the terminal of stderr; null if there is none. */
  get errorWidth(): number | null {
    return this.#err.width;
  }

  /** Columns of the terminal of stdout; null if there is none. */
  get outputWidth(): number | null {
    return this.#out.width;
  }

  /** True if results are colored. */
  get colorsOutput(): boolean {
    return usesColor(this.#color, this.#out, this.#env);
  }

  /** True if results may contain links. */
  get linksOutput(): boolean {
    return this.colorsOutput && (this.#hyperlinks ?? knowsHyperlinks(this.#env));
  }

  /** True if results may contain non-ASCII characters. By default, they may if stdout is not a terminal. */
  get usesUnicode(): boolean {
    return this.#unicode ?? (!this.#out.isTerminal || localeHasUnicode(this.#env));
  }

  /** True if progress bars are shown. */
  get showsProgress(): boolean {
    return this.#progressWidth() !== null;
  }

  /** Writes a result to stdout. Without colors, removes styles from a string, and U+007F from bytes. */
  writeOut(data: string | Uint8Array): void {
    this.#clearBar();
    const withoutStyles = (): string | Uint8Array =>
      typeof data === 'string' ? stripStyles(data) : stripDelete(data);
    const output = this.colorsOutput ? data : withoutStyles();
    withSystemContext('failed to write to stdout', () => this.#out.write(output));
  }

  /** Writes a result for a person. Keeps our styles, but nothing else that controls a terminal or a CI system. */
  writeText(text: string): void {
    this.writeOut(sanitizeStyled(this.colorsOutput ? text : stripStyles(text)));
  }

  /**
   * Writes text to stderr. Keeps our styles, but nothing else that controls a terminal or a CI system. `color`
   * overrides the choice of the shell.
   */
  writeError(text: string, color: ColorChoice = this.#color): void {
    this.#clearBar();
    this.#err.write(sanitizeStyled(usesColor(color, this.#err, this.#env) ? text : stripStyles(text)));
  }

  /** Writes a command to a CI system to stderr. */
  writeCiCommand(line: string): void {
    this.#clearBar();
    this.#err.write(stripStyles(line));
  }

  /** Prints `error: …`, even with `-q`. */
  error(text: Message): void {
    const words = wordsOf(text, programName(this.#env));
    this.writeError(`${styled('error', 'error')}: ${sanitizeForTerminal(words)}\n`);
  }

  status(verb: string, text: string, { style = 'header', remark }: StatusOptions = {}): void {
    if (this.#verbosity === 'quiet') return;
    const word = styled(STATUS_STYLES[style], verb.padStart(12));
    this.writeError(
      `${word} ${sanitizeForTerminal(text, 'indent')}${remark === undefined ? '' : ` ${styleRemark(remark)}`}\n`,
    );
  }

  verbose(verb: string, text: string): void {
    if (this.#verbosity === 'verbose') this.status(verb, text);
  }

  warning(message: Warning | Wording<Warning>): void {
    if (this.#verbosity === 'quiet') return;
    const warning = wordsOf(message, programName(this.#env));
    this.writeError(`${formatWarning(sanitizeWarning(warning), styled)}\n`);
  }

  note(message: Message, help?: string): void {
    if (this.#verbosity === 'quiet') return;
    const indented = (lines: string): string => sanitizeForTerminal(lines).replaceAll('\n', '\n      ');
    const text = wordsOf(message, programName(this.#env));
    const lines = [`${styled('note', 'note')}: ${indented(text)}`];
    if (help !== undefined) lines.push(`${styled('help', 'help')}: ${indented(help)}`);
    this.writeError(`${lines.join('\n')}\n`);
  }

  /** Prints a note: `text`, and the command to run for it. */
  noteCommand(text: string, command: string): void {
    if (this.#verbosity === 'quiet') return;
    const words = sanitizeForTerminal(text, 'join');
    const styledCommand = styled('literal', sanitizeForTerminal(command, 'join'));
    this.writeError(`${styled('note', 'note')}: ${words}, run \`${styledCommand}\`\n`);
  }

  snippet(snippet: Snippet): void {
    this.writeError(renderSnippet(snippet, { cwd: process.cwd(), width: this.errorWidth }));
  }

  progress(state: Progress | null): void {
    if (state === null) {
      this.#clearBar();
      if (this.#isReported) this.#writeBar(NO_REPORT);
      this.#isReported = false;
      this.#throttle = null;
      return;
    }
    const width = this.#progressWidth();
    if (width === null) return;
    const now = performance.now();
    this.#throttle ??= new ProgressThrottle(now);
    if (!this.#throttle.allows(now)) return;
    const line = progressLine({ ...state, message: sanitizeForTerminal(state.message, 'join') }, width);
    const report = this.#takesReports() ? progressReport(state) : '';
    this.#isReported ||= report !== '';
    if (line === null) {
      if (report !== '') this.#writeBar(`${report}\r`);
      return;
    }
    if (line === this.#lastBar) return;
    this.#lastBar = null;
    this.#writeBar(`${styled('help', state.verb.padStart(12))} ${line}${report}\r`);
    this.#lastBar = line;
  }

  /** Returns the width of progress bars; null if none are shown. */
  #progressWidth(): number | null {
    const { when, width } = this.#progress;
    if (when === 'never') return null;
    if (when === 'auto') {
      const env = this.#env;
      const isCi = env.CI !== undefined || env.TF_BUILD !== undefined;
      if (this.#verbosity === 'quiet' || env.TERM === 'dumb' || isCi) return null;
    }
    return width ?? this.#err.width;
  }

  /** Writes a bar, or a report to the terminal, in place of the last bar. */
  #writeBar(text: string): void {
    this.#clearBar();
    this.#err.write(usesColor(this.#color, this.#err, this.#env) ? text : stripStyles(text));
  }

  /** Erases the bar before other output. */
  #clearBar(): void {
    if (this.#lastBar === null) return;
    this.#lastBar = null;
    // Without colors, cargo does not erase the bar, so the next output overwrites only the start of it.
    const clearsAnyTerminal = programName(this.#env) !== 'cargo' && this.#err.isTerminal;
    if (clearsAnyTerminal || usesColor(this.#color, this.#err, this.#env)) this.#err.write('\x1b[K');
  }

  /** Returns true if progress is also reported to the terminal itself. */
  #takesReports(): boolean {
    return this.#progress.termIntegration ?? (takesProgressReports(this.#env) && this.#err.isTerminal);
  }
}

/** Returns true if the environment indicates a terminal that shows all characters. */
function localeHasUnicode(env: Environment): boolean {
  const { TERM } = env;
  if (process.platform === 'win32') {
    const isModern = env.CI !== undefined || env.WT_SESSION !== undefined;
    const isKnown = env.ConEmuTask === '{cmd:Cmder}' || env.TERM_PROGRAM === 'vscode';
    return isModern || isKnown || TERM === 'xterm-256color' || TERM === 'alacritty';
  }
  // The console of the Linux kernel has few characters, even with a UTF-8 locale.
  return TERM !== 'linux' && /UTF-?8$/i.test(env.LC_ALL ?? env.LC_CTYPE ?? env.LANG ?? '');
}

/** Returns a warning whose texts are safe to print. */
function sanitizeWarning(warning: Warning): Warning {
  if (typeof warning === 'string') return sanitizeForTerminal(warning);
  const { title, remarks = [], help } = warning;
  return {
    ...warning,
    title: sanitizeForTerminal(title),
    remarks: remarks.map(({ label, text }) => ({ label, text: sanitizeForTerminal(text) })),
    ...(help === undefined ? {} : { help: sanitizeForTerminal(help) }),
  };
}

function styleRemark({ text: words, style }: NonNullable<StatusOptions['remark']>): string {
  const text = sanitizeForTerminal(words, 'join');
  return style === null ? text : styled(STATUS_STYLES[style], text);
}
