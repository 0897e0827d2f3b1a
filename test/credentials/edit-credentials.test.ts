import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/config/secret.ts';
import { type CredentialEdit, editCredentials } from '../../src/credentials/edit-credentials.ts';

const TEXT = `# a comment
zeta = ["a", 'b"c', """
multi
line"""]
alpha = { b = 1, a = "x" }
[unset]
q = [ { a = 1 }, { b = [1,2] } ]
"odd key" = "tab\\there"
e = []
[registries.other]
token = "o"
[registries.mock]
token = "abc"
x.y.z = true
[[arr]]
n = 1
[[arr]]
n = 2
[registry]
token = "r"
`;

const logout = (registry: string | null): CredentialEdit => ({ registry, credential: { kind: 'none' } });
const login = (registry: string | null, token: string): CredentialEdit => ({
  registry,
  credential: { kind: 'token', token: new Secret(token) },
});

describe('editCredentials', () => {
  it('takes out a token and writes the rest as cargo does', () => {
    expect(editCredentials(TEXT, logout('mock'))).toBe(`zeta = ["a", 'b"c', """
multi
line"""]

[alpha]
b = 1
a = "x"

[unset]
"odd key" = "tab\\there"
e = []

[[unset.q]]
a = 1

[[unset.q]]
b = [1, 2]

[registries.other]
token = "o"

[registries.mock.x.y]
z = true

[[arr]]
n = 1

[[arr]]
n = 2

[registry]
token = "r"
`);
  });

  it('moves the tables of registries to the end where a token is stored there', () => {
    const text = '[registries.other]\ntoken = "o"\n[registries.mock]\nindex = "i"\n[zoo]\na = 1\n';
    expect(editCredentials(text, login('mock', 't'))).toBe(
      '[zoo]\na = 1\n\n[registries.other]\ntoken = "o"\n\n[registries.mock]\nindex = "i"\ntoken = "t"\n',
    );
  });

  it('makes what is not there, and leaves the table of a token that is taken out', () => {
    expect(editCredentials('', login(null, 'a'))).toBe('[registry]\ntoken = "a"\n');
    expect(editCredentials('', login('mock', 'a"b\\c\'d'))).toBe(
      `[registries.mock]\ntoken = '''a"b\\c'd'''\n`,
    );
    expect(editCredentials('[registries.mock]\ntoken = "x"\n', logout('mock'))).toBe('[registries.mock]\n');
    expect(editCredentials('', logout('mock'))).toBe('');
  });

  it('moves the token of very old files', () => {
    expect(editCredentials('token = "old"\n', login('mock', 't'))).toBe(
      '[registry]\ntoken = "old"\n\n[registries.mock]\ntoken = "t"\n',
    );
    expect(editCredentials('token = "old"\n[registry]\nother = 1\n', logout(null))).toBe(
      '[registry]\nother = 1\n',
    );
  });

  it('stores a key and whose it is, and takes out both', () => {
    const credential = { kind: 'secret-key', key: new Secret('k3.secret.x'), subject: 'me' } as const;
    const text = editCredentials('', { registry: 'mock', credential });
    expect(text).toBe('[registries.mock]\nsecret-key = "k3.secret.x"\nsecret-key-subject = "me"\n');
    expect(editCredentials(text, logout('mock'))).toBe('[registries.mock]\n');
  });

  it('refuses what is no table, and shows no value of a file that is not TOML', () => {
    expect(() => editCredentials('registries.mock = "x"\n', logout('mock'))).toThrow(
      'expected `[registries.mock]` to be a table',
    );
    expect(() => editCredentials('[registry]\ntoken = "hidden\n', logout(null))).toThrow(
      /2 \| token = "\*{6}\n/,
    );
  });
});
