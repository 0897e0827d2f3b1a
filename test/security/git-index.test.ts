import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TsregError } from '../../src/core/errors/error.ts';
import { parseIndex, parseStatus } from '../../src/io/git/work-tree-listing.ts';

const OID = '3b18e512dba79e4c8300dd08aeb37f8e728b8dad';
const INDEX = `H 100644 ${OID} 0\tsrc/lib.rs\0S 120000 ${OID} 0\ta\tb\nc\0H 160000 ${OID} 1\tsub\0`;
const STATUS =
  `# branch.oid ${OID}\0? new/\0! target/\0` +
  `1 .M N... 100644 100644 100644 ${OID} ${OID} src/a b\0` +
  `2 R. N... 100644 100644 100644 ${OID} ${OID} R100 to\0from\0` +
  `u UU N... 100644 100644 100644 100644 ${OID} ${OID} ${OID} c\0`;

describe.each([
  ['ls-files', parseIndex, INDEX],
  ['status', parseStatus, STATUS],
] as const)('the output of `git %s`', (_name, parse, output) => {
  it('is parsed without an error', () => {
    expect(() => parse(output)).not.toThrow();
    expect(() => parse('')).not.toThrow();
  });

  it('is refused if it is truncated', () => {
    const ends = [...output.matchAll(/\0/g)].map(({ index }) => index + 1);
    for (let length = 1; length < output.length; length++) {
      if (ends.includes(length)) continue;
      expect(() => parse(output.slice(0, length)), String(length)).toThrow(
        'printed a list that tsreg cannot read',
      );
    }
  });

  it('is parsed or refused with a TsregError, whatever it contains', () => {
    const word = fc.constantFrom(
      ...Array.from('\0\t \nHSMu12?!#. 0'),
      OID,
      'path',
      '# branch.oid ',
      '100644',
    );
    const changed = fc
      .tuple(fc.nat(output.length), fc.nat(40), fc.array(word, { maxLength: 8 }))
      .map(([at, removed, added]) => output.slice(0, at) + added.join('') + output.slice(at + removed));
    fc.assert(
      fc.property(
        fc.oneof(
          changed,
          fc.array(word, { maxLength: 60 }).map((words) => words.join('')),
        ),
        (text) => {
          try {
            parse(text);
          } catch (error) {
            if (!(error instanceof TsregError)) throw error;
          }
        },
      ),
      { numRuns: 3000, seed: 29 },
    );
  });

  it('is parsed within seconds even if it has megabytes', () => {
    for (const part of [output, '\0', '\t', 'H ', '\t\0', '1 ']) {
      const start = performance.now();
      try {
        parse(part.repeat(Math.ceil(2_000_000 / part.length)));
      } catch (error) {
        if (!(error instanceof TsregError)) throw error;
      }
      expect(performance.now() - start, JSON.stringify(part)).toBeLessThan(3000);
    }
  });
});
