import { describe, expect, it } from 'vitest';
import { Config } from '../../../src/io/config/config.ts';
import { boolean, map, oneOf, string, words } from '../../../src/io/config/decoder.ts';
import { parseConfigText } from '../../../src/io/config/parse-text.ts';
import { readConfigFile } from '../../../src/io/config/read-file.ts';
import { NodeFiles } from '../../../src/io/disk/node-files.ts';
import { MemoryFiles } from '../../helpers/memory-files.ts';
import { recordingContext } from '../../helpers/recording-report.ts';
import { NOT_FOUND, onWindows } from '../../helpers/system.ts';

function configOf(
  tree: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): { readonly config: Config; readonly lines: readonly string[] } {
  const { context, lines } = recordingContext();
  const files = new MemoryFiles({ '/ws/a/b/': '', '/home/.cargo/': '', ...tree });
  const options = { cwd: '/ws/a/b', env: { HOME: '/home', ...env }, files, report: context.report };
  return { config: new Config(options), lines };
}

/** Returns the messages of the error that `body` throws and of its causes. */
function chainOf(body: () => unknown): readonly string[] {
  try {
    body();
  } catch (error) {
    const messages: string[] = [];
    for (let each: unknown = error; each instanceof Error; each = each.cause) messages.push(each.message);
    return messages;
  }
  return [];
}

const NEAR = '/ws/a/b/.cargo/config.toml';
const FAR = '/ws/.cargo/config.toml';
const HOME = '/home/.cargo/config.toml';

describe('Config (files)', () => {
  it('prefers the nearest file, and the home folder last', () => {
    const { config } = configOf({ [NEAR]: 'a.x="near"', [FAR]: 'a={x="far",y="far"}', [HOME]: 'a.z="home"' });
    expect(['x', 'y', 'z'].map((key) => config.string(`a.${key}`)?.value)).toEqual(['near', 'far', 'home']);
  });

  it('reads the home folder once if it is also a parent folder', () => {
    const { config } = configOf({ '/ws/a/.cargo/config.toml': 'l=["x"]' }, { CARGO_HOME: '/ws/a/.cargo' });
    expect(config.list('l')?.map((item) => item.value)).toEqual(['x']);
  });

  it('resolves a relative CARGO_HOME in the working folder, and ignores an empty one', () => {
    expect(configOf({}, { CARGO_HOME: 'h' }).config.home).toBe('/ws/a/b/h');
    expect(configOf({}, { CARGO_HOME: '' }).config.home).toBe('/home/.cargo');
  });

  it('reads a file without extension and warns that it is deprecated', () => {
    const { config, lines } = configOf({ '/ws/a/b/.cargo/config': 'a="old"' });
    expect(config.string('a')?.value).toBe('old');
    expect(lines).toEqual([
      'warning: `/ws/a/b/.cargo/config` is deprecated in favor of `config.toml`\n  |\n' +
        '  = help: if you need to support cargo 1.38 or earlier, you can symlink `config` to `config.toml`',
    ]);
  });

  it('reads files on the first lookup, and throws the same error on every lookup', () => {
    const { config } = configOf({ [NEAR]: 'foo' });
    const expected = [
      'could not load Cargo configuration',
      `could not parse TOML configuration in \`${NEAR}\``,
      'TOML parse error at line 1, column 4\n  |\n1 | foo\n  |    ^\nkey with no value, expected `=`\n',
    ];
    expect(chainOf(() => config.string('a'))).toEqual(expected);
    expect(chainOf(() => config.build())).toEqual(expected);
  });

  it('refuses values of unsupported types and names their key', () => {
    const { config } = configOf({ [NEAR]: 'a.b."x.y" = [1, {c=2.0}]' });
    expect(chainOf(() => config.values()).slice(1)).toEqual([
      `failed to load TOML configuration from \`${NEAR}\``,
      'failed to parse config at `a.b."x.y"[1].c`',
      'unsupported TOML configuration type `float`',
    ]);
  });
});

describe('Config (merging)', () => {
  it('joins lists, the lowest precedence first', () => {
    const { config } = configOf({ [NEAR]: 'a.l=["near"]', [FAR]: 'a.l=["far"]', [HOME]: 'a.l=["home"]' });
    expect(config.list('a.l')?.map((item) => item.value)).toEqual(['home', 'far', 'near']);
  });

  it('replaces the lists of credential providers instead of joining them', () => {
    const { config } = configOf({
      [NEAR]: 'registries.r.credential-provider=["near"]\nregistry.credential-provider=["near"]',
      [FAR]: 'registries.r.credential-provider=["far","x"]\nregistry.credential-provider=["far"]',
    });
    expect(config.list('registries.r.credential-provider')?.map((item) => item.value)).toEqual(['near']);
    expect(config.list('registry.credential-provider')?.map((item) => item.value)).toEqual(['near']);
  });

  it('refuses a string if a nearer file has a list', () => {
    const { config } = configOf({ [NEAR]: 'a.b=["x"]', [FAR]: 'a.b="x"' });
    expect(chainOf(() => config.values())).toEqual([
      'could not load Cargo configuration',
      `failed to merge configuration at \`${FAR}\``,
      `failed to merge key \`a\` between ${NEAR} and ${FAR}`,
      `failed to merge key \`b\` between ${NEAR} and ${FAR}`,
      `failed to merge config value from \`${FAR}\` into \`${NEAR}\`: expected array, but found string`,
    ]);
  });
});

describe('Config (include)', () => {
  it('reads included files in order, with lower precedence than the file itself', () => {
    const { config } = configOf({
      [NEAR]: 'include=["x.toml",{path="sub/y.toml"},{path="no.toml",optional=true}]\nc="own"',
      '/ws/a/b/.cargo/x.toml': 'a="x"\nb="x"\nc="x"',
      '/ws/a/b/.cargo/sub/y.toml': 'b="y"',
    });
    expect(['a', 'b', 'c'].map((key) => config.string(key)?.value)).toEqual(['x', 'y', 'own']);
    expect(config.value('include')).toBeNull();
  });

  it.each([
    [
      'include="x"',
      `expected a list of strings or a list of tables, but found string at \`include\` in \`${NEAR}`,
    ],
    ['include=[1]', `expected a string or table, but found integer at \`include[0]\` in ${NEAR}`],
    ['include=[{}]', `missing field \`path\` at \`include[0]\` in \`${NEAR}\``],
    ['include=[{path=1}]', `expected a string, but found integer at \`include[0].path\` in \`${NEAR}\``],
    [
      'include=[{path="a.toml",optional=1}]',
      `expected a boolean, but found integer at \`include[0].optional\` in \`${NEAR}\``,
    ],
    [
      'include=["x"]',
      `expected a config include path ending with \`.toml\`, but found \`x\` from \`${NEAR}\``,
    ],
    [
      'include=[".toml"]',
      `expected a config include path ending with \`.toml\`, but found \`.toml\` from \`${NEAR}\``,
    ],
    [
      'include=["*.toml"]',
      `expected a config include path without glob patterns, but found \`*.toml\` from \`${NEAR}\``,
    ],
    [
      'include=["{x}.toml"]',
      `expected a config include path without template braces, but found \`{x}.toml\` from \`${NEAR}\``,
    ],
  ])('refuses %s', (text, message) => {
    expect(chainOf(() => configOf({ [NEAR]: text }).config.values())[1]).toBe(message);
  });

  it('refuses cycles and missing files', () => {
    const { config } = configOf({ [NEAR]: 'include=["config.toml"]' });
    expect(chainOf(() => config.values())).toContain(
      `config \`include\` cycle detected with path \`${NEAR}\``,
    );
    expect(chainOf(() => configOf({ [NEAR]: 'include=["x.toml"]' }).config.values()).slice(1)).toEqual([
      `failed to load config include \`x.toml\` from \`${NEAR}\``,
      'failed to read configuration file `/ws/a/b/.cargo/x.toml`',
      NOT_FOUND,
    ]);
  });
});

describe('Config (--config)', () => {
  it('prefers arguments over files and environment, and later arguments over earlier ones', () => {
    const { config } = configOf({ [NEAR]: 'a.b="file"\nl=["file"]' }, { CARGO_A_B: 'env' });
    expect(config.string('a.b')?.value).toBe('env');
    const merged = config.withArguments(['a.b="first"', ' a . b = "second" ', 'l=["arg"]']);
    expect(merged.string('a.b')).toEqual({
      value: 'second',
      definition: { kind: 'command-line', path: null },
    });
    expect(merged.list('l')?.map((item) => item.value)).toEqual(['file', 'arg']);
  });

  it('reads the file that an argument names, and resolves its paths in the parent of its folder', () => {
    const { config } = configOf({
      '/ws/a/b/x.toml': 'build.target-dir="t"\ninclude=["y.toml"]',
      '/ws/a/b/y.toml': 'y="y"',
    });
    const merged = config.withArguments(['x.toml']);
    expect(merged.path('build.target-dir')).toBe('/ws/a/t');
    expect(merged.string('y')?.value).toBe('y');
  });

  it.each([
    ['', 'was not a TOML dotted key expression (such as `build.jobs = 2`)'],
    ['[a]', 'was not a TOML dotted key expression (such as `build.jobs = 2`)'],
    ['[[a.b]]', 'was not a TOML dotted key expression (such as `build.jobs = 2`)'],
    ['a=1\nb=2', 'was not a TOML dotted key expression (such as `build.jobs = 2`)'],
    ['a.b=1\na.c=2', 'was not a TOML dotted key expression (such as `build.jobs = 2`)'],
    ['[[a]]', 'sets a value to an array of tables, which is not accepted'],
    ['a={b=1}', 'sets a value to an inline table, which is not accepted'],
    ['a.b={c=1}', 'sets a value to an inline table, which is not accepted'],
    ['# c\na=1', 'includes non-whitespace decoration'],
    ['a.b=1 # c', 'includes non-whitespace decoration'],
  ])('refuses %j', (arg, problem) => {
    expect(chainOf(() => configOf({}).config.withArguments([arg]))).toEqual([
      `--config argument \`${arg}\` ${problem}`,
    ]);
  });

  it.each(['a=1\n# foo', '\na=1\n', 'a=[1,#c\n2]', '"a.b".c=1'])('accepts %j', (arg) => {
    expect(() => configOf({}).config.withArguments([arg])).not.toThrow();
  });

  it('refuses secrets, invalid TOML and values of unsupported types', () => {
    const { config } = configOf({});
    expect(chainOf(() => config.withArguments(['registries.x.token="y"']))).toEqual([
      'registries.x.token cannot be set through --config for security reasons',
    ]);
    expect(chainOf(() => config.withArguments(['registry.secret-key="y"']))).toEqual([
      'registry.secret-key cannot be set through --config for security reasons',
    ]);
    expect(chainOf(() => config.withArguments(['foo']))[0]).toBe(
      'failed to parse value from --config argument `foo` as a dotted key expression',
    );
    expect(chainOf(() => config.withArguments(['a=1.5']))).toEqual([
      'failed to convert --config argument `a=1.5`',
      'failed to parse config at `a`',
      'unsupported TOML configuration type `float`',
    ]);
  });
});

describe('Config (typed values)', () => {
  it('describes an invalid value and where it is defined', () => {
    const { config } = configOf({ [NEAR]: '[build]\ntarget-dir=1' });
    expect(chainOf(() => config.build())).toEqual([
      `error in ${NEAR}: could not load config key \`build.target-dir\``,
      `error in ${NEAR}: \`build.target-dir\` expected a string, but found a integer`,
    ]);
    expect(chainOf(() => configOf({ [NEAR]: 'build=1' }).config.build())).toEqual([
      `invalid configuration for key \`build\`\nexpected a table, but found a integer for \`build\` in ${NEAR}`,
    ]);
    expect(chainOf(() => configOf({ [NEAR]: 'net.retry=-1' }).config.net())).toEqual([
      `error in ${NEAR}: could not load config key \`net.retry\``,
      'invalid value: integer `-1`, expected u32',
    ]);
    expect(chainOf(() => configOf({ [NEAR]: 'a=1' }).config.string('a.b'))).toEqual([
      `expected table for configuration key \`a\`, but found integer in ${NEAR}`,
    ]);
    expect(chainOf(() => configOf({ [NEAR]: 'build.jobs=true' }).config.build())).toEqual([
      `error in ${NEAR}: could not load config key \`build.jobs\``,
      'invalid type: boolean `true`, expected an integer or string',
    ]);
    expect(chainOf(() => configOf({ [NEAR]: '[build.analysis]' }).config.build())).toEqual([
      `error in ${NEAR}: could not load config key \`build.analysis\``,
      'missing field `enabled`',
    ]);
    expect(
      chainOf(() => configOf({ [NEAR]: 'resolver.incompatible-rust-versions="x"' }).config.resolver()),
    ).toEqual([
      `error in ${NEAR}: could not load config key \`resolver.incompatible-rust-versions\``,
      'unknown variant `x`, expected `allow` or `fallback`',
    ]);
  });

  it('parses environment variables as the requested type', () => {
    const env = { CARGO_NET_RETRY: '7', CARGO_NET_OFFLINE: 'true', CARGO_HTTP_USER_AGENT: '12' };
    const { config } = configOf({ [NEAR]: 'net.retry=1' }, env);
    expect(config.net()).toMatchObject({ retry: 7, offline: true });
    expect(config.http()['user-agent']).toBe('12');
    expect(chainOf(() => configOf({}, { CARGO_NET_RETRY: 'x' }).config.net())).toEqual([
      'error in environment variable `CARGO_NET_RETRY`: invalid digit found in string',
    ]);
    expect(chainOf(() => configOf({}, { CARGO_NET_OFFLINE: '1' }).config.net())).toEqual([
      'error in environment variable `CARGO_NET_OFFLINE`: provided string was not `true` or `false`',
    ]);
  });

  it('finds the environment variable for a key with dashes', () => {
    const { config } = configOf({}, { CARGO_REGISTRIES_MY_ALT_INDEX: 'sparse+https://example.com/' });
    expect(config.string('registries.my-alt.index')).toEqual({
      value: 'sparse+https://example.com/',
      definition: { kind: 'environment', name: 'CARGO_REGISTRIES_MY_ALT_INDEX' },
    });
  });

  it('appends the words of an environment variable to a list', () => {
    const { config } = configOf({ [NEAR]: 'build.rustflags=["-a"]' }, { CARGO_BUILD_RUSTFLAGS: ' -b  -c ' });
    expect(config.build().rustflags).toEqual(['-a', '-b', '-c']);
    expect(configOf({ [NEAR]: 'build.rustflags="-a -b"' }).config.get('build.rustflags', words)).toEqual([
      '-a',
      '-b',
    ]);
  });

  it('guesses the type of an environment variable if several are allowed', () => {
    const decoder = oneOf<string | boolean>('a string or boolean', (value) => {
      if (value.type === 'string') return string;
      return value.type === 'boolean' ? boolean : null;
    });
    expect(configOf({}, { CARGO_A: 'true' }).config.get('a', decoder)).toBe(true);
    expect(configOf({}, { CARGO_A: 'x' }).config.get('a', decoder)).toBe('x');
    expect(() => configOf({}, { CARGO_A: '1' }).config.get('a', decoder)).toThrow(
      'could not load config key `a`',
    );
    expect(() => configOf({}, { CARGO_A: '-9223372036854775808' }).config.get('a', decoder)).toThrow(
      'could not load config key `a`',
    );
    for (const tooLarge of ['9223372036854775808', '-9223372036854775809'])
      expect(configOf({}, { CARGO_A: tooLarge }).config.get('a', decoder)).toBe(tooLarge);
  });

  it('reads tables with arbitrary keys', () => {
    const { config } = configOf({ [NEAR]: '[alias]\nb="x"\na="y"' });
    expect([...config.get('alias', map(string))]).toEqual([
      ['b', 'x'],
      ['a', 'y'],
    ]);
  });

  it('warns about unused keys and about environment variables in lower case', () => {
    const { config, lines } = configOf({ [NEAR]: '[net]\nfoo=1' }, { cargo_net_retry: '1' });
    config.net();
    config.integer('net.retry');
    expect(lines).toEqual([
      `warning: unused config key \`net.foo\` in \`${NEAR}\``,
      'warning: environment variables are expected to use uppercase letters and underscores, ' +
        'the variable `cargo_net_retry` will be ignored and have no effect',
    ]);
  });

  it('prefers credentials over configuration files', () => {
    const { config } = configOf({ [NEAR]: 'registry.token="file"\nregistry.x="file"' });
    const token = { type: 'string', value: 'secret', definition: { kind: 'file', path: '/c' } } as const;
    const registry = {
      type: 'table',
      value: new Map([['token', token]]),
      definition: token.definition,
    } as const;
    config.addCredentials(new Map([['registry', registry]]));
    expect(config.string('registry.token')?.value).toBe('secret');
    expect(config.string('registry.x')?.value).toBe('file');
  });
});

it('hides text in Base64 like a value, in errors of a file with secrets', () => {
  const shown = (text: string): string | undefined =>
    chainOf(() => parseConfigText(text, { hidesValues: true }))[0]?.split('\n')[2];
  expect(shown('c2VjcmV0==')).toBe('1 | **********');
  expect(shown('c2VjcmV0cw=')).toBe('1 | ***********');
  expect(shown('token =')).toBe('1 | token =');
  expect(shown('token="c2Vj')).toMatch(/^1 \| token="\*+$/);
});

it.each([
  ['token = "c2Vj', 'token = "****'],
  ['registry."token"="c2Vj', 'registry."token"="****'],
  ['secret-key = c2Vj', 'secret-key = ****'],
  ['token "c2Vj"', 'token "****"'],
  ['token: c2Vj', 'token: ****'],
  ['mine = { index = "x", token = "c2Vj"', 'mine = { index = "x", token = "****"'],
  ['env.MY_TOKEN = c2Vj', 'env.MY_TOKEN = ****'],
  ['index = "sparse+https://x/?token=c2Vj', 'index = "sparse+https://x/?token=****'],
  ['token =\n  c2Vj', '  ****'],
  ['token = """\na\nc2Vj', '****'],
  // No secrets: as in cargo.
  ['credential-provider = ["cargo:token', 'credential-provider = ["cargo:token'],
  ['registry.secret-key-subject = sub', 'registry.secret-key-subject = sub'],
  ['# token\nindex = x', 'index = x'],
])('hides tokens and secret keys in errors of a configuration file: %j', (text, shown) => {
  const [message = ''] = chainOf(() => parseConfigText(text));
  expect(message.split('\n')[2]).toMatch(/^\d \| /);
  expect(message.split('\n')[2]?.slice(4)).toBe(shown);
});

it.skipIf(onWindows)('says that a device is too long to be a file (not on Windows: it has none)', () => {
  const context = { files: new NodeFiles(), cwd: '/' };
  expect(() => readConfigFile('/dev/zero', 'file', context)).toThrow(
    expect.objectContaining({ code: 'limit' }),
  );
});
