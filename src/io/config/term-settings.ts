/** Settings of the terminal. Cargo Book: Configuration, `[term]`. */
import { TsregError } from '../../core/errors/error.ts';
import type { Config } from './config.ts';
import { boolean, type Decoder, integer, string, struct, word } from './decoder.ts';

/** When and how to show progress. */
export interface ProgressSettings {
  readonly when: 'auto' | 'never' | 'always';
  /** Columns of the bar; null for the width of the terminal. */
  readonly width: number | null;
  /** Whether to report progress to the terminal itself; null to decide by the environment. */
  readonly termIntegration: boolean | null;
}

/** `[term]`; null for settings that are not set. */
export interface TermSettings {
  readonly verbose: boolean | null;
  readonly quiet: boolean | null;
  /** As written; it may be an unknown word. */
  readonly color: string | null;
  readonly hyperlinks: boolean | null;
  readonly unicode: boolean | null;
  readonly progress: ProgressSettings | null;
}

const NOTHING_SET: TermSettings = {
  verbose: null,
  quiet: null,
  color: null,
  hyperlinks: null,
  unicode: null,
  progress: null,
};

const PROGRESS_TABLE = struct({
  when: word(['auto', 'never', 'always']),
  width: integer('usize'),
  'term-integration': boolean,
});

const progress: Decoder<ProgressSettings> = (place) => {
  const table = PROGRESS_TABLE(place);
  const when = table.when ?? 'auto';
  if (when === 'always' && table.width === null) {
    throw new TsregError('"always" progress requires a `width` key', { code: 'config' });
  }
  return { when, width: table.width, termIntegration: table['term-integration'] };
};

const TERM_TABLE: Decoder<TermSettings> = struct({
  verbose: boolean,
  quiet: boolean,
  color: string,
  hyperlinks: boolean,
  unicode: boolean,
  progress,
});

/**
 * Reads `[term]`. Returns only null values if any of the configuration is invalid: code that depends on it will report
 * the error.
 */
export function termSettings(config: Config): TermSettings {
  try {
    return config.get('term', TERM_TABLE);
  } catch (error) {
    if (error instanceof TsregError && error.code !== 'bug') return NOTHING_SET;
    throw error;
  }
}
