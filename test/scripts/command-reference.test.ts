import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../helpers/project-root.ts';

interface FlagEntry {
  readonly term: string;
  readonly help: string;
  readonly values: readonly string[];
  readonly heading: string;
}

interface CommandEntry {
  readonly words: readonly string[];
  readonly name: string;
  readonly about: string;
  readonly usage: string;
  readonly flags: readonly FlagEntry[];
  readonly globalFlags: readonly FlagEntry[];
  readonly hasAllGlobalFlags: boolean;
  readonly examples: readonly { readonly purpose: string; readonly line: string }[];
  readonly documentation: string;
  readonly subcommands: readonly CommandEntry[];
}

const scripts = path.join(projectRoot, 'scripts');
const tables: {
  updatePage(text: string, byName: ReadonlyMap<string, CommandEntry>): string;
  withFlags(text: string, command: CommandEntry): string;
  withSubcommand(text: string, command: CommandEntry): string;
  updateSharedFlags(
    text: string,
    flags: { readonly globalFlags: readonly FlagEntry[]; readonly programFlags: readonly FlagEntry[] },
  ): string;
} = await import(path.join(scripts, 'option-tables.mjs'));
const roff: { toRoff(text: string): string } = await import(path.join(scripts, 'roff.mjs'));
const man: {
  manPage(command: CommandEntry, details: Readonly<Record<string, unknown>>): string;
} = await import(path.join(scripts, 'man-page.mjs'));

function command(...flags: readonly FlagEntry[]): CommandEntry {
  const usage = 'tsreg brew [OPTIONS]';
  return {
    ...{ words: ['brew'], name: 'brew', about: 'Make tea', usage, flags, subcommands: [] },
    ...{ globalFlags: [QUIET, HELP], hasAllGlobalFlags: false, documentation: 'docs/brew.md' },
    examples: [{ purpose: 'Make it `strong`', line: "tsreg brew -s '~^1'" }],
  };
}

const QUIET = { term: '-q, --quiet', help: 'Be quiet', values: [], heading: 'Common Options' };
const HELP = { term: '-h, --help', help: 'Print help', values: [], heading: 'Common Options' };
const STRONG = { term: '-s, --strong', help: 'Use more', values: [], heading: 'Options' };
const LEAVES = { term: '--leaves <KIND>', help: 'Which', values: ['green', 'black'], heading: 'Tea' };

describe('the tables of flags', () => {
  const page = tables.withFlags('# tsreg brew\n\n```\nold\n```\n\nMakes tea.\n', command(STRONG));

  it('keep the notes of the page and take the rest from the definitions', () => {
    const own = page.replace('| Use more |', '| Use less<br>Three spoons |');
    const updated = tables.updatePage(own, new Map([['brew', command(LEAVES, STRONG)]]));
    expect(updated).toContain('```\ntsreg brew [OPTIONS]\n```\n\nMakes tea.');
    expect(updated).toContain('| `-s, --strong` | Use more<br>Three spoons |');
    expect(updated).toContain('| **Tea** | |');
    expect(updated).toContain('| `--leaves <KIND>` | Which [possible values: green, black] |');
  });

  it('update the usage below the heading of the flags', () => {
    const moved = '# tsreg brew\n\nMakes tea.\n\n## Flags\n\n```\nold\n```\n\n';
    const updated = tables.updatePage(
      tables.withFlags(moved, command(STRONG)),
      new Map([['brew', command(STRONG)]]),
    );
    expect(updated).toContain('Makes tea.\n\n## Flags\n\n```\ntsreg brew [OPTIONS]\n```\n');
  });

  it('take the shared flags from the definitions and keep the notes of the page', () => {
    const page =
      '# Shared\n\n<!-- flags of every command -->\n| `-s, --strong` | x<br>Four |\n<!-- end of flags -->\n';
    expect(tables.updateSharedFlags(page, { globalFlags: [STRONG, LEAVES], programFlags: [] })).toContain(
      '| `-s, --strong` | Use more<br>Four |\n| `--leaves <KIND>` | Which [possible values: green, black] |\n',
    );
  });

  it('name the shared flags of a command that does not support all of them', () => {
    const names = /Of the \[.*, `--quiet` and `--help` are of use here\.\n/;
    expect(page).toMatch(names);
    const whole = { ...command(STRONG), hasAllGlobalFlags: true };
    expect(tables.updatePage(page, new Map([['brew', whole]]))).not.toMatch(names);
  });

  it('name the flags that all subcommands have in common once, and their exceptions', () => {
    const storage = ['--data <DIR>', '--database <URL>'].map((term) => ({
      ...{ term, help: 'Place', values: [], heading: 'Storage Options' },
    }));
    const [hot, cold, iced] = ['hot', 'cold', 'iced'].map((word) => ({
      ...command(...storage),
      ...{ words: ['brew', word], name: `brew ${word}` },
    }));
    if (hot === undefined || cold === undefined || iced === undefined) throw new Error('no commands');
    const commands = [hot, { ...cold, flags: [STRONG] }, { ...iced, globalFlags: [HELP] }];
    const blank = commands.reduce((text, each) => tables.withSubcommand(text, each), '');
    const text = tables.updatePage(blank, new Map(commands.map((each) => [each.name, each])));
    const shared = 'Of the [shared flags](shared-flags.md), `--quiet` and `--help` are of use here.\n';
    const inherited =
      'As for [tsreg brew](brew.md#flags), `--data` and `--database` select the registry, except in `tsreg brew cold`.\n';
    const [top = '', ...sections] = text.split('\n## ');
    expect(top).toContain(`${inherited}\n${shared}`);
    expect(sections.map((section) => /^(?:As for|Of the) .*/m.exec(section)?.[0] ?? null)).toEqual([
      null,
      null,
      'Of the [shared flags](shared-flags.md), only `--help` is of use here.',
    ]);
    expect(sections[0]).not.toContain('--data');
  });

  it('lose removed flags and stay unchanged otherwise', () => {
    const once = tables.updatePage(page, new Map([['brew', command(LEAVES)]]));
    expect(once).not.toContain('--strong');
    expect(tables.updatePage(once, new Map([['brew', command(LEAVES)]]))).toBe(once);
  });
});

describe('man pages', () => {
  it('escape text that looks like a roff request, and show link targets', () => {
    expect(roff.toRoff("'a' is `--b` of [c](https://c.example)\n.d \\ é\n")).toBe(
      ".PP\n\\&'a' is \\fB\\-\\-b\\fR of c <https://c.example>\n\\&.d \\e \\[u00E9]",
    );
  });

  it('contain the flags, examples and text of the page', () => {
    const page =
      '# tsreg brew\n\nMakes tea.\n\n## Flags\n\n```\nx\n```\n\n## When\n\n| a | b |\n|---|---|\n| `5` | pm |\n';
    const words = new Map([['brew --strong', 'Three spoons']]);
    const details = { page, words, isFirst: true, version: '1.0.0' };
    const text = man.manPage(command(STRONG), details);
    expect(text).toContain('.SH "NAME"\ntsreg\\-brew \\- Make tea\n');
    expect(text).toContain('.SH "DESCRIPTION"\n.PP\nMakes tea.\n.SH "OPTIONS"\n');
    expect(text).toContain('.TP\n\\fB\\-s, \\-\\-strong\\fR\nUse more\n.br\nThree spoons\n');
    expect(text).toContain('.SH "COMMON OPTIONS"\n.TP\n\\fB\\-q, \\-\\-quiet\\fR\nBe quiet\n');
    expect(text).toContain(
      `.SH "EXAMPLES"\n.PP\nMake it \\fBstrong\\fR:\n.PP\n.RS 4\n.nf\ntsreg brew \\-s '\\(ti\\(ha1'\n.fi\n.RE\n`,
    );
    expect(text).toContain('\\fBtsreg\\fR(1), docs/brew.md in the package of tsreg\n');
    expect(text).toContain('.SH "WHEN"\n.TP\n\\fB5\\fR\npm\n');
  });
});
