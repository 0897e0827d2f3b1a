import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'smol-toml';
import { projectRoot } from './project-root.ts';
import type { RunDecl, Scenario } from './scenario.ts';

/** A scenario of this project, in `fixtures/COMMAND/TOPIC/case.toml`. */
export interface Fixture {
  /** `COMMAND/TOPIC`. */
  readonly name: string;
  /** The folder for its sandbox. As answers contain relative paths above it, all of them have the same depth. */
  readonly sandboxName: string;
  /** The absolute path of its folder. */
  readonly dir: string;
  readonly scenario: Scenario;
}

/** Reads every fixture, sorted by name. */
export function readFixtures(): Fixture[] {
  const root = path.join(projectRoot, 'fixtures');
  const fixtures: Fixture[] = [];
  const folders = readdirSync(root).flatMap((command) =>
    readdirSync(path.join(root, command)).map((topic) => `${command}/${topic}`),
  );
  for (const name of folders.sort()) {
    const dir = path.join(root, name);
    const file = path.join(dir, 'case.toml');
    if (!existsSync(file)) continue;
    const text = readFileSync(file, 'utf8');
    try {
      fixtures.push({ name, sandboxName: name.replace('/', '-'), dir, scenario: parseScenario(text) });
    } catch (error) {
      throw new Error(`fixtures/${name}/case.toml`, { cause: error });
    }
  }
  return fixtures;
}

/** Parses the text of a case.toml. The names of the fields are those of `Scenario`. */
function parseScenario(text: string): Scenario {
  const value = parse(text) as unknown as Scenario;
  if (typeof value.about !== 'string') throw new Error('a case needs one line `about`');
  const names = new Set<string>();
  for (const run of value.runs) {
    if (names.has(run.name)) throw new Error(`two runs are named ${run.name}`);
    names.add(run.name);
  }
  return value;
}

/** Returns a scenario as readable TOML, with multi-line strings for texts of several lines. */
export function printScenario(scenario: Scenario): string {
  const lines: string[] = [`about = ${inline(scenario.about)}`];
  if (scenario.failures === true) lines.push('failures = true');
  if (scenario.command !== undefined) lines.push(`command = ${inline(scenario.command)}`);
  if (scenario.git_commands !== undefined) lines.push(`git_commands = ${inline(scenario.git_commands)}`);
  if (scenario.config !== undefined) lines.push(`config = ${inline(scenario.config)}`);
  table(lines, 'files', scenario.files);
  if (scenario.home !== undefined) table(lines, 'home', scenario.home);
  for (const [name, registry] of Object.entries(scenario.registries ?? {})) {
    table(lines, `registries.${key(name)}`, registry);
  }
  for (const crate of scenario.crates ?? []) table(lines, '[crates]', crate);
  for (const [name, commits] of Object.entries(scenario.git ?? {})) {
    for (const commit of commits) table(lines, `[git.${key(name)}]`, commit);
  }
  for (const run of scenario.runs) printRun(lines, run);
  return `${lines.join('\n')}\n`;
}

function printRun(lines: string[], run: RunDecl): void {
  const { write, publish, commit, ...rest } = run;
  table(lines, '[runs]', rest);
  if (write !== undefined) table(lines, 'runs.write', write);
  for (const crate of publish ?? []) table(lines, '[runs.publish]', crate);
  for (const [name, commits] of Object.entries(commit ?? {})) {
    for (const one of commits) table(lines, `[runs.commit.${key(name)}]`, one);
  }
}

function table(lines: string[], name: string, value: object): void {
  lines.push('', `[${name}]`);
  for (const [field, entry] of Object.entries(value)) {
    if (entry !== undefined) lines.push(`${key(field)} = ${inline(entry)}`);
  }
}

function inline(value: unknown): string {
  if (typeof value === 'string') {
    if (value.includes('\n') && /^[^'\0-\x08\x0b-\x1f\x7f]*$/.test(value)) return `'''\n${value}'''`;
    return JSON.stringify(value).replaceAll('\x7f', '\\u007f');
  }
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).filter(([, entry]) => entry !== undefined);
    return `{ ${fields.map(([field, entry]) => `${key(field)} = ${inline(entry)}`).join(', ')} }`;
  }
  return String(value);
}

function key(text: string): string {
  return /^[A-Za-z0-9_-]+$/.test(text) ? text : JSON.stringify(text);
}
