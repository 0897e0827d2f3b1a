import { expect, test } from 'vitest';
import { confirmPlan } from '../../../../src/commands/shared/registry/confirm-plan.ts';
import { recordingContext } from '../../../helpers/recording-report.ts';

const plan = { summary: 'yank 2 versions', steps: ['a@1', 'b@1'] };
const NOTE = 'note: going to yank 2 versions:\na@1\nb@1';

test('does not ask if consent was given', async () => {
  const { context, lines } = recordingContext();
  const ask = (): Promise<boolean> => Promise.reject(new Error('asked'));
  await confirmPlan(plan, { isGiven: true, ask }, context);
  expect(lines).toEqual([NOTE]);
});

test.each([true, false])('follows the decision of the user: %s', async (answer) => {
  const { context, lines } = recordingContext();
  const questions: string[] = [];
  const ask = (question: string, signal: AbortSignal): Promise<boolean> => {
    expect(signal).toBe(context.signal);
    questions.push(question);
    return Promise.resolve(answer);
  };
  const confirming = confirmPlan(plan, { isGiven: false, ask }, context);
  if (answer) await confirming;
  else
    await expect(confirming).rejects.toMatchObject({
      message: 'cancelled: nothing was changed',
      code: 'aborted',
    });
  expect(lines).toEqual([NOTE]);
  expect(questions).toEqual(['Do you want to yank 2 versions?']);
});

test('fails if it cannot ask', async () => {
  const { context } = recordingContext();
  await expect(confirmPlan(plan, { isGiven: false, ask: null }, context)).rejects.toThrow(
    'cannot ask for confirmation',
  );
});

test('does not ask after an interruption', async () => {
  const { context } = recordingContext(AbortSignal.abort(new Error('interrupted')));
  const ask = (): Promise<boolean> => new Promise(() => {});
  await expect(confirmPlan(plan, { isGiven: false, ask }, context)).rejects.toThrow('interrupted');
});
