import { expect, it } from 'vitest';
import { changeRecords } from '../../helpers/test-location.ts';
import { openTestRegistry } from '../../helpers/test-registry.ts';

/** Crates with 1, 19,999 and 2 versions. */
const FILL = `
  INSERT INTO users (id, login, login_key, is_admin, is_disabled, created_at) VALUES (1, 'u', 'u', 0, 0, 1);
  INSERT INTO crates (id, name, canonical_name, max_version, keywords, downloads, created_at, updated_at)
  VALUES (1, 'A-1', 'a_1', '1.0.0', '[]', 0, 1, 1), (2, 'b', 'b', '1.0.0', '[]', 0, 1, 1), (3, 'c', 'c', '1.0.0', '[]', 0, 1, 1);
  WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20001)
  INSERT INTO versions (crate_id, version, version_without_build, checksum, size, blob_key, index_line, is_yanked,
    downloads, published_at, published_by, metadata)
  SELECT CASE WHEN n = 0 THEN 1 WHEN n < 20000 THEN 2 ELSE 3 END, '1.0.' || n, '1.0.' || n, '', 1, '', '', n % 2, 0, 1, 1, '{}'
  FROM numbers;
`;

it('returns the versions of crates by canonical name, up to a limit', async () => {
  await using registry = await openTestRegistry();
  await changeRecords(registry.location, FILL);
  const { records } = registry.store;
  const few = await records.listVersionsOf(['a-1', 'A_1', 'C', 'unknown']);
  expect([...few.keys()].sort()).toEqual(['a_1', 'c']);
  expect(few.get('a_1')).toEqual({ name: 'A-1', versions: [{ version: '1.0.0', isYanked: false }] });
  expect(few.get('c')?.versions).toHaveLength(2);
  const many = await records.listVersionsOf(['c', 'b', 'a-1']);
  expect(many.get('a_1')?.versions).toHaveLength(1);
  expect(many.get('b')?.versions).toHaveLength(19_999);
  // Reading stopped within this crate.
  expect(many.get('c')).toEqual({ name: 'c', versions: null });
  expect((await records.listVersionsOf([])).size).toBe(0);
});
