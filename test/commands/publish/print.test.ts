import { expect, test } from 'vitest';
import { publishPlanText } from '../../../src/commands/publish/print.ts';
import { type PlannedEntry, CRATES_IO_LIMITS } from '../../../src/commands/publish/plan.ts';

const entry = (name: string, more: Partial<PlannedEntry> = {}): PlannedEntry => ({
  name,
  version: '1.0.0',
  manifestPath: '/ws/Cargo.toml',
  kind: 'new-crate',
  latest: null,
  needs: [],
  missing: [],
  ...more,
});

test('lists every kind of package, the order and the shortest duration', () => {
  const text = publishPlanText({
    version: 1,
    registry: { name: 'crates-io', index: 'registry+https://index', api: 'https://api' },
    rounds: [
      [entry('a'), entry('b', { kind: 'new-version', latest: '0.9.0' })],
      [entry('c', { needs: ['a', 'b'] })],
    ],
    published: [entry('d', { kind: 'published', latest: '1.0.0' })],
    circular: [entry('e', { needs: ['f'] })],
    unpublishable: [{ name: 'g', version: '0.0.0' }],
    limits: CRATES_IO_LIMITS,
    minimumSeconds: 4200,
  });
  expect(text).toBe(`to crates-io (https://api)
  1. a v1.0.0: new crate
     b v1.0.0: new version, latest is 0.9.0
  2. c v1.0.0: new crate; needs a, b
     d v1.0.0: already published
     e v1.0.0: cannot be published, since it depends in a circle on f
     g v0.0.0: not published (\`publish = false\`)
the packages under 2 follow when those under 1 are in the index
the rate limits of this registry make this take at least 1 hour 10 minutes (5 new crates at once, then one every 10 minutes; 30 new versions at once, then one every minute)
`);
});

test('says that rate limits cause no wait, and nothing without rate limits', () => {
  const plan = { registry: null, rounds: [[entry('a')]], published: [], circular: [], unpublishable: [] };
  const text = publishPlanText({ version: 1, ...plan, limits: CRATES_IO_LIMITS, minimumSeconds: 0 });
  expect(text).toContain('the rate limits of this registry cause no wait (5 new crates');
  expect(publishPlanText({ version: 1, ...plan, limits: null, minimumSeconds: null })).toBe(
    '  1. a v1.0.0: new crate\n',
  );
});
