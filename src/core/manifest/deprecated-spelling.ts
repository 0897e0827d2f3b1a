/** Keys whose old spelling has underscores. Cargo Book: The Manifest Format. */
import type { Message } from '../errors/wording.ts';
import { manifestProblem } from './manifest-problem.ts';
import type { Edition } from './manifest.ts';

/** Inputs for `checkOldSpelling`. */
export interface OldSpellingOptions {
  /** True if the current spelling is written too. */
  readonly hasCurrent: boolean;
  /** The owner of the key, such as `` `x` dependency ``. */
  readonly place: string;
  readonly edition: Edition;
  readonly warnings: Message[];
}

/**
 * Reports that the old spelling of `key` is written (`default_features` for `default-features`): warns before the 2024
 * edition, and throws `manifest` from then on.
 */
export function checkOldSpelling(key: string, options: OldSpellingOptions): void {
  const { hasCurrent, place, edition, warnings } = options;
  const old = key.replaceAll('-', '_');
  if (edition === '2024') {
    throw manifestProblem(
      `\`${old}\` is unsupported as of the 2024 edition; instead use \`${key}\`\n(in the ${place})`,
    );
  }
  warnings.push(
    hasCurrent
      ? `\`${old}\` is redundant with \`${key}\`, preferring \`${key}\` in the ${place}`
      : `\`${old}\` is deprecated in favor of \`${key}\` and will not work in the 2024 edition\n(in the ${place})`,
  );
}
