import type { StoreEnvironment } from './open-store.ts';

/** Matches the variables that are only for object stores. */
const STORE_VARIABLE = /^AWS_/;

/**
 * Returns the environment for one side of a move. If variables for that side are set (`TSREG_FROM_AWS_ACCESS_KEY_ID`,
 * …), they replace all variables for object stores. So a key of one side is never sent to the other.
 */
export function storeEnvironmentFor(env: StoreEnvironment, side: 'FROM' | 'TO'): StoreEnvironment {
  const prefix = `TSREG_${side}_`;
  const ownVariables = Object.entries(env)
    .filter(([name]) => name.startsWith(prefix) && STORE_VARIABLE.test(name.slice(prefix.length)))
    .map(([name, value]) => [name.slice(prefix.length), value] as const);
  if (ownVariables.length === 0) return env;
  const otherVariables = Object.entries(env).filter(([name]) => !STORE_VARIABLE.test(name));
  return Object.fromEntries([...otherVariables, ...ownVariables]);
}
