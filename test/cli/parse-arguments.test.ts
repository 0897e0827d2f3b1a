import { describe, expect, it } from 'vitest';
import { parseArguments, type Parsed } from '../../src/cli/parse-arguments.ts';
import { onWindows } from '../helpers/system.ts';
import { wholeGrammar } from '../helpers/whole-grammar.ts';
import { UsageError } from '../../src/commands/shared/usage-error.ts';
import { stripStyles } from '../../src/io/terminal/style.ts';

/** The colour of warnings, which differs on Windows. */
const YELLOW = onWindows ? '\x1b[93m' : '\x1b[33m';

const grammar = await wholeGrammar();

function parse(...args: readonly string[]): Parsed {
  return parseArguments(args, grammar);
}

function valuesOf(...args: readonly string[]): Record<string, readonly string[]> {
  const parsed = parse(...args);
  return parsed.kind === 'help' ? {} : Object.fromEntries(parsed.values);
}

/** Returns the usage error of a command line, without its first word and its last line. */
function refusalOf(...args: readonly string[]): string {
  try {
    parse(...args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const text = stripStyles(error.message);
    expect(text).toMatch(/^error: [^]*\n\nFor more information, try '--help'\.\n$/);
    return text.slice('error: '.length, text.lastIndexOf('\n\nFor more'));
  }
  return 'accepted';
}

const USAGE = '\n\nUsage: tsreg metadata [OPTIONS]';

describe('tips that cargo does not have', () => {
  it.each([
    ['tree -f x -I', "unexpected argument '-I'", "a similar argument exists: '--invert'"],
    ['metadata -f json', "unexpected argument '-f'", "a similar argument exists: '--features'"],
    ['tree -L 1', "unexpected argument '-L'", "a similar argument exists: '--depth'"],
    ['tree --reverse', "unexpected argument '--reverse'", "a similar argument exists: '--invert'"],
    ['search -n 5', "unexpected argument '-n'", "a similar argument exists: '--limit'"],
    ['yank a@1.0.0 -m old', "unexpected argument '-m'", "a similar argument exists: '--reason'"],
    ['package --dry-run', "unexpected argument '--dry-run'", "a similar argument exists: '--list'"],
    ['metadata --json', "unexpected argument '--json'", 'the output is always JSON'],
    ['registry --list', "unexpected argument '--list'", "'registry list' exists"],
    ['tree serde', "unexpected argument 'serde'", "to select a package, use '--package serde'"],
    [
      'package ./a',
      "unexpected argument './a'",
      "to select a manifest, use '--manifest-path ./a/Cargo.toml'",
    ],
    ['fetch .', "unexpected argument '.'", "to select a manifest, use '--manifest-path ./Cargo.toml'"],
    [
      'fetch a/Cargo.toml',
      "unexpected argument 'a/Cargo.toml'",
      "to select a manifest, use '--manifest-path a/Cargo.toml'",
    ],
    ['whoami corp', "unexpected argument 'corp'", "to select a registry, use '--registry corp'"],
    ['info serde 1.0', "unexpected argument '1.0'", "to select a version, use 'serde@1.0'"],
  ])('%s', async (line, problem, tip) => {
    const refusal = refusalOf(...line.split(' '));
    expect(refusal).toContain(problem);
    expect(refusal).toContain(`  tip: ${tip}`);
    const asCargo = await wholeGrammar({ TSREG_COMPAT: 'cargo' });
    expect(() => parseArguments(line.split(' '), asCargo)).not.toThrow(tip);
  });

  it.each([
    'fetch name',
    'info serde serde',
    'registry --json add a b',
    'registry add a b --json',
    'info serde@1 1.0',
    'version foo',
    'read-manifest -x',
    'tree -- -x',
    'tree -',
    'tree ',
  ])('are absent for %s', (line) => {
    expect(refusalOf(...line.split(' '))).not.toContain('tip:');
  });

  it('never suggest a flag that is rejected', () => {
    expect(refusalOf('registry', '--listt')).not.toContain('--silent');
  });
});

describe('accepted command lines', () => {
  it('may attach or separate the values of flags and cluster short flags', () => {
    expect(
      valuesOf('metadata', '--format-version=1', '-vvq', '-Fa,b', '-F', 'c', '-F=d', '--features', 'e'),
    ).toEqual({
      'format-version': ['1'],
      verbose: ['', ''],
      quiet: [''],
      features: ['a,b', 'c', 'd', 'e'],
    });
  });

  it('may give a job count that begins with a dash as a separate argument', () => {
    for (const args of [['-j', '-1'], ['-j-1'], ['--jobs', '-1'], ['--jobs=-1']]) {
      expect(valuesOf('package', ...args, '--list')).toEqual({ jobs: ['-1'], list: [''] });
    }
    expect(valuesOf('publish', '-j', '--', '--dry-run')).toEqual({ jobs: ['--'], 'dry-run': [''] });
  });

  it('may have global flags on either side of the command, where the later one wins', () => {
    expect(
      valuesOf('--color', 'always', '--offline', '--config', 'a=1', 'metadata', '--color', 'never'),
    ).toEqual({
      color: ['never'],
      offline: [''],
      config: ['a=1'],
    });
    expect(valuesOf('--config', 'a=1', 'metadata', '--config', 'b=1').config).toEqual(['b=1']);
  });

  it('may give a flag once on each side of the command', () => {
    expect(valuesOf('--offline', 'metadata', '--offline')).toEqual({ offline: [''] });
  });

  it('may write the value of --color in any case', () => {
    expect(valuesOf('metadata', '--color', 'ALWAYS').color).toEqual(['ALWAYS']);
  });

  it('may name an unknown command, whose arguments stay unparsed', () => {
    expect(parse('-q', 'other', '--bogus', 'metadata')).toMatchObject({
      kind: 'command',
      name: 'other',
      unparsedArgs: ['--bogus', 'metadata'],
    });
  });

  it('may ask for help, after which all arguments are ignored', () => {
    expect(parse('metadata', '--no-deps', '-h', '--bogus')).toEqual({ kind: 'help', command: 'metadata' });
    expect(parse('-vh')).toEqual({ kind: 'help', command: null });
  });
});

describe('usage errors', () => {
  it.each<readonly [readonly string[], string]>([
    [['--bogus'], `unexpected argument '--bogus' found${USAGE}`],
    [['extra'], `unexpected argument 'extra' found${USAGE}`],
    [['-'], `unexpected argument '-' found${USAGE}`],
    [['--', 'foo'], `unexpected argument 'foo' found${USAGE}`],
    [['-vx'], `unexpected argument '-x' found${USAGE}`],
    [['-v=1'], `unexpected argument '-=' found${USAGE}`],
    [['-s'], `unexpected argument '--silent' found\n\n  tip: a similar argument exists: '--quiet'${USAGE}`],
    [['-z'], `unexpected argument '-z' found\n\n  tip: a similar argument exists: '-Z'${USAGE}`],
    [['-c'], `unexpected argument '-c' found\n\n  tip: a similar argument exists: '--config'${USAGE}`],
    [
      ['--path', 'x'],
      `unexpected argument '--path' found\n\n  tip: a similar argument exists: '--manifest-path'${USAGE}`,
    ],
    [
      ['--no-deps', '-v', '--formatversion', '1'],
      "unexpected argument '--formatversion' found\n\n  tip: a similar argument exists: '--format-version'\n\n" +
        'Usage: tsreg metadata --no-deps --verbose... --format-version <VERSION>',
    ],
    [['--no-deps', '--bogus'], "unexpected argument '--bogus' found\n\nUsage: tsreg metadata --no-deps"],
    [['--offline', '--offline'], `the argument '--offline' cannot be used multiple times${USAGE}`],
    [
      ['--color', 'auto', '--color', 'never'],
      `the argument '--color <WHEN>' cannot be used multiple times${USAGE}`,
    ],
    [
      ['--offline=1'],
      "unexpected value '1' for '--offline' found; no more were expected\n\nUsage: tsreg metadata --offline",
    ],
    [
      ['--no-deps', '--format-version', '1', '--offline=1'],
      "unexpected value '1' for '--offline' found; no more were expected\n\nUsage: tsreg metadata --no-deps --offline",
    ],
    [
      ['--format-version=1', '--offline=1'],
      "unexpected value '1' for '--offline' found; no more were expected\n\nUsage: tsreg metadata --format-version <VERSION> --offline",
    ],
    [
      ['--verbose=1'],
      "unexpected value '1' for '--verbose...' found; no more were expected\n\nUsage: tsreg metadata --verbose...",
    ],
    [
      ['--format-version', '--offline'],
      "a value is required for '--format-version <VERSION>' but none was supplied\n  [possible values: 1]",
    ],
    [
      ['--format-version='],
      "a value is required for '--format-version <VERSION>' but none was supplied\n  [possible values: 1]",
    ],
    [['--manifest-path'], "a value is required for '--manifest-path <PATH>' but none was supplied"],
    [['-Z'], "a value is required for '-Z <FLAG>' but none was supplied"],
    [['--format-version', '2'], "invalid value '2' for '--format-version <VERSION>'\n  [possible values: 1]"],
    [
      ['--color', 'alway'],
      "invalid value 'alway' for '--color <WHEN>'\n  [possible values: auto, always, never]\n\n" +
        "  tip: a similar value exists: 'always'",
    ],
    // An unknown argument takes precedence over an invalid value before it.
    [
      ['--format-version', '2', '--bogus'],
      "unexpected argument '--bogus' found\n\nUsage: tsreg metadata --format-version <VERSION>",
    ],
    [['-C', '/tmp'], `unexpected argument '-C' found${USAGE}`],
    [
      ['--lockfile-path', 'x'],
      "unexpected argument '--lockfile-path' found\n\n  tip: a similar argument exists: '--locked'\n\nUsage: tsreg metadata --locked",
    ],
  ])('explain what is wrong with `metadata` %j', (args, refusal) => {
    expect(refusalOf('metadata', ...args)).toBe(refusal);
  });

  it('cover flags before the command', () => {
    const usage = '\n\nUsage: tsreg [+toolchain] [OPTIONS] [COMMAND]';
    expect(refusalOf('--bogus')).toBe(`unexpected argument '--bogus' found${usage}`);
    expect(refusalOf('--no-deps', 'metadata')).toBe(
      `unexpected argument '--no-deps' found\n\n  tip: 'metadata --no-deps' exists${usage}`,
    );
    expect(refusalOf('--color', 'x', 'metadata', '--bogus')).toBe(
      `unexpected argument '--bogus' found${USAGE}`,
    );
  });

  it('contain colours for a terminal', () => {
    expect(() => parse('metadata', '--formatversion')).toThrow(
      expect.objectContaining({
        message:
          `\x1b[1m\x1b[91merror:\x1b[0m unexpected argument '\x1b[1m${YELLOW}--formatversion\x1b[0m' found\n\n` +
          "  \x1b[1m\x1b[96mtip:\x1b[0m a similar argument exists: '\x1b[1m\x1b[96m--format-version\x1b[0m'\n\n" +
          '\x1b[1m\x1b[92mUsage:\x1b[0m \x1b[1m\x1b[96mtsreg metadata\x1b[0m \x1b[1m\x1b[96m--format-version\x1b[0m' +
          '\x1b[36m \x1b[0m\x1b[36m<VERSION>\x1b[0m\n\n' +
          "For more information, try '\x1b[1m\x1b[96m--help\x1b[0m'.\n",
      }),
    );
  });
});

describe('unstable flags', () => {
  it('are accepted with RUSTC_BOOTSTRAP=1', async () => {
    const nightly = await wholeGrammar({ RUSTC_BOOTSTRAP: '1' });
    const parsed = parseArguments(['metadata', '--lockfile-path', 'x'], nightly);
    expect(parsed.kind === 'help' ? null : parsed.values.get('lockfile-path')).toEqual(['x']);
  });
});

describe('positional arguments', () => {
  const usage = (rest: string): string => `\n\nUsage: tsreg update ${rest}`;

  it('are read in order, and after `--` even with a leading dash', () => {
    expect(valuesOf('update', 'a', '-n', 'b', '--', '-c').spec).toEqual(['a', 'b', '-c']);
    expect(valuesOf('update', '-p', 'a', '-p').package).toEqual(['a']);
    expect(valuesOf('update', '-p').package).toEqual([]);
    expect(valuesOf('update', '--aggressive')).toEqual({ recursive: [''] });
  });

  it('come last in the usage line', () => {
    const tip = "\n\n  tip: to pass '--foo' as a value, use '-- --foo'";
    const unexpected = "unexpected argument '--foo' found";
    expect(refusalOf('update', '--foo')).toBe(`${unexpected}${tip}${usage('[OPTIONS] [SPEC]...')}`);
    expect(refusalOf('update', 'a', '--foo')).toBe(`${unexpected}${tip}${usage('<SPEC>...')}`);
    expect(refusalOf('update', '-p', 'a', '--precise', '1', '--foo')).toBe(
      `${unexpected}${tip}${usage('--precise <PRECISE> [SPEC]...')}`,
    );
  });

  it('conflict with `--package`, while `--precise` requires one of the two', () => {
    expect(refusalOf('update', 'a', '-p', 'b')).toBe(
      `the argument '[SPEC]...' cannot be used with '--package [<SPEC>]'${usage('<SPEC>...')}`,
    );
    expect(refusalOf('update', '-p', 'a', 'b')).toBe(
      `the argument '--package [<SPEC>]' cannot be used with '[SPEC]...'${usage('[OPTIONS] [SPEC]...')}`,
    );
    expect(refusalOf('update', '--precise', '1')).toBe(
      'the following required arguments were not provided:\n  <SPEC|--package [<SPEC>]>' +
        usage('--precise <PRECISE> <SPEC|--package [<SPEC>]>'),
    );
    expect(refusalOf('update', '-n', 'a', '--precise', '1', '--recursive')).toBe(
      "the argument '--precise <PRECISE>' cannot be used with '--recursive'" +
        usage('--dry-run --precise <PRECISE> <SPEC|--package [<SPEC>]>'),
    );
  });

  it('of `vendor` are limited to one, and its flags have hints', () => {
    const usage = (text: string) => `\n\nUsage: tsreg vendor ${text}`;
    const unexpected = "unexpected argument 'b' found";
    expect(refusalOf('vendor', 'a', 'b', '--zzz')).toBe(`${unexpected}${usage('[OPTIONS] [path]')}`);
    expect(refusalOf('vendor', '--', '-a', '-b')).toBe(
      `unexpected argument '-b' found${usage('[OPTIONS] [path]')}`,
    );
    expect(refusalOf('vendor', 'a', '--no-del')).toBe(
      "unexpected argument '--no-del' found\n\n  tip: a similar argument exists: '--no-delete'" +
        usage('--no-delete <path>'),
    );
    expect(refusalOf('vendor', '')).toBe("a value is required for '[path]' but none was supplied");
    expect(refusalOf('vendor', '--sync=')).toBe(
      "a value is required for '--sync <TOML>' but none was supplied",
    );
    expect(refusalOf('vendor', '--only-git-deps', '--zzz')).toBe(
      "unexpected argument '--only-git-deps' found\n\n  tip: to pass '--only-git-deps' as a value, use '-- --only-git-deps'" +
        usage('[OPTIONS] [path]'),
    );
    expect(valuesOf('vendor', '--', '-a')).toEqual({ destination: ['-a'] });
  });
});
