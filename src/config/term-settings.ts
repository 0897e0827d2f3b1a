/** How to talk to the terminal. Cargo Book: Configuration, `[term]`. */
import { TsregError } from '../errors/error.ts';
import type { Config } from './config.ts';
import { boolean, type Decoder, integer, string, struct, word } from './decoder.ts';

/** When progress bars are shown, and how wide; `width` is null for that of the terminal. */
export interface ProgressSettings {
  readonly when: 'auto' | 'never' | 'always';
  readonly width: number | null;
  readonly termIntegration: boolean | null;
}

/** `[term]`; null where nothing is set. */
export interface TermSettings {
  readonly verbose: boolean | null;
  readonly quiet: boolean | null;
  /** As written: it may be no word that is known. */
  readonly color: string | null;
  readonly hyperlinks: boolean | null;
  readonly unicode: boolean | null;
  readonly progress: ProgressSettings | null;
}

const DEFAULTS: TermSettings = {
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
 * The `[term]` table. If any of it, or of the configuration at all, is wrong then nothing is set: what
 * depends on configuration will say so later.
 */
export function termSettings(config: Config): TermSettings {
  try {
    return config.get('term', TERM_TABLE);
  } catch (error) {
    if (error instanceof TsregError && error.code !== 'bug') return DEFAULTS;
    throw error;
  }
}
