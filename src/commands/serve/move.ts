/** `serve move`: moves a private registry to another place. A server may be running. */
import { resolve } from 'node:path';
import { TsregError } from '../../core/errors/error.ts';
import { storeEnvironmentFor } from '../../server/admin/store-environment.ts';
import type { StoreLocation } from '../../server/admin/store-location.ts';
import { type Command, isGiven, type Invocation, valuesOf } from '../shared/command.ts';
import { switchFlag, valueFlag } from '../shared/flag.ts';
import { interruptible } from '../../io/terminal/interruption.ts';
import { problemLine } from './problem-line.ts';
import { DATABASE_SCHEME, databaseAddress, STORAGE_SCHEME, STORE_GLOBAL_FLAGS } from './store-flags.ts';

/** The flags of `tsreg serve move`, and its run. */
export const SERVE_MOVE: Command = {
  name: 'move',
  about: 'Move the registry to another folder, database or object store',
  supportedGlobalFlags: STORE_GLOBAL_FLAGS,
  flags: [
    valueFlag('from', 'PLACE', {
      kind: 'list',
      isRequired: true,
      help: 'Current place: a folder, postgres://…, s3://…, or env:NAME for an address in a variable; may be repeated',
    }),
    valueFlag('to', 'PLACE', { kind: 'list', help: 'New place, in the same form; may be repeated' }),
    switchFlag('overwrite', 'Replace another registry or newer changes at the destination'),
    switchFlag('undo', 'Move nothing; make the registry at the source writable again'),
  ],
  run,
};

async function run(invocation: Invocation): Promise<void> {
  const from = locationOf(invocation, 'from');
  if (isGiven(invocation.values, 'undo')) return await undo(invocation, from);
  const to = locationOf(invocation, 'to');
  const movesRecords = recordsOf(from) !== recordsOf(to);
  if (!movesRecords && blobsOf(from) === blobsOf(to)) {
    throw new TsregError('`--from` and `--to` are the same: name another place for one half or for both', {
      code: 'usage',
    });
  }
  await interruptible((signal) => move({ ...invocation, signal }, { from, to, movesRecords }));
}

/** Moves the registry, and prints the next steps. Throws `source` if the copy is not complete. */
async function move(
  { values, config, shell, signal, identity }: Invocation,
  {
    from,
    to,
    movesRecords,
  }: { readonly from: StoreLocation; readonly to: StoreLocation; readonly movesRecords: boolean },
): Promise<void> {
  const [{ openExistingStore }, { openStore }, { describeLocation, describePlaces }, { moveStore }] =
    await Promise.all([
      import('../../server/admin/open-existing-store.ts'),
      import('../../server/admin/open-store.ts'),
      import('../../server/admin/store-location.ts'),
      import('../../server/admin/move-store.ts'),
    ]);
  const source = await openExistingStore(from, storeEnvironmentFor(config.env, 'FROM'));
  try {
    const destination = await openStore(to, storeEnvironmentFor(config.env, 'TO'));
    try {
      const options = { movesRecords, overwrites: isGiven(values, 'overwrite'), report: shell, signal };
      const sides = { from: source, to: destination };
      const { versions, bytes, problems, sourceTakesChanges } = await moveStore(sides, options);
      for (const problem of problems) shell.writeOut(problemLine(problem));
      const undoCommand = `\`${identity.program} serve move --undo --from …\``;
      if (problems.length > 0) {
        const sourceState = sourceTakesChanges
          ? 'works as before'
          : `is still read-only: run this command again, or ${undoCommand}`;
        const message = `the copy is not complete (${problems.length} problems); the source ${sourceState}`;
        throw new TsregError(message, { code: 'source' });
      }
      shell.status('Moved', `${versions} versions, ${bytes} bytes, to ${describeLocation(to)}`);
      const flags = Object.entries(describePlaces(to)).map(([flag, place]) => ` --${flag} '${place}'`);
      const next = `restart the servers with \`${identity.program} serve${flags.join('')}\``;
      const remark = movesRecords
        ? `the source is read-only now; ${undoCommand} undoes this, and loses all changes made at the new place`
        : 'then run this command again to copy the changes that the old servers took in the meantime';
      shell.note(next, remark);
    } finally {
      await destination.close();
    }
  } finally {
    await source.close();
  }
}

/** Makes the records at the source writable again. */
async function undo({ config, shell }: Invocation, from: StoreLocation): Promise<void> {
  const [{ openExistingStore }, { describeRecords }] = await Promise.all([
    import('../../server/admin/open-existing-store.ts'),
    import('../../server/admin/store-location.ts'),
  ]);
  const { records, close } = await openExistingStore(from, storeEnvironmentFor(config.env, 'FROM'));
  try {
    const wasReadOnly = await records.isReadOnly();
    await records.setWritable();
    const place = `\`${describeRecords(from)}\``;
    shell.status(
      wasReadOnly ? 'Unlocked' : 'Fresh',
      wasReadOnly ? `${place} accepts changes again` : `${place} accepts changes`,
    );
  } finally {
    await close();
  }
}

/** The parts of a location, and the forms of their addresses. Any text but a flag or another URL is a folder. */
const PLACE_FORMS = [
  ['database', DATABASE_SCHEME],
  ['storage', STORAGE_SCHEME],
  ['dataFolder', /^(?!-)(?!.*:\/\/).+/],
] as const;

/**
 * Returns the location that the values of `--from` or `--to` form. Throws `usage` if they do not form one. The messages
 * contain no addresses, which may include passwords.
 */
function locationOf({ values, config }: Invocation, flag: 'from' | 'to'): StoreLocation {
  const places = new Map<string, string>();
  for (const value of valuesOf(values, flag)) {
    const variable = /^env:(.*)$/.exec(value)?.[1] ?? null;
    const place = variable === null ? value : (config.env[variable] ?? '');
    if (variable !== null && place === '')
      throw invalidPlaces(flag, `the variable \`${variable}\` is not set`);
    const kind = PLACE_FORMS.find(([, form]) => form.test(place))?.[0];
    if (kind === undefined)
      throw invalidPlaces(flag, 'expected a folder, `postgres://…`, `s3://…` or `env:NAME`');
    if (places.has(kind)) throw invalidPlaces(flag, 'two places of one kind');
    places.set(kind, kind === 'dataFolder' ? resolve(place) : place);
  }
  const location = {
    dataFolder: places.get('dataFolder') ?? null,
    database: databaseAddress(places.get('database') ?? null, config.env),
    storage: places.get('storage') ?? null,
  };
  if (location.dataFolder !== null && location.database !== null && location.storage !== null) {
    throw invalidPlaces(flag, 'a database and an object store need no folder');
  }
  if (location.dataFolder === null && location.database === null) {
    throw invalidPlaces(flag, 'it lacks a place for the records: add a folder or `postgres://…`');
  }
  if (location.dataFolder === null && location.storage === null) {
    throw invalidPlaces(flag, 'it lacks a place for the .crate files: add a folder or `s3://…`');
  }
  return location;
}

function invalidPlaces(flag: string, reason: string): TsregError {
  return new TsregError(`invalid value for \`--${flag}\`: ${reason}`, { code: 'usage' });
}

function recordsOf({ dataFolder, database }: StoreLocation): string | null {
  return database ?? dataFolder;
}

function blobsOf({ dataFolder, storage }: StoreLocation): string | null {
  return storage ?? dataFolder;
}
