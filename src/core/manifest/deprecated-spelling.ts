/** Keys whose old spelling has underscores. Cargo Book: The Manifest Format. */
import type { Message } from '../errors/wording.ts';
import { manifestProblem } from './manifest-problem.ts';
import type { Edition } from './manifest.ts';

/**
 * Checks the old spelling of `key`: warns before the 2024 edition, and throws `manifest` from then on. `place` is the
 * owner of the key, such as ``the `x` dependency``.
 */
export function checkSpelling(
  key: string,
  written: { readonly old: boolean; readonly current: boolean },
  options: { readonly place: string; readonly edition: Edition; readonly warnings: Message[] },
): void {
  if (!written.old) return;
  const { place, edition, warnings } = options;
  const old = key.replaceAll('-', '_');
  if (edition === '2024') {
    throw manifestProblem(
      `\`${old}\` is unsupported as of the 2024 edition; instead use \`${key}\`\n(in the ${place})`,
    );
  }
  warnings.push(
    written.current
      ? `\`${old}\` is redundant with \`${key}\`, preferring \`${key}\` in the ${place}`
      : `\`${old}\` is deprecated in favor of \`${key}\` and will not work in the 2024 edition\n(in the ${place})`,
  );
}
