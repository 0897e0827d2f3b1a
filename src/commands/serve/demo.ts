/** `serve --demo`: a registry with sample crates. */
import { randomBytes } from 'node:crypto';
import { TsregError } from '../../core/errors/error.ts';
import type { StoreLocation } from '../../server/admin/store-location.ts';
import type { OpenRegistry } from '../../server/start-options.ts';
import { type Invocation, isGiven } from '../shared/command.ts';

/** A login of a demo and its password. */
export interface DemoAccount {
  readonly login: string;
  readonly password: string;
}

/** A registry to fill with sample crates. */
export interface Demo {
  readonly account: DemoAccount;
  readonly location: StoreLocation;
  /** True if `remove` deletes the registry. */
  readonly isTemporary: boolean;
  /** Fills the registry. Throws `usage` if it was ever used. */
  fill(registry: OpenRegistry): Promise<void>;
  /** Must be called after the server has stopped. */
  remove(): Promise<void>;
}

/**
 * Prepares a demo; null without `--demo`. Without `--data`, its folder is a temporary one. Throws `usage` if only a part
 * of the registry would be temporary.
 */
export async function openDemo(
  { values }: Pick<Invocation, 'values'>,
  location: StoreLocation,
): Promise<Demo | null> {
  if (!isGiven(values, 'demo')) return null;
  const [{ addDemo }, { DEMO_ADMIN }, { makeTemporaryFolder }] = await Promise.all([
    import('../../server/demo/add-demo.ts'),
    import('../../server/demo/demo-users.ts'),
    import('../../server/demo/temporary-folder.ts'),
  ]);
  const isTemporary = !isGiven(values, 'data') && location.dataFolder !== null;
  if (isTemporary && (location.database !== null || location.storage !== null)) {
    throw new TsregError('`--demo` with a database or an object store also needs `--data`', {
      code: 'usage',
      hint: 'pass `--data DIR`, with a new folder for the other half of the registry',
    });
  }
  const account = { login: DEMO_ADMIN.login, password: makePassword() };
  const folder = isTemporary ? await makeTemporaryFolder() : null;
  return {
    account,
    location: folder === null ? location : { ...location, dataFolder: folder.path },
    isTemporary,
    fill: (registry) => addDemo(registry, account.password),
    async remove() {
      await folder?.remove();
    },
  };
}

/** Returns a password of 64 random bits that is easy to type, such as `3f2a-91bc-77de-0a1b`. */
function makePassword(): string {
  return Array.from({ length: 4 }, () => randomBytes(2).toString('hex')).join('-');
}
