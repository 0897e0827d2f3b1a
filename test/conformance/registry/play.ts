import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { commitToRepo } from '../../helpers/git-repo.ts';
import { listPackaged, removeUnfinished } from '../../helpers/packaged.ts';
import { type Program, runProgram } from '../../helpers/program.ts';
import { authority } from '../../helpers/public-registry-certificates.ts';
import type { RecordedRequest, RecordingServer } from '../../helpers/recording-server.ts';
import { writeTree } from '../../helpers/tree.ts';
import { indexOf, respondFor } from './scripted-registries.ts';
import type { Session, Step } from './session.ts';

/** The result of one step. */
export interface PlayedStep {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly requests: readonly RecordedRequest[];
}

/** The result of a session: its steps, and the resulting files as lines. */
export interface Played {
  readonly steps: readonly PlayedStep[];
  readonly files: readonly string[];
}

/** The server and the folder in which sessions are played, one after the other. */
export interface Stage {
  readonly server: RecordingServer;
  /** A private folder, emptied for each session. */
  readonly folder: string;
  /** A port that no process listens on. */
  readonly deadPort: number;
}

/** Plays a session from the start. The same stage gives the same addresses and paths each time. */
export async function play(session: Session, program: Program, stage: Stage): Promise<Played> {
  const { server, folder, deadPort } = stage;
  const places = {
    work: path.join(folder, 'w'),
    home: path.join(folder, 'h'),
    repos: path.join(folder, 'g'),
  };
  const expand = (text: string): string =>
    text
      .replaceAll('$DEAD', String(deadPort))
      .replaceAll('$S', server.url)
      .replaceAll('$P', String(server.port))
      .replaceAll('$W', places.work)
      .replaceAll('$G', places.repos)
      .replaceAll('$H', places.home);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  for (const dir of Object.values(places)) mkdirSync(dir, { recursive: true });
  const registries = { mock: {}, ...session.registries };
  server.restart(respondFor(registries, expand));
  writeTree(places.work, session.files ?? {}, expand);
  writeTree(places.home, { 'config.toml': configOf(session), 'authority.pem': authority }, expand);
  writeTree(places.home, session.home ?? {}, expand);
  for (const [name, files] of Object.entries(session.git ?? {})) {
    const expanded = Object.entries(files).map(([file, text]) => [file, expand(text)]);
    commitToRepo(path.join(places.repos, name), [{ files: Object.fromEntries(expanded) }]);
  }

  const steps: PlayedStep[] = [];
  for (const step of session.steps) {
    writeTree(places.work, step.files ?? {}, expand);
    const seen = server.requests.length;
    const result = await runProgram(program, step.args.map(expand), {
      cwd: path.join(places.work, step.cwd ?? ''),
      env: environment(session, step, { folder, home: places.home, expand }),
      ...(step.input === undefined ? {} : { input: expand(step.input) }),
    });
    if (result.status !== 0) removeUnfinished(places.work);
    steps.push({ ...result, requests: server.requests.slice(seen) });
  }
  return { steps, files: [...describeHome(places.home), ...describeWork(places.work)] };
}

/** Returns the configuration with dotted keys, so that the text after it is not part of a table. */
function configOf(session: Session): string {
  const entries = (session.configured ?? ['mock']).map(
    (name) => `registries.${name}.index = "${indexOf(name)}"\n`,
  );
  const isPublic = session.registries?.['crates-io'] !== undefined;
  if (isPublic) entries.push('http.proxy = "$S"\nhttp.cainfo = "$H/authority.pem"\n');
  return `${entries.join('')}${session.config ?? ''}`;
}

function environment(
  session: Session,
  step: Step,
  where: { readonly folder: string; readonly home: string; readonly expand: (text: string) => string },
): Record<string, string> {
  const all: Record<string, string | null> = {
    PATH: process.env['PATH'] ?? '',
    HOME: where.folder,
    RUSTUP_HOME: process.env['RUSTUP_HOME'] ?? path.join(process.env['HOME'] ?? '', '.rustup'),
    CARGO_HOME: where.home,
    CARGO_REGISTRIES_MOCK_TOKEN: 'mocktoken',
    __CARGO_TEST_FIXED_RETRY_SLEEP_MS: '1',
    ...session.env,
    ...step.env,
  };
  const entries = Object.entries(all).flatMap(([name, value]): [string, string][] =>
    value === null ? [] : [[name, where.expand(value)]],
  );
  return Object.fromEntries(entries);
}

/** Files that record times of use, or that only serve as locks. */
const bookkeeping = /^(?:\.global-cache|\.package-cache|authority\.pem$|git\/db\/)|(?:^|\/)\.git(?:\/|$)/;

function describeHome(home: string): string[] {
  return filesBelow(home, '').flatMap((name) =>
    bookkeeping.test(name) ? [] : describeFile('$H', home, name),
  );
}

function describeWork(work: string): string[] {
  const isBuilt = /(?:^|\/)(?:target|far|\.git)\//;
  return [
    ...filesBelow(work, '').flatMap((name) => (isBuilt.test(name) ? [] : describeFile('$W', work, name))),
    ...listPackaged(work).flatMap(({ lines }) => lines),
  ];
}

/** Returns a text file as lines, and any other file as its size. */
function describeFile(title: string, folder: string, name: string): string[] {
  const file = path.join(folder, name);
  const mode = (statSync(file).mode & 0o777).toString(8);
  const bytes = readFileSync(file);
  const text = bytes.toString('latin1');
  const head = `${title}/${name} ${mode}`;
  if (text.includes('\0') && !name.includes('/.cache/')) return [`${head} ${bytes.length} bytes`];
  return [head, ...text.split(/\n|\0/).map((line) => `  | ${line}`)];
}

function filesBelow(root: string, folder: string): string[] {
  if (!existsSync(path.join(root, folder))) return [];
  return readdirSync(path.join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      return entry.isDirectory() ? filesBelow(root, name) : entry.isFile() ? [name] : [];
    })
    .sort();
}
