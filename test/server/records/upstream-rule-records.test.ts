import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NewUpstreamRule, UpstreamRuleKind } from '../../../src/server/store/upstream-rule-records.ts';
import { openTestRegistry, type TestRegistry } from '../../helpers/test-registry.ts';

const BY = { login: 'root', atMs: 5 };
const ALL = { limit: 100, offset: 0 };

let registry: TestRegistry;
beforeEach(async () => {
  registry = await openTestRegistry();
});
afterEach(() => registry[Symbol.asyncDispose]());

const rule = (
  name: string,
  version: string | null = null,
  kind: UpstreamRuleKind = 'block',
): NewUpstreamRule => ({ kind, name, version, reason: null });

async function add(...rules: readonly NewUpstreamRule[]): Promise<readonly boolean[]> {
  const added: boolean[] = [];
  for (const each of rules) added.push(await registry.store.records.addUpstreamRule(each, BY));
  return added;
}

async function found(name: string): Promise<readonly string[]> {
  const rules = await registry.store.records.findUpstreamRules(name);
  return rules.map(({ kind, name: shown, version }) => `${kind} ${shown} ${version}`);
}

describe('the rules for a crate', () => {
  it('are found in every spelling of its name, without those of crates with similar names', async () => {
    await add(rule('Foo-bar', '1.0.0'), rule('foo_BAR'), rule('foo-bar', '2.0.0-rc.1', 'allow'));
    await add(rule('foo'), rule('foo-bar2'), rule('foo-barz', '1.0.0'), rule('f'));
    for (const name of ['foo-bar', 'FOO_bar']) {
      expect(await found(name)).toEqual([
        'allow foo-bar 2.0.0-rc.1',
        'block foo_BAR null',
        'block Foo-bar 1.0.0',
      ]);
    }
    expect(await found('foo')).toEqual(['block foo null']);
    expect(await found('foo-')).toEqual([]);
    expect(await found('%')).toEqual([]);
  });

  it('are added once, whatever the spelling, and can both block and allow the same version', async () => {
    const first = { ...rule('foo-bar', '1.0.0'), reason: 'breaks “builds” <b>' };
    expect(await add(first, rule('FOO_bar', '1.0.0'), rule('foo-bar', '1.0.0', 'allow'))).toEqual([
      ...[true, false, true],
    ]);
    expect(await registry.store.records.listUpstreamRules('block', ALL)).toEqual({
      items: [{ ...first, addedAtMs: 5 }],
      total: 1,
    });
  });

  it('are added once by two admins at the same time', async () => {
    const { records } = registry.store;
    const both = ['root', 'mira'].map((login) => records.addUpstreamRule(rule('foo'), { login, atMs: 5 }));
    expect((await Promise.all(both)).filter((isAdded) => isAdded)).toHaveLength(1);
    expect((await records.listAudit({ action: 'block-upstream' }, ALL)).total).toBe(1);
  });

  it('are removed one by one', async () => {
    const { records } = registry.store;
    await add(rule('foo'), rule('foo', '1.0.0'), rule('foo', '1.0.0', 'allow'));
    expect(await records.removeUpstreamRule(rule('FOO', '1.0.0'), BY)).toBe(true);
    expect(await records.removeUpstreamRule(rule('foo', '1.0.0'), BY)).toBe(false);
    expect(await found('foo')).toEqual(['allow foo 1.0.0', 'block foo null']);
  });

  it('still apply if another release stored their details in another form', async () => {
    const { records } = registry.store;
    await records.changeSettings(
      ['upstream-rule/block/foo_bar@1.0.0', 'upstream-rule/allow/foo_bar@'].map((name, at) => ({
        ...{ name, value: Buffer.from(at === 0 ? '{"name":5}' : 'no JSON'), detail: '' },
      })),
      BY,
    );
    expect(await records.findUpstreamRules('foo-bar')).toEqual([
      { kind: 'allow', name: 'foo_bar', version: null, reason: null, addedAtMs: 0 },
      { kind: 'block', name: 'foo_bar', version: '1.0.0', reason: null, addedAtMs: 0 },
    ]);
  });
});

describe('all rules', () => {
  it('are listed in parts by name, and are no settings of the website', async () => {
    const { records } = registry.store;
    await records.changeSettings([{ name: 'name', value: Buffer.from('Acme'), detail: '' }], BY);
    await add(rule('c'), rule('a', '1.0.0'), rule('b'), rule('z', null, 'allow'));
    const { items, total } = await records.listUpstreamRules('block', { limit: 2, offset: 1 });
    expect([items.map(({ name }) => name), total]).toEqual([['b', 'c'], 3]);
    expect((await records.listUpstreamRules('block', { limit: 0, offset: 0 })).total).toBe(3);
    expect([...(await records.listSettings()).keys()]).toEqual(['name']);
  });

  it('have audit entries about their changes', async () => {
    const { records } = registry.store;
    await add(
      { ...rule('Foo-x', '1.0.0'), reason: 'why' },
      rule('foo', null, 'allow'),
      rule('foo_X', '1.0.0'),
    );
    await records.removeUpstreamRule(rule('Foo-x', '1.0.0'), { login: 'mira', atMs: 6 });
    await records.removeUpstreamRule(rule('foo', null, 'allow'), BY);
    await records.removeUpstreamRule(rule('foo', null, 'allow'), BY);
    const { items } = await records.listAudit({}, ALL);
    expect(
      items.map(({ actor, action, crate, version, detail }) => [actor, action, crate, version, detail]),
    ).toEqual([
      ['root', 'disallow-upstream', 'foo', null, null],
      ['mira', 'unblock-upstream', 'Foo-x', '1.0.0', null],
      ['root', 'allow-upstream', 'foo', null, null],
      ['root', 'block-upstream', 'Foo-x', '1.0.0', 'why'],
    ]);
  });
});
