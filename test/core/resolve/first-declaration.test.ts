import { describe, expect, it } from 'vitest';
import { parsePlatform } from '../../../src/core/platform/parse-platform.ts';
import { firstDeclaration } from '../../../src/core/resolve/first-declaration.ts';
import { FxHash } from '../../../src/core/resolve/fx-hash.ts';
import type { LockedDependency } from '../../../src/core/resolve/locked-dependency.ts';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';
import { parseVersionReq } from '../../../src/core/version/requirement.ts';

function hashOf(add: (hash: FxHash) => void): number {
  const hash = new FxHash();
  add(hash);
  return hash.finish();
}

describe('FxHash', () => {
  it('hashes numbers like the Rust crate rustc-hash', () => {
    // The lower half of the values in the tests of the Rust crate rustc-hash.
    const low = (value: bigint): number => Number(BigInt.asUintN(32, value));
    expect(hashOf((hash) => hash.number(0))).toBe(0);
    expect(hashOf((hash) => hash.number(1))).toBe(low(12157901119326311915n));
    expect(hashOf((hash) => hash.number(100))).toBe(low(16751747135202103309n));
    expect(hashOf((hash) => hash.number(0xffff_ffff_ffff_ffffn))).toBe(low(6288842954450348564n));
  });
});

describe('firstDeclaration', () => {
  const registry = new SourceTable().cratesIo();
  const declare = (
    nameInToml: string,
    req: string,
    rest: Partial<LockedDependency['declared']> = {},
  ): LockedDependency => ({
    isOfOwnIndex: false,
    declared: {
      name: 'aa',
      nameInToml,
      renamed: nameInToml !== 'aa',
      source: registry,
      registry: null,
      req: parseVersionReq(req),
      kind: 'normal',
      optional: false,
      defaultFeatures: true,
      features: [],
      platform: null,
      ...rest,
    },
    source: registry,
    locked: null,
  });

  it('does not depend on the order of the declarations', () => {
    const some = [
      declare('aa', '1'),
      declare('other', '~1.3.0-rc.1'),
      declare('aa', '>=1, <2', { kind: 'dev', features: ['f'] }),
      declare('aa', '*', { platform: parsePlatform('cfg(all(unix, not(target_os = "linux")))') }),
    ];
    const first = firstDeclaration(some);
    expect(firstDeclaration(some.toReversed())).toBe(first);
    expect(firstDeclaration([])).toBeUndefined();
  });
});
