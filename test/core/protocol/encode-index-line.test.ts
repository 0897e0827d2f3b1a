import { describe, expect, it } from 'vitest';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';
import { encodeIndexLine } from '../../../src/core/protocol/encode-index-line.ts';
import { decodeIndexLine } from '../../../src/core/protocol/index-line.ts';
import type { Summary } from '../../../src/core/summary/summary.ts';

const sources = new SourceTable();
const cratesIo = sources.cratesIo();
const CHECKSUM = '8ea844f7f43b22a49357d257389d46aa20e0ad1ef9d23710e9cddadedbad51cd';

/** A line that cargo wrote for a package whose registry is the sparse index of crates.io. */
const LINE = `{"name":"ws-a","vers":"0.1.0","deps":[{"name":"itoa","req":"^1","features":["no-panic"],"optional":true,"default_features":false,"target":null,"kind":"normal","registry":"https://github.com/rust-lang/crates.io-index","package":null,"public":null,"artifact":null,"bindep_target":null,"lib":false},{"name":"re","req":"^1.0","features":[],"optional":false,"default_features":true,"target":null,"kind":"normal","registry":"https://github.com/rust-lang/crates.io-index","package":"ryu","public":null,"artifact":null,"bindep_target":null,"lib":false},{"name":"libc","req":"^0.2","features":[],"optional":false,"default_features":true,"target":"cfg(unix)","kind":"build","registry":"https://github.com/rust-lang/crates.io-index","package":null,"public":null,"artifact":null,"bindep_target":null,"lib":false}],"features":{"default":["std"],"std":["itoa?/no-panic"],"zz":[]},"features2":null,"cksum":"${CHECKSUM}","yanked":null,"links":"foo","rust_version":null,"pubtime":null,"v":2}`;
const FEATURES = new Map([
  ['zz', []],
  ['std', ['itoa?/no-panic']],
  ['default', ['std']],
]);

function summaryOf(line: string): Summary {
  const entry = decodeIndexLine(line, { original: cratesIo, actual: cratesIo }, sources);
  if (entry?.kind !== 'usable') throw new Error('not usable');
  return entry.summary;
}

describe('an index line', () => {
  const summary = summaryOf(LINE);

  it('matches the line that cargo writes for crates.io', () => {
    const registries = { registry: sources.cratesIoSparse(), cratesIo };
    expect(encodeIndexLine({ summary, features: FEATURES, checksum: CHECKSUM }, registries)).toBe(LINE);
  });

  it('names no registry for dependencies from its own registry', () => {
    const line = encodeIndexLine(
      { summary, features: FEATURES, checksum: CHECKSUM },
      { registry: cratesIo, cratesIo },
    );
    expect(line).toBe(LINE.replaceAll('"https://github.com/rust-lang/crates.io-index"', 'null'));
  });

  it('names a sparse registry with its protocol, and sorts features that look like numbers', () => {
    const registry = sources.forRegistryIndex('sparse+https://alt.example/index/');
    const [first] = summary.dependencies;
    if (first === undefined) throw new Error('no dependency');
    const line = encodeIndexLine(
      {
        summary: { ...summary, dependencies: [{ ...first, registry }], links: null },
        features: new Map([
          ['10', []],
          ['1', []],
          ['+a', []],
        ]),
        checksum: CHECKSUM,
      },
      { registry: cratesIo, cratesIo },
    );
    expect(line).toContain('"registry":"sparse+https://alt.example/index/"');
    expect(line).toContain('"features":{"+a":[],"1":[],"10":[]}');
    expect(line).toContain('"links":null');
  });
});
