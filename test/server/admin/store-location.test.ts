import { describe, expect, it } from 'vitest';
import {
  describeLocation,
  describePlaces,
  describeRecords,
  type StoreLocation,
} from '../../../src/server/admin/store-location.ts';

const placed = (database: string | null, storage: string | null): StoreLocation => ({
  dataFolder: null,
  database,
  storage,
});

describe('descriptions of a location', () => {
  it.each([
    ['postgres://user:geheim@db.example:6432/reg?max=3', 'postgres://user@db.example:6432/reg'],
    ['postgresql://user@db.example/reg', 'postgresql://user@db.example/reg'],
    ['postgres://server@user:geheim@[::1]:5432/reg#geheim', 'postgres://server@user@[::1]:5432/reg'],
    ['postgres://u:geheim@one:1,two/reg?password=geheim', 'postgres://u@one:1,two/reg'],
    ['postgres://u@%2Frun%2Fpostgresql/reg', 'postgres://u@%2Frun%2Fpostgresql/reg'],
    ['postgres:///reg', 'postgres:///reg'],
  ])('leave only secrets out of %s', (database, shown) => {
    expect(describeRecords(placed(database, null))).toBe(shown);
  });

  it.each([
    ['s3://crates/a/b?region=eu&key=geheim', 's3://crates/a/b?region=eu'],
    [
      's3://crates?endpoint=https://here:1/&path-style=true',
      's3://crates?endpoint=https://here:1/&path-style=true',
    ],
    ['s3://crates?endpoint=https://here/geheim', 's3://crates'],
    ['s3://crates?endpoint=https://key:geheim@here', 's3://…'],
  ])('show the parameters that identify an object store: %s', (storage, shown) => {
    expect(describePlaces(placed(null, storage))).toEqual({ storage: shown });
  });

  it.each([
    ['ge@heim'],
    ['ge:heim'],
    ['ge/heim'],
    ['ge?heim'],
    ['ge#heim'],
    ['ge%2Fheim'],
    ['/geheim'],
    ['1/heim'],
    ['1?region=heim'],
    ['1?region=heim&x='],
    ['1#heim'],
    ['@:/?#heim'],
    ['#?/:@heim'],
    ['[heim'],
    ['ge,heim'],
    ['ge\nheim'],
  ])('show no part of the password %j', (password) => {
    for (const rest of ['@host/db', '@host:5432/db?sslmode=require', '@host', '@one:1,two/db']) {
      const location = placed(`postgres://user:${password}${rest}`, `s3://user:${password}${rest}`);
      const texts = [
        describeRecords(location),
        describeLocation(location),
        ...Object.values(describePlaces(location)),
      ];
      for (const text of texts) expect(text).not.toMatch(/ge|heim/);
      expect(describeRecords(location)).toMatch(/^postgres:\/\//);
    }
  });

  it.each([
    ['postgres://user:geheim'],
    ['postgres://user:geheim/db'],
    ['postgres://user@host/db?password=a@geheim'],
    ['postgres://user@host/db?password=a#@geheim'],
    ['postgres://user:a@host/db#@geheim'],
  ])('show only the scheme if the password may be anywhere: %s', (database) => {
    expect(describeRecords(placed(database, null))).toBe('postgres://…');
  });
});
