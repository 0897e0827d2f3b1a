/** Fills a new registry with sample crates, so that there is something to see. */
import { present } from '../../core/errors/assert.ts';
import { TsregError } from '../../core/errors/error.ts';
import { saveUser } from '../admin/save-user.ts';
import { ArchiveChecks } from '../publish/archive-check.ts';
import { publish } from '../publish/publish.ts';
import type { OpenRegistry } from '../start-options.ts';
import type { Actor } from '../store/values.ts';
import { DEMO_ADMIN, DEMO_COLLEAGUE, DEMO_TEAM } from './demo-users.ts';
import { sampleDownloads } from './sample-downloads.ts';
import type { SampleCrate, SampleRelease } from './sample-crate.ts';
import { SAMPLE_CRATES } from './sample-crates.ts';
import { sampleRequest } from './sample-package.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** The age of the users and their team, who are older than their crates. */
const USERS_DAYS_AGO = 650;

/** A change of the demo's past. */
interface PastChange {
  readonly daysAgo: number;
  readonly run: (registry: OpenRegistry) => Promise<void>;
}

/**
 * Adds two users, their team and the sample crates, with dates in the past. `password` is that of `DEMO_ADMIN`. Uses no
 * network. Throws `usage` if the registry was ever used.
 */
export async function addDemo(registry: OpenRegistry, password: string): Promise<void> {
  const { records, clock, log } = registry;
  await refuseUsed(registry);
  const nowMs = clock.now();
  const registryAt = (daysAgo: number): OpenRegistry => ({
    ...registry,
    clock: { now: () => nowMs - daysAgo * DAY_MS },
  });
  const user = { isDisabled: null, password: null, isAdmin: null };
  await saveUser(registryAt(USERS_DAYS_AGO), { ...user, ...DEMO_ADMIN, isAdmin: true, password });
  await saveUser(registryAt(USERS_DAYS_AGO), { ...user, ...DEMO_COLLEAGUE });
  await addTeam(registryAt(USERS_DAYS_AGO));
  const checks = new ArchiveChecks();
  const changes = SAMPLE_CRATES.flatMap((crate) => changesOf(crate, checks));
  for (const { daysAgo, run } of changes.toSorted((a, b) => b.daysAgo - a.daysAgo))
    await run(registryAt(daysAgo));
  for (const { daysAgo, counts } of sampleDownloads(SAMPLE_CRATES)) {
    await records.addDownloads(counts, registryAt(daysAgo).clock.now());
  }
  log.info('demo-added', { crates: SAMPLE_CRATES.length, login: DEMO_ADMIN.login });
}

async function addTeam({ records, clock }: OpenRegistry): Promise<void> {
  const byOperator = { atMs: clock.now(), actor: null };
  const logins = [DEMO_ADMIN.login, DEMO_COLLEAGUE.login];
  await records.createTeam({ ...byOperator, name: DEMO_TEAM });
  await records.changeMembers({ ...byOperator, team: DEMO_TEAM, action: 'add', logins });
}

/** Throws `usage` unless the registry is new and empty. */
async function refuseUsed({ records }: OpenRegistry): Promise<void> {
  const { crates, users } = await records.count();
  // A mirror may have neither, and a registry may have deleted its crates.
  const { total: audited } = await records.listAudit({}, { limit: 1, offset: 0 });
  const mirroredBytes = await records.sumMirrored();
  if (crates + users + audited + mirroredBytes === 0) return;
  throw new TsregError('`--demo` needs a new and empty registry, and this one is in use', {
    code: 'usage',
    hint: 'omit `--data` to use a temporary folder, or name a new folder',
  });
}

/** Returns the publications, yanks and changes of owners of a crate. */
function changesOf(crate: SampleCrate, checks: ArchiveChecks): readonly PastChange[] {
  const { name, owner, coOwner, releases } = crate;
  const changes = releases.flatMap((release): readonly PastChange[] => {
    const { version, daysAgo, yanked } = release;
    const publication = {
      daysAgo,
      run: (registry: OpenRegistry) => publishSample(registry, { crate, release, checks }),
    };
    if (yanked === undefined) return [publication];
    const run = async ({ records, clock }: OpenRegistry): Promise<void> => {
      const actor = await actorOf(records, owner);
      const { reason } = yanked;
      await records.setYanked({ crate: name, version, isYanked: true, reason, atMs: clock.now(), actor });
    };
    return [publication, { daysAgo: yanked.daysAgo, run }];
  });
  if (coOwner === undefined) return changes;
  const run = async ({ records, clock }: OpenRegistry): Promise<void> => {
    const actor = await actorOf(records, owner);
    await records.changeOwners({ crate: name, action: 'add', logins: [coOwner], atMs: clock.now(), actor });
  };
  const { daysAgo } = present(releases[0], `the first release of ${name}`);
  return [...changes, { daysAgo, run }];
}

interface SamplePublication {
  readonly crate: SampleCrate;
  readonly release: SampleRelease;
  readonly checks: ArchiveChecks;
}

/** Publishes a release as a client would. Throws if an option of the server, such as `--max-upload 0`, refuses it. */
async function publishSample(
  registry: OpenRegistry,
  { crate, release, checks }: SamplePublication,
): Promise<void> {
  const { records, settings } = registry;
  const parts = await sampleRequest(crate, release, `sparse+${settings.baseUrl}/index/`);
  const body = (async function* (): AsyncGenerator<Uint8Array> {
    yield* parts;
  })();
  const actor = await actorOf(records, crate.owner);
  const result = await publish({ ...registry, upstream: null }, { body, actor, isDryRun: false, checks });
  if (result.kind === 'published') return;
  throw new TsregError(
    `the registry refuses the sample crate \`${crate.name} ${release.version}\`: ${result.detail}`,
    { code: 'config' },
  );
}

async function actorOf(records: OpenRegistry['records'], login: string): Promise<Actor> {
  return { user: present(await records.findUser(login), `the user ${login}`), token: null };
}
