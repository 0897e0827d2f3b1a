import {
  appendFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { index } from '../generator/chances.ts';
import { pick, pickOrNull } from '../generator/pick.ts';
import { type EditingSession, homes } from './edited-workspace.ts';

/** The numbers from which a step is built: its kind and its choices. */
export interface StepGene {
  readonly kind: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  /** The command after the step. */
  readonly ask: number;
  readonly flags: number;
  /** Undoes the step afterwards, even if it causes no error. */
  readonly back: boolean;
}

const large = fc.nat({ max: 99_999 });

export const stepGenes: fc.Arbitrary<StepGene> = fc.record({
  kind: large,
  a: large,
  b: index,
  c: index,
  ask: large,
  flags: large,
  back: fc.boolean(),
});

type Step = (session: EditingSession, gene: StepGene) => string | null;

/** Takes one step and returns its description. If a kind has nothing to do, the next kind is tried. */
export function takeStep(session: EditingSession, gene: StepGene): string {
  for (let more = 0; more < steps.length; more += 1) {
    const [name, step] = pick(steps, gene.kind + more);
    const what = step(session, gene);
    if (what !== null) return `${name}: ${what}`;
  }
  throw new Error('no step can be taken');
}

/** Returns the paths of all manifests of the workspace and its neighbors, relative to the base. */
export function manifestsOf({ workspace: { base } }: EditingSession): string[] {
  return ['ws', 'beside'].flatMap((top) =>
    readdirSync(path.join(base, top), { recursive: true, encoding: 'utf8' })
      .filter((name) => path.basename(name) === 'Cargo.toml' && statIsFile(path.join(base, top, name)))
      .map((name) => path.join(top, name))
      .sort(),
  );
}

function statIsFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

/** A package: its folder and the text of its manifest. */
interface Member {
  readonly at: string;
  readonly folder: string;
  readonly manifest: string;
  readonly text: string;
}

function members(session: EditingSession): Member[] {
  return manifestsOf(session).flatMap((at) => {
    const manifest = path.join(session.workspace.base, at);
    const text = readFileSync(manifest, 'utf8');
    return /^\s*\[package\]/m.test(text)
      ? [{ at: path.dirname(at), folder: path.dirname(manifest), manifest, text }]
      : [];
  });
}

/** Returns a step that changes the text of a member's manifest. `change` returns null if it does not apply. */
function manifestStep(
  change: (member: Member, gene: StepGene, session: EditingSession) => string | null,
): Step {
  return (session, gene) => {
    const list = members(session);
    for (let more = 0; more < list.length; more += 1) {
      const member = pick(list, gene.a + more);
      const text = change(member, gene, session);
      if (text === null || text === member.text) continue;
      writeFileSync(member.manifest, text);
      return member.at;
    }
    return null;
  };
}

function rootText(session: EditingSession): string {
  const file = path.join(session.root, 'Cargo.toml');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function nameOf(text: string): string | null {
  return /^name\s*=\s*"([^"]*)"/m.exec(text)?.[1] ?? null;
}

/** Sets a key of `[package]`, and adds it before the others if it is missing. */
function withKey(text: string, key: string, value: string): string {
  const line = new RegExp(`^${key}(?:\\.workspace)?\\s*=.*$`, 'm');
  const [head = '', ...tables] = text.split(/^(?=\[(?!package\]))/m);
  const changed = line.test(head)
    ? head.replace(line, `${key} = ${value}`)
    : head.replace(/^\s*\[package\].*$/m, (table) => `${table}\n${key} = ${value}`);
  return [changed, ...tables].join('');
}

/** Toggles a file: removes it, or creates it with its folders. */
function toggle(file: string, content = ''): string {
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) {
    rmSync(file, { recursive: true, force: true });
    return 'removed';
  }
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  return 'added';
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
}

const targetFiles = [
  'src/bin/x.rs',
  'src/bin/y/main.rs',
  'build.rs',
  'examples/e.rs',
  'examples/d/main.rs',
  'tests/t.rs',
  'tests/u/main.rs',
  'benches/b.rs',
  'src/main.rs',
  'src/lib.rs',
  'src/bin/z.txt',
  'README.md',
  'src/bin/.hidden.rs',
];

const configTexts = [
  '[build]\ntarget-dir = "elsewhere"\n',
  '[net]\noffline = true\n',
  '[alias]\nmm = "metadata --format-version 1 --no-deps"\n',
  '[alias]\nmm = ["tree", "--depth", "1"]\n',
  '[registries.extra]\nindex = "file:///nowhere/index"\n',
  '[resolver]\nincompatible-rust-versions = "fallback"\n',
  '[term]\nquiet = true\n',
  '[build]\ntarget = "x86_64-pc-windows-gnu"\n',
  '[build]\nbuild-dir = "{workspace-root}/b"\n',
  'include = ["more.toml"]\n',
  '[term]\nverbose = true\n',
  '[net]\noffline = 1\n',
];

const variables: readonly (readonly [name: string, value: string])[] = [
  ['CARGO_TARGET_DIR', 'of-variable'],
  ['CARGO_BUILD_TARGET_DIR', '/tmp/of-config-variable'],
  ['CARGO_NET_OFFLINE', 'true'],
  ['CARGO_REGISTRIES_EXTRA_INDEX', 'file:///nowhere/index'],
  ['CARGO_RESOLVER_INCOMPATIBLE_RUST_VERSIONS', 'fallback'],
  ['CARGO_TERM_QUIET', 'true'],
  ['CARGO_ALIAS_MM', 'locate-project'],
  ['CARGO_BUILD_TARGET', 'aarch64-apple-darwin'],
  ['CARGO_TERM_COLOR', 'always'],
];

function dependencyLines(session: EditingSession, { b, c }: StepGene): readonly [string, string] | null {
  const offer = pickOrNull(session.workspace.offers, b * 61 + c);
  if (offer === null) return null;
  const [name, version, registry] = offer;
  const req = pick([`"${version}"`, '"*"', `">=${version}"`, `"=${version}"`], c);
  const keys = [
    `version = ${req}`,
    ...(registry === null ? [] : [`registry = "${registry}"`]),
    ...(c % 5 === 1 ? ['optional = true'] : []),
    ...(c % 5 === 2 ? ['default-features = false'] : []),
  ];
  return [name, keys.join('\n')];
}

function relativePath(from: Member, to: string): string {
  return path.relative(from.folder, to) || '.';
}

const steps: readonly (readonly [string, Step])[] = [
  [
    'description',
    manifestStep(({ text }, { b }) => withKey(text, 'description', `"${pick(['one', 'two', 'é', ''], b)}"`)),
  ],
  [
    'version',
    manifestStep(({ text }, { b }) =>
      withKey(text, 'version', `"${pick(['0.1.0', '0.1.1', '1.0.0', '2.0.0-rc.1', '0.1'], b)}"`),
    ),
  ],
  [
    'dependency added',
    manifestStep(({ text }, gene, session) => {
      const found = dependencyLines(session, gene);
      if (found === null) return null;
      const [name, keys] = found;
      const table = pick(['dependencies', 'dependencies', 'dev-dependencies', 'build-dependencies'], gene.c);
      const place = gene.b % 6 === 0 ? `target.'cfg(windows)'.${table}` : table;
      if (text.includes(`[${place}.${name}]`) || new RegExp(`^${name}\\b`, 'm').test(text)) return null;
      return `${text.trimEnd()}\n\n[${place}.${name}]\n${keys}\n`;
    }),
  ],
  [
    'path dependency added',
    manifestStep((member, { b }, session) => {
      const other = pick(members(session), b);
      const name = nameOf(other.text);
      if (name === null || other.at === member.at || member.text.includes(`dependencies.${name}]`))
        return null;
      const lines = `[dependencies.${name}]\npath = "${relativePath(member, other.folder)}"\n`;
      return `${member.text.trimEnd()}\n\n${lines}`;
    }),
  ],
  [
    'dependency removed',
    manifestStep(({ text }, { b }) => {
      const tables = [...text.matchAll(/^\[[^\n\]]*dependencies\.[^\n]*\]\n(?:(?!\[).*\n)*/gm)];
      const lines = [
        ...text.matchAll(/^[\w-]+ = (?:\{.*(?:version|path|workspace).*\}|"[\d=^~*>][^"\n]*")\n/gm),
      ].filter(([line]) => !/^(?:version|edition|rust-version|resolver|name)\b/.test(line));
      const found = pickOrNull([...tables, ...lines], b);
      return found === null ? null : text.replace(found[0], '');
    }),
  ],
  [
    'dependency changed',
    manifestStep(({ text }, { b, c }) => {
      const headers = [...text.matchAll(/^\[[^\n\]]*dependencies\.[^\n]*\]\n/gm)];
      const inline = [...text.matchAll(/^[\w-]+ = \{ (?=.*(?:version|path|workspace))/gm)];
      const found = pickOrNull([...headers, ...inline], b);
      if (found === null) return null;
      const key = pick(
        ['optional = true', 'default-features = false', 'features = ["std"]', 'package = "x"'],
        c,
      );
      return text.replace(found[0], `${found[0]}${key}${found[0].startsWith('[') ? '\n' : ', '}`);
    }),
  ],
  [
    'feature',
    manifestStep(({ text }, { b }) => {
      const line = `extra-${b % 3} = []\n`;
      if (text.includes(line)) return text.replace(line, '');
      if (text.includes('\n[features]\n')) return text.replace('\n[features]\n', `\n[features]\n${line}`);
      return `${text.trimEnd()}\n\n[features]\n${line}`;
    }),
  ],
  [
    'feature removed',
    manifestStep(({ text }, { b }) => {
      const [, table = ''] = /^\[features\]\n((?:(?!\[).*\n)*)/m.exec(text) ?? [];
      const line = pickOrNull([...table.matchAll(/^[\w"-]+ = \[.*\]\n/gm)], b);
      return line === null ? null : text.replace(line[0], '');
    }),
  ],
  [
    'member added',
    (session, { a, b, c }) => {
      const near = pick(members(session), a);
      const folder = path.join(path.dirname(near.folder), `new-${b % 4}`);
      if (existsSync(folder) || !folder.startsWith(path.join(session.workspace.base, ''))) return null;
      if (path.dirname(folder) === session.workspace.base) return null;
      mkdirSync(path.join(folder, 'src'), { recursive: true });
      writeFileSync(path.join(folder, 'src/lib.rs'), '');
      const manifest = `[package]\nname = "new-${b % 4}"\nversion = "0.${c}.0"\nedition = "2021"\n`;
      writeFileSync(path.join(folder, 'Cargo.toml'), manifest);
      const root = rootText(session);
      if (c % 2 === 0 && /^members = \[/m.test(root)) {
        const member = path.relative(session.root, folder);
        writeFileSync(
          path.join(session.root, 'Cargo.toml'),
          root.replace(/^members = \[/m, `members = ["${member}", `),
        );
      }
      return path.relative(session.workspace.base, folder);
    },
  ],
  [
    'member removed',
    (session, { a }) => {
      const member = pick(members(session), a);
      if (member.at === 'ws') return null;
      rmSync(member.folder, { recursive: true });
      return member.at;
    },
  ],
  [
    'folder renamed',
    (session, { a, b }) => {
      const member = pick(members(session), a);
      if (member.at === 'ws') return null;
      const to = path.join(path.dirname(member.folder), `moved-${b % 4}`);
      if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) return null;
      renameSync(member.folder, to);
      return `${member.at} to ${path.basename(to)}`;
    },
  ],
  ['package renamed', manifestStep(({ text }, { b }) => withKey(text, 'name', `"other-${b % 4}"`))],
  [
    'target file',
    (session, { a, b }) => {
      const { folder, at } = pick(members(session), a);
      const name = pick(targetFiles, b);
      return `${at}/${name} ${toggle(path.join(folder, name))}`;
    },
  ],
  [
    'target file',
    (session, { a, b }) => {
      const { folder, at } = pick(members(session), a);
      const name = pick(targetFiles, b);
      return `${at}/${name} ${toggle(path.join(folder, name))}`;
    },
  ],
  [
    'folder in the place of a target file',
    (session, { a, b }) => {
      const { folder, at } = pick(members(session), a);
      const name = pick(targetFiles, b);
      const file = path.join(folder, name);
      const wasFolder = isFolder(file);
      rmSync(file, { recursive: true, force: true });
      if (!wasFolder) mkdirSync(file, { recursive: true });
      return `${at}/${name} ${wasFolder ? 'removed' : 'made'}`;
    },
  ],
  [
    'edit that keeps size and time',
    (session, { a, b }) => {
      const at = pick(manifestsOf(session), a);
      const file = path.join(session.workspace.base, at);
      const { atime, mtime } = statSync(file);
      const text = readFileSync(file, 'utf8');
      const found = pickOrNull([...text.matchAll(/\d(?=[\w.+-]*")|[a-z](?=")/g)], b);
      if (found === null) return null;
      const letter = /\d/.test(found[0]) ? String((Number(found[0]) + 1) % 10) : found[0] === 'q' ? 'r' : 'q';
      writeFileSync(file, text.slice(0, found.index) + letter + text.slice(found.index + 1));
      utimesSync(file, atime, mtime);
      return `${at} at ${found.index}`;
    },
  ],
  [
    'modification time',
    (session, { a, b }) => {
      const at = pick(manifestsOf(session), a);
      const time = pick([new Date(), new Date(0), new Date('2001-02-03'), new Date('2099-01-01')], b);
      utimesSync(path.join(session.workspace.base, at), time, time);
      return `${at} of ${time.toISOString()}`;
    },
  ],
  [
    'manifest written again',
    (session, { a }) => {
      const at = pick(manifestsOf(session), a);
      const file = path.join(session.workspace.base, at);
      const text = readFileSync(file);
      rmSync(file);
      writeFileSync(file, text);
      return at;
    },
  ],
  [
    'lock file',
    (session, { b, c }) => {
      if (!existsSync(session.lockFile)) return null;
      const lock = readFileSync(session.lockFile, 'utf8');
      const packages = [...lock.matchAll(/^\[\[package\]\]\n(?:.+\n)*\n?/gm)];
      const one = pickOrNull(packages, c)?.[0] ?? '';
      const texts: readonly (readonly [string, string | null])[] = [
        ['removed', null],
        ['without a package', lock.replace(one, '')],
        ['without a checksum', lock.replace(/^checksum = .*\n/m, '')],
        ['of another version', lock.replace(/^version = 4$/m, 'version = 3')],
        ['with a package twice', lock.replace(one, `${one}${one}`)],
        ['with CRLF', lock.replaceAll(/\r?\n/g, '\r\n')],
        ['with a comment', `${lock}# end\n`],
        ['empty', ''],
        ['cut', lock.slice(0, Math.floor(lock.length / 2))],
      ];
      const [what, text] = pick(texts, b);
      if (text === null) rmSync(session.lockFile);
      else writeFileSync(session.lockFile, text);
      return what;
    },
  ],
  [
    'lock file as a link',
    (session) => {
      if (!existsSync(session.lockFile) || lstatSync(session.lockFile).isSymbolicLink()) return null;
      const target = path.join(session.workspace.base, 'beside', 'the.lock');
      cpSync(session.lockFile, target);
      rmSync(session.lockFile);
      symlinkSync(target, session.lockFile);
      return 'made';
    },
  ],
  [
    'config',
    (session, { a, b, c }) => {
      const folders = ['.', 'ws', ...members(session).map(({ at }) => at)];
      const at = path.join(pick(folders, a), '.cargo', c % 5 === 0 ? 'config' : 'config.toml');
      const text = pick(configTexts, b);
      const what = toggle(path.join(session.workspace.base, at), text);
      if (text.startsWith('include')) {
        const more = path.join(session.workspace.base, path.dirname(at), 'more.toml');
        if (!existsSync(more)) toggle(more, '[build]\ntarget-dir = "of-include"\n');
      }
      return `${at} ${what}${what === 'added' ? `, ${JSON.stringify(text)}` : ''}`;
    },
  ],
  [
    'config that is included',
    (session, { b }) => {
      const found = ['.', 'ws'].map((at) => path.join(session.workspace.base, at, '.cargo', 'more.toml'));
      const file = found.find((one) => existsSync(one));
      if (file === undefined) return null;
      writeFileSync(file, `[build]\ntarget-dir = "of-include-${b}"\n`);
      return 'changed';
    },
  ],
  [
    'config of the home',
    (session, { b }) => {
      const text = pick(configTexts, b);
      if (text.startsWith('include')) return null;
      const [head = '', step] = session.homeConfig.split('# step\n');
      const now = step === undefined ? `${head}# step\n${text}` : head;
      session.homeConfig = now;
      return now === head ? 'as at first' : JSON.stringify(text);
    },
  ],
  [
    'patch',
    (session, { b, c }) => {
      const root = path.join(session.root, 'Cargo.toml');
      const text = rootText(session);
      if (text === '') return null;
      const [, patched] = /\n\[patch\.crates-io\]\n(\S+) = \{ path = "patched\/\1" \}\n$/.exec(text) ?? [];
      if (patched !== undefined) {
        writeFileSync(root, text.slice(0, text.lastIndexOf('\n[patch.')));
        return `${patched} removed`;
      }
      const offer = pickOrNull(
        session.workspace.offers.filter(([, , registry]) => registry === null),
        b * 61 + c,
      );
      if (offer === null || text.includes('[patch')) return null;
      const [name, version] = offer;
      const folder = path.join(session.root, 'patched', name);
      mkdirSync(path.join(folder, 'src'), { recursive: true });
      writeFileSync(path.join(folder, 'src/lib.rs'), '');
      const manifest = `[package]\nname = "${name}"\nversion = "${version}"\n[workspace]\n`;
      writeFileSync(path.join(folder, 'Cargo.toml'), manifest);
      appendFileSync(root, `\n[patch.crates-io]\n${name} = { path = "patched/${name}" }\n`);
      return `${name} added`;
    },
  ],
  [
    'workspace keys',
    (session, { b }) => {
      const root = path.join(session.root, 'Cargo.toml');
      const text = rootText(session);
      if (!text.includes('[workspace.package]')) {
        if (!text.includes('[workspace]')) return null;
        const keys = 'version = "9.9.9"\ndescription = "inherited"\nedition = "2021"';
        writeFileSync(root, `${text.trimEnd()}\n\n[workspace.package]\n${keys}\n`);
        return 'added';
      }
      const [table = ''] = /^\[workspace\.package\]\n(?:(?!\[).*\n)*/m.exec(text) ?? [];
      const line = pickOrNull([...table.matchAll(/^[\w-]+ = ".*"\n/gm)], b)?.[0];
      if (line === undefined) return null;
      const changed = b % 3 === 0 ? '' : line.replace(/"(?:\d+\.)?/, (start) => `${start}1`);
      writeFileSync(root, text.replace(table, table.replace(line, changed)));
      return JSON.stringify(line);
    },
  ],
  [
    'inherited key',
    manifestStep(({ text }, { b }) => {
      const key = pick(['version', 'description', 'edition', 'license', 'rust-version'], b);
      return withKey(text, key, '{ workspace = true }');
    }),
  ],
  [
    'workspace dependency',
    (session, gene) => {
      const found = dependencyLines(session, gene);
      const root = path.join(session.root, 'Cargo.toml');
      const text = rootText(session);
      const member = pick(members(session), gene.a);
      if (found === null || !text.includes('[workspace]') || member.manifest === root) return null;
      const [name, keys] = found;
      if (!new RegExp(`^(?:\\[workspace\\.dependencies\\.${name}\\]|${name} *=)`, 'm').test(text)) {
        writeFileSync(
          root,
          `${text.trimEnd()}\n\n[workspace.dependencies.${name}]\n${keys.replace('\noptional = true', '')}\n`,
        );
      }
      if (!member.text.includes(`dependencies.${name}]`)) {
        appendFileSync(member.manifest, `\n[dependencies.${name}]\nworkspace = true\n`);
      }
      return `${member.at} ${name}`;
    },
  ],
  [
    'package outside of the workspace',
    (session, { a, b, c }) => {
      const name = `outside-${b % 3}`;
      const folder = path.join(session.workspace.base, 'beside', name);
      const isNew = !existsSync(folder);
      mkdirSync(path.join(folder, 'src'), { recursive: true });
      writeFileSync(path.join(folder, 'src/lib.rs'), '');
      const manifest = `[package]\nname = "${name}"\nversion = "0.${c % 3}.${c}"\n`;
      writeFileSync(path.join(folder, 'Cargo.toml'), manifest);
      const member = pick(members(session), a);
      if (isNew && !member.folder.startsWith(folder)) {
        const lines = `[dependencies.${name}]\npath = "${relativePath(member, folder)}"\n`;
        appendFileSync(member.manifest, `\n${lines}`);
      }
      return `${name} ${isNew ? `for ${member.at}` : 'changed'}`;
    },
  ],
  [
    'link to a member',
    (session, { a, b }) => {
      const member = pick(members(session), a);
      if (member.at === 'ws' || member.at === 'beside') return null;
      const link = path.join(path.dirname(member.folder), `link-${b % 3}`);
      if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) {
        rmSync(link, { recursive: true });
        return 'removed';
      }
      symlinkSync(path.basename(member.folder), link);
      return `${path.basename(link)} to ${member.at}`;
    },
  ],
  [
    'member in the place of which a link is',
    (session, { a, b }) => {
      const member = pick(members(session), a);
      const to = path.join(session.workspace.base, 'beside', `linked-${b % 3}`);
      const isInside = member.at.startsWith('ws/') && !lstatSync(member.folder).isSymbolicLink();
      if (!isInside || existsSync(to)) return null;
      renameSync(member.folder, to);
      symlinkSync(to, member.folder);
      return member.at;
    },
  ],
  [
    'variable',
    (session, { b, c }) => {
      const [name, value] = pick(variables, b);
      if (Object.hasOwn(session.env, name)) {
        delete session.env[name];
        return `${name} unset`;
      }
      session.env[name] = c % 4 === 0 ? '' : value;
      return `${name} set to ${JSON.stringify(session.env[name])}`;
    },
  ],
  [
    'registry or repository',
    (session) => {
      const event = session.workspace.events.shift();
      event?.();
      return event === undefined ? null : 'changed';
    },
  ],
  [
    'unpacked package',
    (session, { a, b }) => {
      const packages = unpackedPackages(session.homeFolder('cargo'));
      const found = pickOrNull(packages, a);
      if (found === null) return null;
      const change = pick(
        ['folder removed', 'mark removed', 'manifest touched', 'manifest changed'] as const,
        b,
      );
      for (const home of homes) {
        const folder = path.join(session.homeFolder(home), found);
        const manifest = path.join(folder, 'Cargo.toml');
        if (!existsSync(manifest)) continue;
        if (change === 'folder removed') rmSync(folder, { recursive: true });
        else if (change === 'mark removed') rmSync(path.join(folder, '.cargo-ok'), { force: true });
        else if (change === 'manifest touched') utimesSync(manifest, new Date(), new Date(0));
        else writeFileSync(manifest, withKey(readText(manifest), 'description', `"changed ${a}"`));
      }
      return `${path.basename(found)}: ${change}`;
    },
  ],
];

function readText(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Returns the folders of unpacked packages, relative to the home. */
function unpackedPackages(home: string): string[] {
  const sources = path.join('registry', 'src');
  if (!existsSync(path.join(home, sources))) return [];
  return readdirSync(path.join(home, sources))
    .sort()
    .flatMap((registry) =>
      readdirSync(path.join(home, sources, registry))
        .sort()
        .map((name) => path.join(sources, registry, name)),
    );
}
