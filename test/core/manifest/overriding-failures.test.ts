import { expect, it } from 'vitest';
import { failureOf, PACKAGE, unstable } from './manifest-text.ts';

/** Invalid `[patch]` and `[replace]` tables, each with its error. */
const CASES: [string, string, string[]?][] = [
  [
    PACKAGE + '[patch.crates]\nx={path="x"}\n',
    'failed: [patch] entry `crates` should be a URL or registry name\nFor crates.io, use [patch.crates-io] (with a dash) <- invalid url `crates`: relative URL without a base',
  ],
  [
    '[workspace]\n[patch.crates]\nx={path="x"}\n',
    'failed: [patch] entry `crates` should be a URL or registry name\nFor crates.io, use [patch.crates-io] (with a dash) <- invalid url `crates`: relative URL without a base',
  ],
  [
    PACKAGE + '[patch.nope]\nx={path="x"}\n',
    'failed: [patch] entry `nope` should be a URL or registry name <- invalid url `nope`: relative URL without a base',
  ],
  [
    '[workspace]\n[patch.nope]\nx={path="x"}\n',
    'failed: [patch] entry `nope` should be a URL or registry name <- invalid url `nope`: relative URL without a base',
  ],
  [
    PACKAGE + '[patch.crates-io]\nx={}\n',
    'failed: dependency (x) specified without providing a local path, Git repository, version, or workspace dependency to use',
  ],
  [
    '[workspace]\n[patch.crates-io]\nx={}\n',
    'failed: dependency (x) specified without providing a local path, Git repository, version, or workspace dependency to use',
  ],
  [
    PACKAGE + '[patch.crates-io]\nx={path="x",base="y"}\n',
    'failed: resolving path for patch of (x) for source (crates-io) <- ' + unstable('path-bases'),
  ],
  [
    '[workspace]\n[patch.crates-io]\nx={path="x",base="y"}\n',
    'failed: resolving path for patch of (x) for source (crates-io) <- ' + unstable('path-bases'),
  ],
  [
    PACKAGE + '[patch.crates-io]\nx={version="1",base="y"}\n',
    'failed: resolving path for patch of (x) for source (crates-io) <- `base` can only be used with path dependencies',
  ],
  [
    '[workspace]\n[patch.crates-io]\nx={version="1",base="y"}\n',
    'failed: resolving path for patch of (x) for source (crates-io) <- `base` can only be used with path dependencies',
  ],
  [PACKAGE + '[patch.crates-io]\n[replace]\n', 'failed: cannot specify both [replace] and [patch]'],
  ['[workspace]\n[patch.crates-io]\n[replace]\n', 'failed: cannot specify both [replace] and [patch]'],
  [
    PACKAGE + '[replace]\n"x"={path="y"}\n',
    'failed: replacements must specify a version to replace, but `https://github.com/rust-lang/crates.io-index#x` does not',
  ],
  [
    '[workspace]\n[replace]\n"x"={path="y"}\n',
    'failed: replacements must specify a version to replace, but `https://github.com/rust-lang/crates.io-index#x` does not',
  ],
  [
    PACKAGE + '[replace]\n"x:1"={path="y"}\n',
    'failed: replacements must specify a version to replace, but `https://github.com/rust-lang/crates.io-index#x@1` does not',
  ],
  [
    '[workspace]\n[replace]\n"x:1"={path="y"}\n',
    'failed: replacements must specify a version to replace, but `https://github.com/rust-lang/crates.io-index#x@1` does not',
  ],
  [
    PACKAGE + '[replace]\n"x:1.2"={path="y"}\n',
    'failed: replacements must specify a version to replace, but `https://github.com/rust-lang/crates.io-index#x@1.2` does not',
  ],
  [
    '[workspace]\n[replace]\n"x:1.2"={path="y"}\n',
    'failed: replacements must specify a version to replace, but `https://github.com/rust-lang/crates.io-index#x@1.2` does not',
  ],
  [
    PACKAGE + '[replace]\n"x@1.2.3"={path="y",version="1"}\n',
    'failed: replacements cannot specify a version requirement, but found one for `https://github.com/rust-lang/crates.io-index#x@1.2.3`',
  ],
  [
    '[workspace]\n[replace]\n"x@1.2.3"={path="y",version="1"}\n',
    'failed: replacements cannot specify a version requirement, but found one for `https://github.com/rust-lang/crates.io-index#x@1.2.3`',
  ],
  [
    PACKAGE + '[replace]\n"x@1.2.3"="1"\n',
    'failed: replacements cannot specify a version requirement, but found one for `https://github.com/rust-lang/crates.io-index#x@1.2.3`',
  ],
  [
    '[workspace]\n[replace]\n"x@1.2.3"="1"\n',
    'failed: replacements cannot specify a version requirement, but found one for `https://github.com/rust-lang/crates.io-index#x@1.2.3`',
  ],
  [
    PACKAGE + '[replace]\n"x y:1.2.3"={path="y"}\n',
    'failed: replacements must specify a valid semver version to replace, but `x y:1.2.3` does not <- invalid character ` ` in package name: `x y`, characters must be Unicode XID characters (numbers, `-`, `_`, or most letters)',
  ],
  [
    '[workspace]\n[replace]\n"x y:1.2.3"={path="y"}\n',
    'failed: replacements must specify a valid semver version to replace, but `x y:1.2.3` does not <- invalid character ` ` in package name: `x y`, characters must be Unicode XID characters (numbers, `-`, `_`, or most letters)',
  ],
  [
    PACKAGE + '[replace]\n"https://a/b"={path="y"}\n',
    'failed: replacements must specify a version to replace, but `https://a/b` does not',
  ],
  [
    '[workspace]\n[replace]\n"https://a/b"={path="y"}\n',
    'failed: replacements must specify a version to replace, but `https://a/b` does not',
  ],
  [
    PACKAGE + '[replace]\n"https://a/b#c:1.2.3"={path="y",version="1"}\n',
    'failed: replacements cannot specify a version requirement, but found one for `https://a/b#c@1.2.3`',
  ],
  [
    '[workspace]\n[replace]\n"https://a/b#c:1.2.3"={path="y",version="1"}\n',
    'failed: replacements cannot specify a version requirement, but found one for `https://a/b#c@1.2.3`',
  ],
  [
    PACKAGE + '[replace]\n"https://a/b?x"={path="y"}\n',
    'failed: replacements must specify a valid semver version to replace, but `https://a/b?x` does not <- cannot have a query string in a pkgid: https://a/b?x',
  ],
  [
    '[workspace]\n[replace]\n"https://a/b?x"={path="y"}\n',
    'failed: replacements must specify a valid semver version to replace, but `https://a/b?x` does not <- cannot have a query string in a pkgid: https://a/b?x',
  ],
  [
    PACKAGE + '[replace]\n"git+https://a/b?branch=x/y#c"={path="y",version="1"}\n',
    'failed: replacements cannot specify a version requirement, but found one for `git+https://a/b?branch=x%2Fy#c`',
  ],
  [
    '[workspace]\n[replace]\n"git+https://a/b?branch=x/y#c"={path="y",version="1"}\n',
    'failed: replacements cannot specify a version requirement, but found one for `git+https://a/b?branch=x%2Fy#c`',
  ],
  [
    PACKAGE + '[replace]\n"x:abc"={path="y"}\n',
    'failed: replacements must specify a valid semver version to replace, but `x:abc` does not <- expected a version like "1.32"',
  ],
  [
    '[workspace]\n[replace]\n"x:abc"={path="y"}\n',
    'failed: replacements must specify a valid semver version to replace, but `x:abc` does not <- expected a version like "1.32"',
  ],
];

it.each(CASES)('refuses %j', (text, failure, files) => {
  expect(failureOf(text, files === undefined ? {} : { files })).toBe(failure);
});
