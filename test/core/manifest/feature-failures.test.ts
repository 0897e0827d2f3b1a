import { expect, it } from 'vitest';
import { failureOf, PACKAGE } from './manifest-text.ts';

/** Invalid `[features]` tables, each with its error. */
const CASES: [string, string, string[]?][] = [
  [
    PACKAGE + '[dependencies]\nd="1"\no={version="1",optional=true}\n[features]\na=["abd"]\n',
    'failed: feature `a` includes `abd` which is neither a dependency nor another feature\n\nhelp: a feature with a similar name exists: `a`',
  ],
  [
    PACKAGE + '[dependencies]\nd="1"\no={version="1",optional=true}\n[features]\nabc=[]\na=["abd"]\n',
    'failed: feature `a` includes `abd` which is neither a dependency nor another feature\n\nhelp: a feature with a similar name exists: `abc`',
  ],
  [
    PACKAGE + '[dependencies]\nd="1"\no={version="1",optional=true}\n[features]\na=["d"]\n',
    'failed: feature `a` includes `d`, but `d` is not an optional dependency\nA non-optional dependency of the same name is defined; consider adding `optional = true` to its definition.',
  ],
  [
    PACKAGE + '[dependencies]\nd="1"\no={version="1",optional=true}\n[features]\na=["dep:d"]\n',
    'failed: feature `a` includes `dep:d`, but `d` is not an optional dependency\nA non-optional dependency of the same name is defined; consider adding `optional = true` to its definition.',
  ],
  [
    PACKAGE + '[dependencies]\nd="1"\no={version="1",optional=true}\n[features]\na=["dep:zz"]\n',
    'failed: feature `a` includes `dep:zz`, but `zz` is not listed as a dependency',
  ],
  [
    PACKAGE + '[dependencies]\nd="1"\no={version="1",optional=true}\n[features]\na=["d?/x"]\n',
    'failed: feature `a` includes `d?/x` with a `?`, but `d` is not an optional dependency\nA non-optional dependency of the same name is defined; consider removing the `?` or changing the dependency to be optional',
  ],
  [
    PACKAGE + '[dependencies]\nd="1"\no={version="1",optional=true}\n[features]\na=["dep:o/x"]\n',
    'failed: feature `a` includes `dep:o/x` with both `dep:` and `/`\nTo fix this, remove the `dep:` prefix.\nIf the intent is to avoid creating an implicit feature `o` for an optional dependency, then consider replacing this with two values:\n    "dep:o", "o/x"',
  ],
  [
    PACKAGE + '[dependencies]\nd="1"\no={version="1",optional=true}\n[features]\na=["dep:o?/x"]\n',
    'failed: feature `a` includes `dep:o?/x` with both `dep:` and `/`\nTo fix this, remove the `dep:` prefix.',
  ],
  [
    PACKAGE + '[dependencies]\nd="1"\no={version="1",optional=true}\n[features]\na=["dep:d/x"]\n',
    'failed: feature `a` includes `dep:d/x` with both `dep:` and `/`\nTo fix this, remove the `dep:` prefix.',
  ],
  [
    PACKAGE + '[dependencies]\nd="1"\no={version="1",optional=true}\n[features]\na=["dep:o","dep:o/x"]\n',
    'failed: feature `a` includes `dep:o/x` with both `dep:` and `/`\nTo fix this, remove the `dep:` prefix.',
  ],
  [
    PACKAGE + '[dependencies]\nd="1"\no={version="1",optional=true}\n[features]\na=["o/x/y"]\n',
    'failed: multiple slashes in feature `o/x/y` (included by feature `a`) are not allowed',
  ],
  [
    PACKAGE + '[dependencies]\nd="1"\no={version="1",optional=true}\n[features]\na=["zz/x"]\n',
    'failed: [9:3-11] feature `a` includes `zz/x`, but `zz` is not a dependency',
  ],
  [
    PACKAGE + '[dependencies]\nd="1"\no={version="1",optional=true}\n[features]\na=["zz?/x"]\n',
    'failed: [9:3-12] feature `a` includes `zz?/x`, but `zz` is not a dependency',
  ],
  [
    PACKAGE + '[dependencies]\nd="1"\no={version="1",optional=true}\n[features]\no=[]\n',
    'failed: optional dependency `o` is not included in any feature\nMake sure that `dep:o` is included in one of features in the [features] table.',
  ],
  [
    PACKAGE + '[dependencies]\nd="1"\no={version="1",optional=true}\n[features]\na=["dep:o"]\nb=["o"]\n',
    'failed: feature `b` includes `o`, but `o` is an optional dependency without an implicit feature\nUse `dep:o` to enable the dependency.',
  ],
  [
    PACKAGE + '[dependencies]\nd="1"\no={version="1",optional=true}\n[features]\na=["",""]\n',
    'failed: feature `a` includes `` which is neither a dependency nor another feature\n\nhelp: a feature with a similar name exists: `a`',
  ],
  [
    PACKAGE + '[dependencies]\nd="1"\no={version="1",optional=true}\n[features]\na=["/"]\n',
    'failed: [9:3-8] feature `a` includes `/`, but `` is not a dependency',
  ],
  [
    PACKAGE + '[dependencies]\nd="1"\no={version="1",optional=true}\n[features]\na=["dep:"]\n',
    'failed: feature `a` includes `dep:`, but `` is not listed as a dependency',
  ],
  [
    PACKAGE + '[features]\na=["zz/x"]\n',
    'failed: [6:3-11] feature `a` includes `zz/x`, but `zz` is not a dependency',
  ],
];

it.each(CASES)('refuses %j', (text, failure, files) => {
  expect(failureOf(text, files === undefined ? {} : { files })).toBe(failure);
});
