/** Asking before much is changed. */
import { TsregError } from '../../errors/error.ts';
import type { OperationContext } from '../../report/report.ts';

/** How a user agrees to what is going to be done. */
export interface Consent {
  /** `--yes`: nothing is asked. */
  readonly isGiven: boolean;
  /** Asks a question; null where nobody is there to answer. */
  readonly ask: ((question: string, signal: AbortSignal) => Promise<boolean>) | null;
}

/** What is going to be done. */
export interface Plan {
  /** `yank 3 versions in registry `mock``. */
  readonly summary: string;
  /** One line for each step. */
  readonly steps: readonly string[];
}

/** Shows a plan and asks whether it is to be carried out. Throws where it is not, or where nobody can be asked. */
export async function confirmPlan(
  plan: Plan,
  consent: Consent,
  { report, signal }: OperationContext,
): Promise<void> {
  report.note(`going to ${plan.summary}:${plan.steps.map((step) => `\n${step}`).join('')}`);
  if (consent.isGiven) return;
  if (consent.ask === null) {
    throw new TsregError('cannot ask for confirmation: stdin is not a terminal', {
      code: 'usage',
      hint: 'pass `--yes` to skip the confirmation',
    });
  }
  if (await Promise.race([fired(signal), consent.ask(`Do you want to ${plan.summary}?`, signal)])) return;
  throw new TsregError('cancelled: nothing was changed', { code: 'aborted' });
}

/** Rejects once the signal fires, for whoever asks without heeding it. */
function fired(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
