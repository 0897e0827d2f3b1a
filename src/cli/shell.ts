/** What the user sees on stderr while an operation runs. stdout is for results only. */
import { type Environment, programName } from '../config/environment.ts';
import type { ProgressSettings } from '../config/term-settings.ts';
import type { Progress, Report, StatusOptions, StatusStyle } from '../report/report.ts';
import type { Snippet } from '../errors/error.ts';
import { sanitizeForTerminal } from '../errors/sanitize-for-terminal.ts';
import { formatWarning, type Warning } from '../errors/warning.ts';
import { type Message, type Wording, wordsOf } from '../errors/wording.ts';
import { type ColorChoice, usesColor } from './color-choice.ts';
import { knowsHyperlinks } from './hyperlinks.ts';
import { NOTHING_WRITTEN, OutputStream } from './output-stream.ts';
import { progressLine, ProgressThrottle } from './progress-bar.ts';
import { renderSnippet } from './render-snippet.ts';
import { withSystemContext } from './system-error.ts';
import { sanitizeStyled, type StyleName, stripDelete, stripStyles, styled } from './style.ts';
import { NO_REPORT, progressReport, takesProgressReports } from './term-integration.ts';

/** How much is said. */
export type Verbosity = 'quiet' | 'normal' | 'verbose';

const STATUS_STYLES: Readonly<Record<StatusStyle, StyleName>> = {
  header: 'header',
  good: 'header',
  note: 'note',
  warn: 'warning',
  error: 'error',
  emphasis: 'emphasis',
};

/** Both streams, and how to write to them. Until it is told otherwise it says everything, in colour on a terminal. */
export class Shell implements Report {
  readonly #out: OutputStream;
  readonly #err: OutputStream;
  readonly #env: Environment;
  #verbosity: Verbosity = 'verbose';
  #color: ColorChoice = 'auto';
  #hyperlinks: boolean | null = null;
  #unicode: boolean | null = null;
  #progress: ProgressSettings = { when: 'auto', width: null, termIntegration: null };
  #throttle: ProgressThrottle | null = null;
  #lastBar: string | null = null;
  #isReported = false;

  /** `written` is what was written of the same output before. */
  constructor(env: Environment, written = NOTHING_WRITTEN) {
    this.#env = env;
    this.#out = new OutputStream(1, written[1]);
    this.#err = new OutputStream(2, written[2]);
  }

  /** Gives `receive` a copy of everything that is written from now on; null to stop. */
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

  /** Whether links may be written wherever there are colours; null to find out from the environment. */
  setHyperlinks(choice: boolean | null): void {
    this.#hyperlinks = choice;
  }

  /** Whether results may have characters beyond ASCII; null to find out from where they go and the environment. */
  setUnicode(choice: boolean | null): void {
    this.#unicode = choice;
  }

  setProgress(progress: ProgressSettings): void {
    this.#progress = progress;
  }

  /** Columns of the terminal behind stderr, null if there is none. */
  get errorWidth(): number | null {
    return this.#err.width;
  }

  /** Columns of the terminal behind stdout, null if there is none. */
  get outputWidth(): number | null {
    return this.#out.width;
  }

  /** True if results are coloured. */
  get colorsOutput(): boolean {
    return usesColor(this.#color, this.#out, this.#env);
  }

  /** True if results may have links. */
  get linksOutput(): boolean {
    return this.colorsOutput && (this.#hyperlinks ?? knowsHyperlinks(this.#env));
  }

  /** True if results may have characters beyond ASCII: also wherever no person reads along. */
  get usesUnicode(): boolean {
    return this.#unicode ?? (!this.#out.isTerminal || localeHasUnicode(this.#env));
  }

  get showsProgress(): boolean {
    return this.#progressWidth() !== null;
  }

  /** Writes a result. */
  writeOut(data: string | Uint8Array): void {
    this.#clearBar();
    const plain = (): string | Uint8Array =>
      typeof data === 'string' ? stripStyles(data) : stripDelete(data);
    const written = this.colorsOutput ? data : plain();
    withSystemContext('failed to write to stdout', () => this.#out.write(written));
  }

  /** Writes a result for a person to read, with styles of ours and nothing else that steers a terminal or a CI system. */
  writeText(text: string): void {
    this.writeOut(sanitizeStyled(this.colorsOutput ? text : stripStyles(text)));
  }

  /**
   * Writes text with styles of ours to stderr, and nothing else that steers a terminal or a CI system; `color` stands in for
   * the choice of the shell.
   */
  writeError(text: string, color: ColorChoice = this.#color): void {
    this.#clearBar();
    this.#err.write(sanitizeStyled(usesColor(color, this.#err, this.#env) ? text : stripStyles(text)));
  }

  /** Writes a line to stderr that is a command to a CI system. */
  writeCiCommand(line: string): void {
    this.#clearBar();
    this.#err.write(stripStyles(line));
  }

  /** `error: …`, said even with `-q`. */
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
    const below = (lines: string): string => sanitizeForTerminal(lines).replaceAll('\n', '\n      ');
    const text = wordsOf(message, programName(this.#env));
    const lines = [`${styled('note', 'note')}: ${below(text)}`];
    if (help !== undefined) lines.push(`${styled('help', 'help')}: ${below(help)}`);
    this.writeError(`${lines.join('\n')}\n`);
  }

  /** A note with the command that does what `text` is about. */
  noteCommand(text: string, command: string): void {
    if (this.#verbosity === 'quiet') return;
    const [words, shown] = [text, command].map((each) => sanitizeForTerminal(each, 'join'));
    this.writeError(`${styled('note', 'note')}: ${words}, run \`${styled('literal', shown ?? '')}\`\n`);
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

  /** The width of progress bars, null if none are to be shown. */
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

  #writeBar(text: string): void {
    this.#clearBar();
    this.#err.write(usesColor(this.#color, this.#err, this.#env) ? text : stripStyles(text));
  }

  #clearBar(): void {
    if (this.#lastBar === null) return;
    this.#lastBar = null;
    // cargo leaves the bar where it does not colour, and what comes next stands in the middle of it.
    const clearsAnyTerminal = programName(this.#env) !== 'cargo' && this.#err.isTerminal;
    if (clearsAnyTerminal || usesColor(this.#color, this.#err, this.#env)) this.#err.write('\x1b[K');
  }

  #takesReports(): boolean {
    return this.#progress.termIntegration ?? (takesProgressReports(this.#env) && this.#err.isTerminal);
  }
}

function localeHasUnicode(env: Environment): boolean {
  const { TERM } = env;
  if (process.platform === 'win32') {
    const isModern = env.CI !== undefined || env.WT_SESSION !== undefined;
    const isKnown = env.ConEmuTask === '{cmd:Cmder}' || env.TERM_PROGRAM === 'vscode';
    return isModern || isKnown || TERM === 'xterm-256color' || TERM === 'alacritty';
  }
  // The console of the kernel has few characters, whatever the locale.
  return TERM !== 'linux' && /UTF-?8$/i.test(env.LC_ALL ?? env.LC_CTYPE ?? env.LANG ?? '');
}

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
