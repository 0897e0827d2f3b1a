import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readIdentity } from '../../src/server/identity.ts';
import type { IdentityOptions } from '../../src/server/start-options.ts';
import type { Identity } from '../../src/server/server-context.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const dir = makeTempDir('identity');

afterAll(() => dir.remove());

function read(options: Partial<IdentityOptions>): Promise<Identity> {
  return readIdentity({
    fixedParts: [],
    ...{ siteName: 'Crates', registryName: 'mine', accent: '#3451b2', logoPath: null, welcomePath: null },
    ...options,
  });
}

function fileWith(name: string, content: string | Uint8Array): string {
  const file = path.join(dir.path, name);
  writeFileSync(file, content);
  return file;
}

describe('the name of the site', () => {
  it('is trimmed', async () => {
    expect((await read({ siteName: ' Acme Kisten ' })).siteName).toBe('Acme Kisten');
  });

  it.each(['', '  ', 'a\nb', 'a\u202eb', 'x'.repeat(61)])('cannot be %j', async (siteName) => {
    await expect(read({ siteName })).rejects.toMatchObject({
      code: 'usage',
      message: `invalid value \`${siteName}\` for \`--name\`: expected 1 to 60 visible characters`,
    });
  });
});

describe('the name of the registry', () => {
  it.each(['acme', '_acme', 'Acme-2_x'])('can be `%s`', async (registryName) => {
    expect((await read({ registryName })).registryName).toBe(registryName);
  });

  it.each(['', '2acme', '-acme', 'acme.io', 'acme"', 'äcme', 'crates-io', 'Crates-IO', 'x'.repeat(65)])(
    'cannot be `%s`',
    async (registryName) => {
      await expect(read({ registryName })).rejects.toThrow(
        /^invalid value `.*` for `--registry-name`: expected a name for `\[registries\.NAME\]`/,
      );
    },
  );
});

describe('the accent', () => {
  it('is a colour with six hexadecimal digits', async () => {
    expect((await read({ accent: '#0F766E' })).accent).toEqual([15, 118, 110]);
    await expect(read({ accent: 'teal' })).rejects.toThrow(
      'invalid value `teal` for `--accent`: expected a colour such as `#3451b2`',
    );
  });
});

describe('the logo', () => {
  it.each([
    ['png', Buffer.from('89504e470d0a1a0a0000', 'hex')],
    ['jpg', Buffer.from('ffd8ffe000104a464946', 'hex')],
    ['webp', Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1')],
    ['svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['svg', '\uFEFF<?xml version="1.0"?>\n<!-- <a> -->\n<!DOCTYPE svg PUBLIC "x" "y">\n<svg>\n</svg>'],
  ] as const)('can be a file with the first bytes of %s, whatever its name', async (kind, content) => {
    const { logo } = await read({ logoPath: fileWith('logo.txt', content) });
    expect(logo?.kind).toBe(kind);
    expect(Buffer.from(logo?.bytes ?? [])).toEqual(Buffer.from(content));
  });

  it.each([
    ['GIF', 'GIF89a'],
    ['HTML', '<!doctype html><script></script><svg></svg>'],
    ['HTML that begins with a comment', '<!-- svg --><html><svg></svg></html>'],
    ['another element whose name begins with `svg`', '<svgs/>'],
    ['an empty file', ''],
  ])('cannot be %s', async (_, content) => {
    const logoPath = fileWith('logo.svg', content);
    await expect(read({ logoPath })).rejects.toThrow(
      `invalid value \`${logoPath}\` for \`--logo\`: expected a file with an SVG, PNG, WebP or JPEG image`,
    );
  });

  it('can have 256 KiB, and not one byte more', async () => {
    const png = Buffer.alloc(256 * 1024 + 1);
    png.write('89504e470d0a1a0a', 'hex');
    const { logo } = await read({
      logoPath: fileWith('most.png', png.subarray(1).fill(png.subarray(0, 8), 0, 8)),
    });
    expect(logo?.bytes).toHaveLength(256 * 1024);
    const logoPath = fileWith('more.png', png);
    await expect(read({ logoPath })).rejects.toThrow('for `--logo`: expected a file of at most 256 KiB');
  });

  it('must exist', async () => {
    const logoPath = path.join(dir.path, 'absent.png');
    await expect(read({ logoPath })).rejects.toThrow(`failed to read \`${logoPath}\``);
  });
});

describe('the welcome text', () => {
  it('is Markdown, rendered without scripts', async () => {
    const welcomePath = fileWith('welcome.md', '## Hello\n\n<script>alert(1)</script>\n\n**Ask** us.');
    const { welcomeHtml } = await read({ welcomePath });
    expect(welcomeHtml).toContain('<h2 id="readme-hello">Hello <a href="#readme-hello"');
    expect(welcomeHtml).toContain('<strong>Ask</strong>');
    expect(welcomeHtml).not.toContain('script');
  });

  it('can have 64 KiB, and not one byte more', async () => {
    expect(
      (await read({ welcomePath: fileWith('most.md', 'x'.repeat(64 * 1024)) })).welcomeHtml,
    ).not.toBeNull();
    await expect(read({ welcomePath: fileWith('more.md', 'x'.repeat(64 * 1024 + 1)) })).rejects.toThrow(
      'for `--welcome`: expected a file of at most 64 KiB',
    );
  });
});
