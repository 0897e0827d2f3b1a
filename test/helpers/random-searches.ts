import type { SearchRequest } from '../../src/server/store/crate-records.ts';

const PARTS =
  'async net json a be x 100% c++ über 非同期 foo.bar a,b,c,d,e,f,g,h,i,j,k,l _ - " \\ %_ name:serde'.split(
    ' ',
  );
const ORDERS = [undefined, 'name', 'downloads', 'updated', 'created'] as const;

/** A possible search of a user. */
export interface RandomSearch {
  readonly query: string;
  readonly request: SearchRequest;
}

/** Yields searches of every kind, the same for the same seed. */
export function* randomSearches(seed: number): Generator<RandomSearch, never, void> {
  let state = seed;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff;
    return Math.floor((state / 0x80_00_00_00) * below);
  };
  const word = (): string => {
    const part = PARTS[next(PARTS.length)] ?? '';
    if (next(8) === 0) return Array.from({ length: next(120) }, () => `p${next(9999)}`).join('.');
    return next(2) === 0
      ? part
      : `${part}${next(100_000)
          .toString(36)
          .repeat(1 + next(3))}`;
  };
  for (;;) {
    const query = Array.from({ length: 1 + next(14) }, word).join(' ');
    const order = ORDERS[next(ORDERS.length)];
    const page = { limit: 1 + next(100), offset: next(2) * next(900) };
    yield { query, request: order === undefined ? page : { ...page, order } };
  }
}
