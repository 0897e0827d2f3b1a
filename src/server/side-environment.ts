/** Variables of an object store alone. */
const OF_STORES = /^AWS_/;

/**
 * The environment of one side of a move. Where variables of that side (`TSREG_FROM_AWS_ACCESS_KEY_ID`, …) are set, they
 * stand in for all of an object store: no key of the other side is tried there, and none is sent to where it does not
 * belong.
 */
export function sideEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  side: 'FROM' | 'TO',
): Readonly<Record<string, string | undefined>> {
  const prefix = `TSREG_${side}_`;
  const own = Object.entries(env)
    .filter(([name]) => name.startsWith(prefix) && OF_STORES.test(name.slice(prefix.length)))
    .map(([name, value]) => [name.slice(prefix.length), value] as const);
  if (own.length === 0) return env;
  const others = Object.entries(env).filter(([name]) => !OF_STORES.test(name));
  return Object.fromEntries([...others, ...own]);
}
