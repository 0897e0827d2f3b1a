/** `serve migrate`: migrates the database of a private registry to the schema of this release, or prints the SQL. */
import { TsregError } from '../../core/errors/error.ts';
import { type Command, isGiven, type Invocation } from '../shared/command.ts';
import { switchFlag } from '../shared/flag.ts';
import { STORE_FLAGS, STORE_GLOBAL_FLAGS, storeLocation } from './store-flags.ts';

/** The flags of `tsreg serve migrate`, and its run. */
export const SERVE_MIGRATE: Command = {
  name: 'migrate',
  about: 'Upgrade the schema of the PostgreSQL database',
  supportedGlobalFlags: STORE_GLOBAL_FLAGS,
  flags: [switchFlag('dry-run', 'Print the SQL statements without running them'), ...STORE_FLAGS],
  run,
};

async function run(invocation: Invocation): Promise<void> {
  const { values, shell } = invocation;
  const { database } = storeLocation(invocation);
  if (database === null) {
    throw new TsregError('no database given: pass `--database postgres://…`', {
      code: 'usage',
    });
  }
  const { migrateDatabase, planPostgresMigration } = await import('../../server/records/postgres-records.ts');
  const plan = await planPostgresMigration(database);
  if (plan.length === 0) shell.status('Fresh', 'the database schema is up to date');
  else if (isGiven(values, 'dry-run')) shell.writeOut(plan.join('\n'));
  else {
    await migrateDatabase(database);
    shell.status('Migrated', `the database, in ${plan.length} ${plan.length === 1 ? 'step' : 'steps'}`);
  }
}
