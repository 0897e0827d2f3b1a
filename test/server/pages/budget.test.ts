import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSiteOfKinds, PAGE_KINDS } from '../../helpers/page-kinds.ts';
import { SITE_URL, type PagesSite } from '../../helpers/pages-site.ts';

const MAX_BYTES = 60_000;

let site: PagesSite;

beforeAll(async () => {
  site = await makeSiteOfKinds();
});

afterAll(async () => site[Symbol.asyncDispose]());

describe('a page with its stylesheet and scripts', () => {
  it.each(['nobody', 'mira', 'root'] as const)('has less than 60 KB compressed, for %s', async (reader) => {
    const browser = site.browser();
    if (reader !== 'nobody') await browser.signIn(reader);
    const sizes = new Map<string, number>();
    const sizeOf = async (address: string): Promise<number> => {
      const size = sizes.get(address) ?? gzipSync((await browser.get(address)).text).length;
      sizes.set(address, size);
      return size;
    };
    for (const address of PAGE_KINDS[reader]) {
      const { text } = await browser.get(address);
      const assets = [...text.matchAll(/ (?:href|src)="([^"]+\.(?:css|js))"/g)].map(([, path = '']) => path);
      expect(assets.length, address).toBeGreaterThanOrEqual(2);
      const parts = await Promise.all(assets.map(sizeOf));
      const total = parts.reduce((sum, size) => sum + size, gzipSync(text).length);
      expect(total, address).toBeLessThan(MAX_BYTES);
    }
  });

  it('is sent compressed', async () => {
    const ask = async (address: string): Promise<Response> =>
      site.app.request(SITE_URL + address, { headers: { accept: 'text/html', 'accept-encoding': 'gzip' } });
    const page = await ask('/');
    expect(page.headers.get('content-encoding')).toBe('gzip');
    const text = (await site.browser().get('/')).text;
    for (const [, address = ''] of text.matchAll(/ (?:href|src)="([^"]+\.(?:css|js))"/g))
      expect((await ask(address)).headers.get('content-encoding'), address).toBe('gzip');
  });
});
