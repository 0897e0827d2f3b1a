import { expect, it } from 'vitest';
import { failureOf, unstable } from './manifest-text.ts';

/** Invalid targets, each with its error and the files of the package. */
const CASES: [string, string, string[]?][] = [
  [
    '[package]\nname = "p"\ndefault-run = "zzz"\n',
    'failed: default-run target `zzz` not found\n\nhelp: a target with a similar name exists: `p`',
    ['src/main.rs'],
  ],
  [
    '[package]\nname = "p"\ndefault-run = "pp"\n',
    'failed: default-run target `pp` not found\n\nhelp: a target with a similar name exists: `p`',
    ['src/main.rs'],
  ],
  [
    '[package]\nname = "p"\n[[bin]]\nname = "x"\npath = "x.rs"\nfilename = "z"\n',
    'failed: ' + unstable('different-binary-name'),
  ],
  [
    '[package]\nname = "p"\nedition = "2018"\n[[bin]]\nname = "a"\n',
    "failed: can't find `a` bin at `src/bin/a.rs` or `src/bin/a/main.rs`. Please specify bin.path if you want to use a non-default path.\n\nhelp: a bin with a similar name exists: `p`",
    ['src/main.rs'],
  ],
  [
    '[package]\nname = "p"\nedition = "2018"\n[[bin]]\nname = "a"\n',
    "failed: can't find `a` bin at default paths, but found a file at `src/bins/a.rs`.\nPerhaps rename the file to `src/bin/a.rs` for target auto-discovery, or specify bin.path if you want to use a non-default path.",
    ['src/bins/a.rs'],
  ],
  [
    '[package]\nname = "p"\nedition = "2018"\n[[bin]]\nname = "a"\n',
    "failed: cannot infer path for `a` bin\nCargo doesn't know which to use because multiple target files found at `src/bin/a.rs` and `src/bin/a/main.rs`.",
    ['src/bin/a.rs', 'src/bin/a/main.rs'],
  ],
  [
    '[package]\nname = "p"\nedition = "2018"\n[lib]\nname = "zz"\n',
    "failed: can't find library `zz`, rename file to `src/lib.rs` or specify lib.path",
    ['src/zz.rs'],
  ],
  [
    '[package]\nname = "a-b"\n[lib]\nname = "a-b"\n',
    'failed: library target names cannot contain hyphens: a-b',
  ],
  [
    '[package]\nname = "a-b"\n[[bin]]\nname = "deps"\npath = "x.rs"\n',
    "failed: the binary target name `deps` is forbidden, it conflicts with cargo's build directory names",
  ],
  ['[package]\nname = "a-b"\n[[bin]]\npath = "x.rs"\n', 'failed: binary target bin.name is required'],
  [
    '[package]\nname = "a-b"\n[[bin]]\nname = " "\npath = "x.rs"\n',
    'failed: binary target names cannot be empty',
  ],
  [
    '[package]\nname = "p"\n',
    'failed: found duplicate binary name p, but all binary targets must have a unique name',
    ['src/main.rs', 'src/bin/p.rs'],
  ],
  [
    '[package]\nname = "p"\nedition = "2018"\n[[example]]\nname = "p"\npath = "x.rs"\n[[example]]\nname = "p"\npath = "y.rs"\n',
    'failed: found duplicate example name p, but all example targets must have a unique name',
  ],
  [
    '[package]\nname = "p"\n',
    'failed: no targets specified in the manifest\neither src/lib.rs, src/main.rs, a [lib] section, or [[bin]] section must be present',
    ['src/x.rs'],
  ],
  [
    '[package]\nname = "p"\n[lib]\ncrate-type = ["dylib", "cdylib"]\n',
    'failed: library `p` cannot set the crate type of both `dylib` and `cdylib`',
  ],
  [
    '[package]\nname = "p"\n[lib]\ncrate-type = ["proc-macro", "lib"]\n',
    'failed: cannot mix `proc-macro` crate type with others',
  ],
  [
    '[package]\nname = "p"\nedition = "2024"\n[lib]\nproc_macro = true\n',
    'failed: `proc_macro` is unsupported as of the 2024 edition; instead use `proc-macro`\n(in the `p` library target)',
  ],
  [
    '[package]\nname = "p"\n[lib]\ncrate-type = ["weird","lib","bin"]\nedition = "2099"\n',
    'failed: failed to parse the `edition` key <- supported edition values are `2015`, `2018`, `2021`, or `2024`, but `2099` is unknown',
  ],
  [
    '[package]\nname = "p"\n[lib]\nedition = "2098"\n',
    'failed: failed to parse the `edition` key <- supported edition values are `2015`, `2018`, `2021`, or `2024`, but `2098` is unknown',
  ],
  [
    '[package]\nname = "p"\n[lib]\nedition = "2030"\n',
    'failed: failed to parse the `edition` key <- this version of Cargo is older than the `2030` edition, and only supports `2015`, `2018`, `2021`, and `2024` editions.',
  ],
];

it.each(CASES)('refuses %j', (text, failure, files) => {
  expect(failureOf(text, files === undefined ? {} : { files })).toBe(failure);
});
