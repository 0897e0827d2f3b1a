/** Asks for confirmation before a large change. */
import { TsregError } from '../../../core/errors/error.ts';
import type { OperationContext } from '../../../core/report/report.ts';
import { rejectOnAbort } from '../workspace/operation-signal.ts';

/** How the user confirms a plan. */
export interface Consent {
  /** `--yes`: do not ask. */
  readonly isGiven: boolean;
  /** Asks a question; null if nobody can answer. */
  readonly ask: ((question: string, signal: AbortSignal) => Promise<boolean>) | null;
}

/** A change to confirm. */
export interface Plan {
  /** Verb phrase for the whole change: `yank 3 versions in registry `mock``. */
  readonly summary: string;
  /** One line per step. */
  readonly steps: readonly string[];
}

/** Shows a plan and asks for confirmation. Throws `aborted` if the user declines, `usage` if nobody can be asked. */
export async function confirmPlan(
  plan: Plan,
  consent: Consent,
  { report, signal }: OperationContext,
): Promise<void> {
  report.note(`going to ${plan.summary}:${plan.steps.map((step) => `\n${step}`).join('')}`);
  if (consent.isGiven) return;
  const { ask } = consent;
  if (ask === null) {
    throw new TsregError('cannot ask for confirmation: stdin is not a terminal', {
      code: 'usage',
      hint: 'pass `--yes` to skip the confirmation',
    });
  }
  signal.throwIfAborted();
  // `ask` may ignore the signal.
  if (await Promise.race([rejectOnAbort(signal), ask(`Do you want to ${plan.summary}?`, signal)])) return;
  throw new TsregError('cancelled: nothing was changed', { code: 'aborted' });
}
