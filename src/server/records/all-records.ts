import type { AuthorizedRecords, Records } from '../store/store.ts';
import { authorizedDatabase } from './authorize.ts';
import { auditRecords } from './audit-records.ts';
import { browseRecords } from './browse-records.ts';
import { crateRecords, indexFileRecords } from './crate-records.ts';
import { crateDetailRecords } from './crate-details.ts';
import { cratePublisherRecords } from './crate-publisher-records.ts';
import { dailyDownloadRecords } from './daily-download-records.ts';
import { deleteRecords } from './delete-records.ts';
import { dependentRecords } from './dependent-records.ts';
import { documentationRecords } from './documentation-records.ts';
import { downloadRecords } from './download-records.ts';
import { ownerRecords } from './owner-records.ts';
import { publishRecords } from './publish-records.ts';
import { publisherRecords } from './publisher-records.ts';
import { rateRecords } from './rate-records.ts';
import { reservedNameRecords } from './reserved-name-records.ts';
import { searchRecords } from './search-records.ts';
import { sessionRecords } from './session-records.ts';
import { settingRecords } from './setting-records.ts';
import { signInRecords } from './sign-in-records.ts';
import type { SqlDatabase } from './sql-work.ts';
import { staticRecords } from './static-records.ts';
import { teamRecords } from './team-records.ts';
import { tokenRecords } from './token-records.ts';
import { upstreamRecords } from './upstream-records.ts';
import { upstreamRuleRecords } from './upstream-rule-records.ts';
import { usageRecords } from './usage-records.ts';
import { userRecords } from './user-records.ts';
import type { DatabaseRecords } from '../store/database-records.ts';

/** Implements all record methods that do not depend on the kind of database. */
export function allRecords(database: SqlDatabase): Omit<Records, keyof DatabaseRecords> {
  return {
    ...recordsOf(database),
    authorize: (actor, clock) => recordsOf(authorizedDatabase(database, actor, clock)),
  };
}

function recordsOf(database: SqlDatabase): AuthorizedRecords {
  return {
    ...indexFileRecords(database),
    ...crateRecords(database),
    ...crateDetailRecords(database),
    ...dependentRecords(database),
    ...searchRecords(database),
    ...browseRecords(database),
    ...publishRecords(database),
    ...downloadRecords(database),
    ...dailyDownloadRecords(database),
    ...documentationRecords(database),
    ...deleteRecords(database),
    ...ownerRecords(database),
    ...userRecords(database),
    ...teamRecords(database),
    ...tokenRecords(database),
    ...sessionRecords(database),
    ...publisherRecords(database),
    ...cratePublisherRecords(database),
    ...auditRecords(database),
    ...rateRecords(database),
    ...signInRecords(database),
    ...upstreamRecords(database),
    ...upstreamRuleRecords(database),
    ...reservedNameRecords(database),
    ...staticRecords(database),
    ...settingRecords(database),
    ...usageRecords(database),
  };
}
