import { expect, it } from 'vitest';
import { failureOf, PACKAGE, unstable } from './manifest-text.ts';

/** Invalid dependency tables, each with its error. */
const CASES: [string, string, string[]?][] = [
  [
    '[package]\nname = "p"\nedition = "2024"\n[dev_dependencies]\n',
    'failed: `dev_dependencies` is unsupported as of the 2024 edition; instead use `dev-dependencies`\n(in the `p` package)',
  ],
  [
    '[package]\nname = "p"\nedition = "2024"\n[dependencies]\nx = {version="1",default_features=false}\n',
    'failed: `default_features` is unsupported as of the 2024 edition; instead use `default-features`\n(in the `x` dependency)',
  ],
  [
    PACKAGE + '[dependencies]\nx = {}\n',
    'failed: dependency (x) specified without providing a local path, Git repository, version, or workspace dependency to use',
  ],
  [
    PACKAGE + '[dependencies]\nx = {foo=1}\n',
    'failed: dependency (x) specified without providing a local path, Git repository, version, or workspace dependency to use',
  ],
  [
    PACKAGE + '[dependencies]\nx = {git="a", path="b"}\n',
    'failed: dependency (x) specification is ambiguous. Only one of `git` or `path` is allowed.',
  ],
  [
    PACKAGE + '[dependencies]\nx = {git="https://a/b", path="b", registry="alt"}\n',
    'failed: dependency (x) specification is ambiguous. Only one of `git` or `path` is allowed.',
  ],
  [
    PACKAGE + '[dependencies]\nx = {git="https://a/b", registry="alt", registry-index="https://x"}\n',
    'failed: dependency (x) specification is ambiguous. Only one of `registry` or `registry-index` is allowed.',
  ],
  [
    PACKAGE + '[dependencies]\nx = {git="https://a/b", registry="unknown"}\n',
    'failed: registry index was not found in any configuration: `unknown`',
  ],
  [
    PACKAGE + '[dependencies]\nx = {registry="alt", registry-index="https://x", version="1"}\n',
    'failed: dependency (x) specification is ambiguous. Only one of `registry` or `registry-index` is allowed.',
  ],
  [
    PACKAGE + '[dependencies]\nx = {git="https://a/b", branch="a", tag="b"}\n',
    'failed: dependency (x) specification is ambiguous. Only one of `branch`, `tag` or `rev` is allowed.',
  ],
  [
    PACKAGE + '[dependencies]\nx = {version="1", branch="a"}\n',
    'failed: key `branch` is ignored for dependency (x).',
  ],
  [
    PACKAGE + '[dependencies]\nx = {version="1", tag="a"}\n',
    'failed: key `tag` is ignored for dependency (x).',
  ],
  [
    PACKAGE + '[dependencies]\nx = {version="1", rev="a"}\n',
    'failed: key `rev` is ignored for dependency (x).',
  ],
  [
    PACKAGE + '[dependencies]\nx = {version="1", registry="nope"}\n',
    'failed: registry index was not found in any configuration: `nope`',
  ],
  [
    PACKAGE + '[dependencies]\nx = {version="1", registry-index="x"}\n',
    'failed: invalid url `x`: relative URL without a base',
  ],
  [
    PACKAGE + '[dependencies]\nx = {path="a", registry="nope"}\n',
    'failed: registry index was not found in any configuration: `nope`',
  ],
  [
    PACKAGE + '[dependencies]\nx = "abc"\n',
    "failed: failed to parse the version requirement `abc` for dependency `x` <- unexpected character 'a' while parsing major version number",
  ],
  [
    PACKAGE + '[dependencies]\nx = ""\n',
    'failed: failed to parse the version requirement `` for dependency `x` <- unexpected end of input while parsing major version number',
  ],
  [
    PACKAGE + '[dependencies]\nx = "1 || 2"\n',
    "failed: failed to parse the version requirement `1 || 2` for dependency `x` <- expected comma after major version number, found '|'",
  ],
  [
    PACKAGE + '[dependencies]\nx = {version="v1", package="zz"}\n',
    "failed: failed to parse the version requirement `v1` for dependency `zz` <- unexpected character 'v' while parsing major version number",
  ],
  [
    PACKAGE + '[dependencies]\nx = {version="1", features=["a/b"]}\n',
    'failed: feature `a/b` in dependency `x` is not allowed to contain slashes\nIf you want to enable features of a transitive dependency, the direct dependency needs to re-export those features from the `[features]` table.',
  ],
  [
    PACKAGE + '[dependencies]\nx = {version="1", features=["dep:b"]}\n',
    "failed: feature `dep:b` in dependency `x` is not allowed to use explicit `dep:` syntax\nIf you want to enable an optional dependency, specify the name of the optional dependency without the `dep:` prefix, or specify a feature from the dependency's `[features]` table that enables the optional dependency.",
  ],
  [
    PACKAGE + '[dependencies]\nx = {git="git@github.com:a/b.git"}\n',
    'failed: invalid url `git@github.com:a/b.git`: relative URL without a base; try using `ssh://git@github.com/a/b.git` instead',
  ],
  [PACKAGE + '[dependencies]\nx = {git=""}\n', 'failed: invalid url ``: relative URL without a base'],
  [
    PACKAGE + '[dependencies]\nx = {git="x:y"}\n',
    'failed: invalid url `x:y`: cannot-be-a-base-URLs are not supported',
  ],
  [
    PACKAGE + '[dependencies]\nx = {version="1", artifact="bin"}\n',
    'failed: `artifact = …` requires `-Z bindeps` (x)',
  ],
  [
    PACKAGE + '[dependencies]\nx = {version="1", lib=true}\n',
    "failed: 'lib' specifier cannot be used without an 'artifact = …' value (x)",
  ],
  [
    PACKAGE + '[dependencies]\nx = {version="1", target="x"}\n',
    "failed: 'target' specifier cannot be used without an 'artifact = …' value (x)",
  ],
  [
    PACKAGE + '[dependencies]\nx = {version="1", lib=true, target="x"}\n',
    "failed: 'lib' specifier cannot be used without an 'artifact = …' value (x)",
  ],
  [
    PACKAGE + '[dependencies]\nx = {path="a", base="b"}\n',
    'failed: resolving path dependency x <- ' + unstable('path-bases'),
  ],
  [
    PACKAGE + '[dependencies]\nx = {version="1", base="b"}\n',
    'failed: resolving path dependency x <- `base` can only be used with path dependencies',
  ],
  [
    PACKAGE + '[dependencies]\nx = {version="1.0+b"}\n',
    "failed: failed to parse the version requirement `1.0+b` for dependency `x` <- expected comma after minor version number, found '+'",
  ],
  [
    PACKAGE + '[dev-dependencies]\nx={version="1",optional=true}\n',
    'failed: dev-dependencies are not allowed to be optional: `x`',
  ],
  [
    PACKAGE + '[dependencies]\nx="1"\n[dev-dependencies]\nx={path="y"}\n',
    "failed: Dependency 'x' has different source paths depending on the build target. Each dependency must have a single canonical source path irrespective of build target.",
  ],
  [
    PACKAGE + '[target."cfg("]\n',
    'failed: failed to parse `cfg(` as a cfg expression: invalid target specifier: unexpected `(` character, cfg expressions must start with `cfg(`',
  ],
  [
    PACKAGE + '[target."cfg(a b)".dependencies]\nx="1"\n',
    'failed: failed to parse `a b` as a cfg expression: unexpected content `b` found after cfg expression',
  ],
  [
    PACKAGE + '[target."a b".dependencies]\nx="1"\n',
    'failed: failed to parse `a b` as a cfg expression: invalid target specifier: unexpected character   in target name',
  ],
  [
    PACKAGE + '[target."foo(bar)".dependencies]\nx="1"\n',
    'failed: failed to parse `foo(bar)` as a cfg expression: invalid target specifier: unexpected `(` character, cfg expressions must start with `cfg(`',
  ],
  [
    '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2024"\n[target.a.dev_dependencies]\nx="1"\n',
    'failed: `dev_dependencies` is unsupported as of the 2024 edition; instead use `dev-dependencies`\n(in the `a` platform target)',
  ],
  [
    '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2024"\n[build_dependencies]\nx="1"\n',
    'failed: `build_dependencies` is unsupported as of the 2024 edition; instead use `build-dependencies`\n(in the `p` package)',
  ],
];

it.each(CASES)('refuses %j', (text, failure, files) => {
  expect(failureOf(text, files === undefined ? {} : { files })).toBe(failure);
});
