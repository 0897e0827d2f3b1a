import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../helpers/project-root.ts';

interface ListedMessage {
  readonly file: string;
  readonly text: string;
  readonly isCargos: boolean;
}

const scripts = path.join(projectRoot, 'scripts');
const { readSources }: { readSources: (root: string) => ReadonlyMap<string, string> } = await import(
  path.join(scripts, 'check-layers.mjs')
);
const { listMessages }: { listMessages: (files: ReadonlyMap<string, string>) => readonly ListedMessage[] } =
  await import(path.join(scripts, 'list-messages.mjs'));
interface Found {
  readonly line: number;
  readonly phrase: string;
}
const {
  findRetired,
  findRetiredNames,
}: {
  findRetired: (text: string) => readonly Found[];
  findRetiredNames: (file: string, text: string) => readonly Found[];
} = await import(path.join(scripts, 'check-wording.mjs'));

/** Matches a command of the Rust toolchain in backticks or `<code>`, or advice to run or install one. */
const NAMES_RUST =
  /(?:`|<code>)(?:cargo|rustc|rustup) [-a-z{]|\b(?:[Rr]un|[Uu]se|[Ii]nstall|[Ii]nvoke|[Tt]ry|[Uu]pdate|[Ss]witch)\b[^.\n]{0,30}\b(?:[Cc]argo|rustc|rustup|nightly)\b(?!\.\w)|^(?:cargo|rustc|rustup) -?[a-z]/;

/** Messages that may name one: the file, a part of the text and the reason. */
const EXCEPTIONS = [
  ['cli/unknown-command.ts', 'on a machine with Rust', 'building'],
  ['cli/unknown-command.ts', 'invoke `cargo` through `rustup`', 'under the name cargo only'],
  ['cli/unknown-command.ts', 'find a package to install', 'under the name cargo only'],
  ['commands/vendor/flags.ts', 'has been merged into Cargo', 'flags that only the name cargo has'],
  ['commands/shared/workspace/missing-values.ts', 'rustup target list', "part of cargo's words"],
  [
    'commands/shared/platform/target-platform.ts',
    'could not find specification',
    'under the name cargo only',
  ],
  ['commands/shared/platform/target-platform.ts', 'failed to run `rustc`', 'under the name cargo only'],
  ['server/source/pack-documentation.ts', 'cargo doc', 'only cargo builds documentation'],
  ['server/http/api/documentation-operations.ts', 'cargo doc', 'only cargo builds documentation'],
  ['server/pages/settings/settings-documentation.ts', 'cargo doc', 'only cargo builds documentation'],
  ['server/pages/account/account-page.ts', 'Token “', 'users of a registry have either program'],
  ['server/pages/browse/how-to-use.ts', '', 'users of a registry have either program'],
  ['server/pages/shared/install-box.ts', 'cargo add', 'users of a registry have either program'],
  ['server/pages/shared/install-box.ts', 'cargo install', 'only cargo builds programs'],
  ['server/pages/mirrored/mirrored-install.ts', 'cargo add', 'users of a registry have either program'],
  ['io/credentials/token-provider.ts', 'cargo login', 'removed from what users paste'],
  ['core/document/schema.ts', 'cargo metadata, format version 1', 'the name of a format'],
] as const;

describe("messages of tsreg's own mode", () => {
  const naming = listMessages(readSources(projectRoot)).filter(
    ({ text, isCargos }) => !isCargos && NAMES_RUST.test(text),
  );
  const matches = (
    { file, text }: ListedMessage,
    [place, part]: readonly [string, string, string],
  ): boolean => file === place && text.includes(part);

  it('do not tell users to run cargo, rustc or rustup, apart from listed exceptions', () => {
    expect(naming.filter((message) => !EXCEPTIONS.some((one) => matches(message, one)))).toEqual([]);
  });

  it('need every exception', () => {
    expect(EXCEPTIONS.filter((one) => !naming.some((message) => matches(message, one)))).toEqual([]);
  });
});

describe('the list of messages', () => {
  const textsOf = (source: string): readonly string[] =>
    listMessages(new Map([['a.ts', source]])).map(({ text, isCargos }) =>
      isCargos ? `cargo: ${text}` : text,
    );

  it('shows expressions in braces and joins concatenated texts', () => {
    expect(textsOf("f(`one two ${n}`); g('three ' + x + ' four five' + `six ${`seven eight`}`);")).toEqual([
      'one two {n}',
      'three {…} four fivesix {`seven eight`}',
      'seven eight',
    ]);
  });

  it("distinguishes cargo's messages from tsreg's", () => {
    expect(textsOf("new Wording('please run it', `please run ${x} cargo`)")).toEqual([
      'please run it',
      'cargo: please run {x} cargo',
    ]);
  });

  it('omits names, imports and SQL', () => {
    expect(textsOf("import a from 'a b'; f('word'); g('SELECT one FROM two');")).toEqual([]);
  });
});

describe('the check of wording', () => {
  it('finds retired phrases with their lines, also across a line break', () => {
    expect(findRetired('Good.\nWhoever does\nnobody\ncan be\n')).toEqual([
      expect.objectContaining({ line: 2, phrase: 'Whoever' }),
      expect.objectContaining({ line: 3, phrase: 'nobody can be' }),
    ]);
  });

  it('finds retired parts of names in files and in their paths', () => {
    expect(findRetiredNames('commands/let-go.ts', 'const a = 1;\nsendPatiently();')).toEqual([
      { line: 2, phrase: 'Patien', instead: 'retry, timeout' },
      { line: 0, phrase: 'let-go', instead: 'unlock' },
    ]);
  });

  it('ignores code', () => {
    expect(findRetired('`whoever` <code>whoever</code>\n```sh\nwhoever\n```\n')).toEqual([]);
  });
});
