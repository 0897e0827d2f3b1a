import { expect, it } from 'vitest';
import { contentUuid } from '../../../src/commands/sbom/content-uuid.ts';
import { creationTime } from '../../../src/commands/sbom/creation-time.ts';
import { uniqueNames } from '../../../src/commands/sbom/unique-names.ts';

it('makes a UUID that depends only on the text', () => {
  const uuid = contentUuid('text');
  expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(contentUuid('text')).toBe(uuid);
  expect(contentUuid('other')).not.toBe(uuid);
});

it('numbers repeated names, and never gives a name twice', () => {
  expect(uniqueNames(['a', 'b', 'a', 'a-2', 'a'])).toEqual(['a', 'b', 'a-2', 'a-2-2', 'a-3']);
});

it('reads the creation time from SOURCE_DATE_EPOCH', () => {
  expect(creationTime({})).toBeNull();
  expect(creationTime({ SOURCE_DATE_EPOCH: '' })).toBeNull();
  expect(creationTime({ SOURCE_DATE_EPOCH: '1700000000' })?.toISOString()).toBe('2023-11-14T22:13:20.000Z');
});

it.each(['now', '-1', '1.5', '1e3', '253402300800', '9'.repeat(400)])(
  'rejects the creation time %s',
  (text) => {
    expect(() => creationTime({ SOURCE_DATE_EPOCH: text })).toThrow(
      `\`SOURCE_DATE_EPOCH\` must be a number of seconds since 1970, not \`${text}\``,
    );
  },
);
