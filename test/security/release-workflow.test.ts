import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../helpers/project-root.ts';

type Finding = { severity: string; range: string; via: readonly (string | { title: string; url: string })[] };

const {
  shippedPackages,
  sortFindings,
}: {
  shippedPackages: (
    sbom: { components: readonly { name: string }[] },
    lock: { packages: Record<string, object> },
  ) => ReadonlySet<string>;
  sortFindings: (
    report: { vulnerabilities: Record<string, Finding> },
    shipped: ReadonlySet<string>,
  ) => { shipped: readonly string[]; others: readonly string[] };
} = await import(path.join(projectRoot, 'scripts', 'audit-bundled.mjs'));

const folder = path.join(projectRoot, '.github', 'workflows');
const read = (...names: readonly string[]): string => readFileSync(path.join(projectRoot, ...names), 'utf8');
const workflows = readdirSync(folder).map((file) => ({ file, text: read('.github', 'workflows', file) }));

/** Returns the jobs of a workflow by name: the lines that are indented below each. */
function jobsOf(text: string): ReadonlyMap<string, string> {
  const [, jobs = ''] = text.split(/^jobs:\n/m);
  const parts = jobs.split(/^ {2}([\w-]+):\n/m).slice(1);
  return new Map(
    parts.flatMap((name, at) =>
      at % 2 === 0 ? [[name, withoutComments(parts[at + 1] ?? '')] as const] : [],
    ),
  );
}

function withoutComments(text: string): string {
  return text.replaceAll(/^ *#.*\n/gm, '');
}

/** Returns the values of a key at any depth. */
function valuesOf(key: string, text: string): readonly string[] {
  return [...text.matchAll(new RegExp(`^[ -]*${key}: *(.+)$`, 'gm'))].map(([, value = '']) => value);
}

describe.each(workflows)('the workflow $file', ({ text }) => {
  it('pins every action by its commit, with the version in a comment', () => {
    for (const action of valuesOf('uses', text)) {
      expect(action).toMatch(/^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  it('grants permissions per job only, and `write` only for the identity token', () => {
    expect(text).toMatch(/^permissions: \{\}$/m);
    for (const job of jobsOf(text).values())
      expect(job).toMatch(/^ {4}permissions:\n(?: {6}[\w-]+: \w+\n)+/m);
    expect(valuesOf('[\\w-]+', text).filter((value) => value === 'write')).toHaveLength(
      text.includes('id-token: write') ? 1 : 0,
    );
  });

  it('keeps no credentials after a checkout', () => {
    const checkouts = text.split('actions/checkout@').slice(1);
    for (const checkout of checkouts) {
      expect(checkout).toMatch(/^.*\n {8}with:\n {10}persist-credentials: false\n/);
    }
  });

  it('uses no expressions or multi-line scripts, and no `pull_request_target`', () => {
    for (const script of valuesOf('run', text)) expect(script).not.toContain('${{');
    expect(text).not.toContain('pull_request_target');
    expect(text).not.toMatch(/run: *[|>]/);
  });
});

describe('the identity token that npm trusts', () => {
  it('is given to one job of one workflow', () => {
    const holders = workflows.flatMap(({ file, text }) =>
      [...jobsOf(text)].filter(([, job]) => job.includes('id-token')).map(([name]) => `${file}: ${name}`),
    );
    expect(holders).toEqual(['release.yml: publish']);
  });

  it('is given to a job that runs no code of this project', () => {
    const job = jobsOf(read('.github', 'workflows', 'release.yml')).get('publish') ?? '';
    expect(valuesOf('run', job)).toEqual([
      'npm publish "./tsreg-${GITHUB_REF_NAME#v}.tgz" --provenance --ignore-scripts',
    ]);
    expect(valuesOf('uses', job).map((action) => action.replace(/@.*/, ''))).toEqual([
      'actions/setup-node',
      'actions/download-artifact',
    ]);
    expect(job).toContain('needs: build');
  });
});

describe.each(['package-lock.json', 'docs/package-lock.json'])('%s', (file) => {
  const lock: { packages: Record<string, Record<string, unknown>> } = JSON.parse(read(file));
  const packages = Object.entries(lock.packages).filter(([place]) => place !== '');

  it('has the hash of every package', () => {
    const without = packages.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(String(integrity)));
    expect(without.map(([place]) => place)).toEqual([]);
  });

  it('contains no download URL', () => {
    expect(packages.filter(([, entry]) => 'resolved' in entry).map(([place]) => place)).toEqual([]);
  });
});

describe('the audit of shipped packages', () => {
  const shipped = shippedPackages(
    { components: [{ name: 'hono' }, { name: '@hono/node-server' }] },
    {
      packages: {
        '': { peerDependencies: { libsql: '0.5.x' } },
        'node_modules/libsql': { dev: true, dependencies: { '@neon-rs/load': '^0.0.4' } },
        'node_modules/vitest': { dev: true },
      },
    },
  );
  const cause = { title: 'a hole', url: 'https://example.org/1' };

  it('finds bundled and optional packages', () => {
    expect([...shipped].sort()).toEqual(['@hono/node-server', '@neon-rs/load', 'hono', 'libsql']);
  });

  it('separates vulnerable shipped packages from development tools', () => {
    const findings = sortFindings(
      {
        vulnerabilities: {
          hono: { severity: 'high', range: '<4.14', via: [cause] },
          vitest: { severity: 'low', range: '*', via: ['vite'] },
        },
      },
      shipped,
    );
    expect(findings).toEqual({
      shipped: ['hono <4.14 (high): a hole https://example.org/1'],
      others: ['vitest * (low): vite'],
    });
  });
});
