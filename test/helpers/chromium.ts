import { serve } from '@hono/node-server';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import type { PagesSite } from './pages-site.ts';
import { projectRoot } from './project-root.ts';

/** The browser of these tests; undefined to skip them. */
export const CHROMIUM = process.env['TSREG_CHROMIUM'];

/** The suffix of the names of test groups that need the browser. It explains why they are skipped. */
export const NEEDS_CHROMIUM =
  CHROMIUM === undefined ? ' (skipped: TSREG_CHROMIUM does not name a Chromium)' : '';

/** A site that a browser can reach, and the browser. */
export interface BrowsedSite extends AsyncDisposable {
  readonly url: string;
  readonly browser: Browser;
  /** Opens a page in a new context. Warnings and errors in its console are added to `complaints`. */
  open(address: string, options?: BrowserContextOptions): Promise<Page>;
  readonly complaints: string[];
  /** Requests to other hosts than the site. */
  readonly strayRequests: string[];
  /** Closes all pages. Returns their complaints and stray requests, and forgets them. */
  closePages(): Promise<readonly string[]>;
}

/** Starts the browser, and serves the site on a free port of 127.0.0.1. */
export async function browse(site: PagesSite): Promise<BrowsedSite> {
  const server = serve({ fetch: site.app.fetch, hostname: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] });
  const complaints: string[] = [];
  const strayRequests: string[] = [];
  return {
    url,
    browser,
    complaints,
    strayRequests,
    async open(address, options = {}) {
      const context = await browser.newContext({ baseURL: url, reducedMotion: 'reduce', ...options });
      const page = await context.newPage();
      page.on('console', (message) => {
        // Invalid form input gets this status on purpose.
        if (message.text().includes('status of 422')) return;
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('request', (request) => {
        if (!request.url().startsWith(`${url}/`)) strayRequests.push(request.url());
      });
      await page.goto(address);
      return page;
    },
    async closePages() {
      for (const context of browser.contexts()) await context.close();
      return [...complaints.splice(0), ...strayRequests.splice(0)];
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      server.close();
    },
  };
}

/** Saves a screenshot of the page under `.tmp/screenshots` for inspection. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = path.join(projectRoot, '.tmp/screenshots');
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
}
