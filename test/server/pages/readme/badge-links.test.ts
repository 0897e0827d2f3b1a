import { beforeAll, describe, expect, it } from 'vitest';
import { badgePath, isBadgePath } from '../../../../src/server/pages/readme/badge-links.ts';
import { loadReadmeRenderer, type ReadmeRenderer } from '../../../../src/server/pages/readme/readme.ts';
import {
  badgeAddress,
  DEFAULT_BADGE_HOSTS,
  REDIRECT_HOSTS,
} from '../../../../src/server/shared/badge-hosts.ts';
import { IMAGE_ATTACKS, README_ATTACKS } from '../readme-attacks.ts';

const KEY = Buffer.from('the key of a server').toString('base64');
const BADGES = { hosts: DEFAULT_BADGE_HOSTS, key: KEY };
const SHIELD = 'https://img.shields.io/crates/v/mug.svg';
const RELATION = 'rel="nofollow noopener noreferrer ugc"';

let renderer: ReadmeRenderer;

beforeAll(async () => {
  renderer = await loadReadmeRenderer();
});

function render(markdown: string, isOn = true): string {
  const origin = { repository: null, readmePath: null, ...(isOn ? { badges: BADGES } : {}) };
  return renderer.render(markdown, origin).text.trim();
}

describe('badges in readmes', () => {
  it('become images of this server, also within links', () => {
    const src = badgePath(SHIELD, BADGES);
    expect(src).toMatch(
      /^\/badges\/[\w-]{43}\?address=https%3A%2F%2Fimg\.shields\.io%2Fcrates%2Fv%2Fmug\.svg$/,
    );
    expect(render(`![Version](${SHIELD})`)).toBe(`<p><img src="${src}" alt="Version" loading="lazy" /></p>`);
    expect(render(`[![Version](${SHIELD})](https://crates.io/crates/mug)`)).toBe(
      `<p><a href="https://crates.io/crates/mug" ${RELATION}><img src="${src}" alt="Version" loading="lazy" /></a></p>`,
    );
    expect(render(`<img src="${SHIELD}" alt="V" height="20">`)).toContain(
      `<img src="${src}" alt="V" height="20" loading="lazy" />`,
    );
  });

  it('stay links without the proxy, as other images do with it', () => {
    const link = (address: string): string =>
      `<p><a class="image" href="${address}" ${RELATION}>Version</a></p>`;
    const isLink = (text: string, address: string): void =>
      expect(text.replace(/ (class|href|rel)="[^"]*"/g, '')).toBe(
        link(address).replace(/ (class|href|rel)="[^"]*"/g, ''),
      );
    isLink(render(`![Version](${SHIELD})`, false), SHIELD);
    for (const address of [
      'http://img.shields.io/x.svg',
      'https://evil.example/x.svg',
      'https://github.com/acme/mug/raw/main/logo.svg',
    ]) {
      isLink(render(`![Version](${address})`), address);
    }
  });

  it('after the fiftieth image are links to their site, so that a readme lets nobody fetch many addresses', () => {
    const text = render(Array.from({ length: 60 }, (_, index) => `![a](${SHIELD}?x=${index})`).join(' '));
    expect(text.match(/\/badges\//g)).toHaveLength(50);
    expect(text.match(/<a class="image" href="https:\/\/img\.shields\.io\//g)).toHaveLength(10);
  });

  it.each([...README_ATTACKS, ...IMAGE_ATTACKS].map((attack) => [attack.slice(0, 80), attack]))(
    'load only through signed paths: %s',
    (_, attack) => {
      for (const [, src = ''] of render(`${attack}\n\n![a](${SHIELD})`).matchAll(/\ssrc="([^"]*)"/g))
        expect(src).toMatch(/^\/badges\/[\w-]{43}\?address=https%3A%2F%2F[a-z0-9.]+%2F[^"&<>]*$/);
    },
  );
});

describe('the address of a badge', () => {
  it.each([
    SHIELD,
    'https://badge.fury.io/rs/mug.svg',
    'https://docs.rs/mug/badge.svg',
    'https://docs.rs/mug/1.0.0/badge.svg',
    'https://deps.rs/repo/github/acme/mug/status.svg',
    'https://github.com/acme/mug/actions/workflows/ci.yml/badge.svg?branch=main',
    'https://github.com/acme/mug/workflows/CI%20tests/badge.svg',
    'https://codecov.io/gh/acme/mug/branch/main/graph/badge.svg?token=x',
    'https://coveralls.io/repos/github/acme/mug/badge.svg',
    'https://isitmaintained.com/badge/resolution/acme/mug.svg',
  ])('is at one of the default sites: %s', (address) => {
    expect(badgeAddress(address, DEFAULT_BADGE_HOSTS)).toBe(address);
  });

  it.each([
    'http://img.shields.io/x.svg',
    'https://img.shields.io:8443/x.svg',
    'https://user@img.shields.io/x.svg',
    'https://img.shields.io.evil.example/x.svg',
    'https://evil.example/img.shields.io',
    'https://github.com/acme/mug/blob/main/badge.svg',
    'https://github.com/acme/mug/workflows/CI/../../../../login/badge.svg',
    'https://docs.rs/mug/1.0.0/mug/picture.svg',
    'https://s3.amazonaws.com/assets.coveralls.io/badges/x.svg',
    'ftp://img.shields.io/x.svg',
    '//img.shields.io/x.svg',
    'x.svg',
    `https://img.shields.io/${'x'.repeat(1000)}.svg`,
  ])('is not %s', (address) => {
    expect(badgeAddress(address, DEFAULT_BADGE_HOSTS)).toBe(null);
  });

  it('may redirect to sites that serve badges of others, but to no other files there', () => {
    for (const address of [
      'https://s3.amazonaws.com/assets.coveralls.io/badges/coveralls_91.svg',
      'https://d25lcipzij17d.cloudfront.net/badge.svg?id=rs',
    ]) {
      expect(badgeAddress(address, REDIRECT_HOSTS)).toBe(address);
    }
    expect(badgeAddress('https://s3.amazonaws.com/bucket/x.svg', REDIRECT_HOSTS)).toBe(null);
    expect(badgeAddress('https://d25lcipzij17d.cloudfront.net/x.svg', REDIRECT_HOSTS)).toBe(null);
  });

  it('has one form, which the signature protects', () => {
    const path = badgePath('HTTPS://IMG.shields.io:443/a/../b.svg#part', BADGES) ?? '';
    const { pathname, searchParams } = new URL(path, 'http://x');
    const address = searchParams.get('address') ?? '';
    const signature = pathname.split('/').at(-1) ?? '';
    expect(address).toBe('https://img.shields.io/b.svg');
    expect(isBadgePath({ signature, address }, BADGES)).toBe(true);
    expect(isBadgePath({ signature, address: `${address}?x` }, BADGES)).toBe(false);
    expect(isBadgePath({ signature: '', address }, BADGES)).toBe(false);
    expect(isBadgePath({ signature, address: `${address}#x` }, BADGES)).toBe(false);
    expect(isBadgePath({ signature, address }, { ...BADGES, key: 'b3RoZXI=' })).toBe(false);
    expect(isBadgePath({ signature, address }, { ...BADGES, hosts: ['badgen.net'] })).toBe(false);
  });
});
