import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestRegistry, type TestRegistry } from '../../helpers/test-registry.ts';
import { changeRecords } from '../../helpers/test-location.ts';

let registry: TestRegistry;

/** 1200 crates with 20 versions each. Crate 1 has the most downloads. */
const FILL = `
  INSERT INTO users (id, login, login_key, is_admin, is_disabled, created_at) VALUES (1, 'u', 'u', 0, 0, 1);
  WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1200)
  INSERT INTO crates (id, name, canonical_name, max_version, keywords, downloads, created_at, updated_at)
  SELECT n, 'c-' || n, 'c_' || n, '1.19.0', '[]', 5000 - n, 1, 1 FROM numbers;
  WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 19)
  INSERT INTO versions (id, crate_id, version, version_without_build, checksum, size, blob_key, index_line, is_yanked,
    downloads, published_at, published_by, metadata)
  SELECT crates.id * 20 + n, crates.id, '1.' || n || '.0', '1.' || n || '.0', '', 1, '', '', 0, 0, 1, 1, '{}'
  FROM crates, numbers;
`;

/** Returns SQL that makes the versions that match `condition` depend on the crate `name`. */
const depend = (name: string, condition: string, kind = 'normal'): string =>
  `INSERT INTO dependencies (version_id, canonical_name, version_req, kind, is_optional)
    SELECT id, '${name}', '^1', '${kind}', 0 FROM versions WHERE ${condition};`;

const statements = [
  FILL,
  depend('everywhere', 'crate_id <> 3', 'dev'),
  depend('everywhere', 'crate_id <> 3'),
  depend('once_everywhere', "version <> '1.19.0' OR crate_id <= 600"),
  depend('many_entries', 'crate_id > 100', 'dev'),
  depend('by_little_used', 'crate_id > 700'),
  depend('by_little_used', 'crate_id > 700', 'dev'),
  depend('by_little_used', 'crate_id > 700', 'build'),
  depend('rare', 'crate_id IN (7, 900)'),
];

beforeAll(async () => {
  registry = await openTestRegistry();
  for (const each of statements) await changeRecords(registry.location, each);
});
afterAll(() => registry[Symbol.asyncDispose]());

async function list(name: string, offset = 0, limit = 3): Promise<string> {
  const { items, total } = await registry.store.records.listDependents(name, { limit, offset });
  expect(
    items.every(({ kind, version }) => (version === '1.19.0' && kind !== 'dev') || name === 'many-entries'),
  ).toBe(true);
  return `${items.map(({ crate }) => crate.slice(2)).join(' ')} of ${total}`;
}

it('lists each dependent once, the most downloaded first', async () => {
  expect(await list('everywhere')).toBe('1 2 4 of 1000');
  expect(await list('everywhere', 3)).toBe('5 6 7 of 1000');
  expect(await list('everywhere', 998)).toBe('1000 1001 of 1000');
  expect(await list('everywhere', 1000)).toBe(' of 1000');
  expect(await list('everywhere', 0, 0)).toBe(' of 1000');
});

it('estimates a very large number of dependents from the most downloaded crates', async () => {
  // Dependents are 400 of the 500 most downloaded crates, so 960 of 1200.
  expect(await list('many-entries')).toBe('101 102 103 of 960');
  expect(await list('many-entries', 100)).toBe('201 202 203 of 960');
});

it('considers only the newest version of each crate', async () => {
  expect(await list('once-everywhere')).toBe('1 2 3 of 1000');
  expect(await list('once-everywhere', 600)).toBe(' of 1000');
  expect(await list('once-everywhere', 598)).toBe('599 600 of 600');
});

it('lists and counts all dependents if few of them are among the most downloaded crates', async () => {
  expect(await list('by-little-used')).toBe('701 702 703 of 500');
  expect(await list('by-little-used', 499)).toBe('1200 of 500');
  expect(await list('by-little-used', 500)).toBe(' of 500');
  expect(await list('rare')).toBe('7 900 of 2');
  expect(await list('nobody')).toBe(' of 0');
});

it('keeps dependents whose requirement is accepted, even if another one of theirs matters more', async () => {
  await changeRecords(
    registry.location,
    `INSERT INTO dependencies (version_id, canonical_name, version_req, kind, is_optional)
      SELECT id, 'filtered', '^0.3', 'dev', 0 FROM versions WHERE crate_id IN (4, 5);
    INSERT INTO dependencies (version_id, canonical_name, version_req, kind, is_optional)
      SELECT id, 'filtered', '^1', 'normal', 0 FROM versions WHERE crate_id IN (5, 6);`,
  );
  const find = async (crate: string, wanted: string, offset = 0): Promise<string> => {
    const accepts = (versionReq: string): boolean => versionReq === wanted;
    const request = { limit: 3, offset, accepts };
    const { items, total } = await registry.store.records.listDependents(crate, request);
    return `${items.map(({ crate: name, versionReq, kind }) => `${name} ${versionReq} ${kind}`).join(', ')} of ${total}`;
  };
  expect(await find('filtered', '^0.3')).toBe('c-4 ^0.3 dev, c-5 ^0.3 dev of 2');
  expect(await find('filtered', '^1')).toBe('c-5 ^1 normal, c-6 ^1 normal of 2');
  expect(await find('filtered', '^1', 3)).toBe(' of 2');
  expect(await find('filtered', '^2')).toBe(' of 0');
  // Of very many dependents, only the most downloaded ones are filtered.
  expect(await find('everywhere', '^1', 2)).toBe('c-4 ^1 normal, c-5 ^1 normal, c-6 ^1 normal of 1000');
  expect(await find('everywhere', '^2')).toBe(' of 0');
});

it('reads only requirements of newest versions for a filter', async () => {
  await changeRecords(
    registry.location,
    `INSERT INTO dependencies (version_id, canonical_name, version_req, kind, is_optional)
      SELECT id, 'long_used', '^' || version, 'normal', 0 FROM versions WHERE crate_id IN (8, 9);`,
  );
  const read: string[] = [];
  const accepts = (versionReq: string): boolean => read.push(versionReq) > 0;
  const { total } = await registry.store.records.listDependents('long-used', {
    limit: 3,
    offset: 0,
    accepts,
  });
  expect([total, read]).toEqual([2, ['^1.19.0']]);
});
