import { TsregError } from '../../errors/error.ts';

/** For `TSREG_CACHE=verify`: fails where what is kept led to another answer than the one without it. */
export function expectSameAnswer(isSame: boolean): void {
  if (isSame) return;
  throw new TsregError(
    'the answer from derived files differs from the one without them: `TSREG_CACHE=off` goes on without',
    { code: 'bug' },
  );
}
