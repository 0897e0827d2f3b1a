/** The log of `tsreg serve`. */
import type { LineLog, LineLogOptions } from '../../server/http/line-log.ts';
import type { LogPart } from '../../server/http/text-log.ts';
import { OutputStream } from '../../io/terminal/output-stream.ts';
import { type StyleName, styled } from '../../io/terminal/style.ts';
import { type Invocation, valueOf } from '../shared/command.ts';

/** The styles of the parts of a line of text. */
const STYLES: Readonly<Record<LogPart, StyleName>> = {
  time: 'dimmed',
  info: 'note',
  warning: 'warning',
  error: 'error',
};

/** Opens the log: text for a person on a terminal, JSON for programs, unless `--log-format` decides. */
export async function openLog(
  { values, shell }: Pick<Invocation, 'values' | 'shell'>,
  options: Pick<LineLogOptions, 'clock' | 'write'>,
): Promise<LineLog> {
  const [{ LineLog: Log }, { jsonLine }, { textLines }] = await Promise.all([
    import('../../server/http/line-log.ts'),
    import('../../server/http/json-log.ts'),
    import('../../server/http/text-log.ts'),
  ]);
  const chosen = valueOf(values, 'log-format');
  const isText = chosen === null ? new OutputStream(2).isTerminal : chosen === 'text';
  const text = {
    isVerbose: shell.verbosity === 'verbose',
    paint: (part: LogPart, words: string) => styled(STYLES[part], words),
  };
  return new Log({
    ...options,
    format: isText ? (entry) => textLines(entry, text) : jsonLine,
    isQuiet: shell.verbosity === 'quiet',
  });
}
