import fc from 'fast-check';
import type { Answer } from '../../helpers/answer.ts';
import type { RunDecl, Scenario } from '../../helpers/scenario.ts';
import type { Generator } from '../generated.ts';
import { buildCase } from '../generator/build.ts';
import { index } from '../generator/chances.ts';
import { type Genome, genomes } from '../generator/genome.ts';
import { pick, pickOrNull } from '../generator/pick.ts';
import { infoSubjects, subjectsOfAnswer, subjectsOfRun } from './subjects.ts';

/** One run of `info`, as small numbers. */
interface AskGene {
  readonly name: number;
  readonly form: number;
  readonly folder: number;
  readonly flags: readonly number[];
}

/** A workspace, and the runs in it. */
interface InfoGenome {
  readonly base: Genome;
  readonly asks: readonly AskGene[];
}

const asks = fc.record({ name: index, form: index, folder: index, flags: fc.array(index, { maxLength: 3 }) });

/** Workspaces with runs of `info` about their packages and those of their registries. */
export const generatedInfo: Generator<InfoGenome> = {
  kind: 'info-generated',
  genomes: fc.record({ base: genomes, asks: fc.array(asks, { minLength: 2, maxLength: 8 }) }),
  build: buildInfoCase,
  subjects: infoSubjects,
  occurring: (genome, answers: readonly Answer[]) => {
    const { runs } = buildInfoCase(genome);
    return new Set([...runs.flatMap(subjectsOfRun), ...answers.flatMap(subjectsOfAnswer)]);
  },
  counts: { quick: 40, long: 400, least: 300 },
};

const MANIFEST = /(^|\/)Cargo\.toml$/;

/** Builds the scenario of a genome. It depends only on the genome. */
function buildInfoCase(genome: InfoGenome): Scenario {
  const { scenario } = buildCase(genome.base);
  const { files, crates = [] } = scenario;
  const folders: string[] = [];
  const packages: NamedPackage[] = crates.map(({ name, version, registry = 'crates-io' }) => {
    return { name, version, registry };
  });
  for (const [file, text] of Object.entries(files)) {
    if (!MANIFEST.test(file) || typeof text !== 'string') continue;
    folders.push(file.replace(MANIFEST, ''));
    const name = /^name = "([^"]*)"/m.exec(text)?.[1];
    if (name !== undefined) packages.push({ name, version: null, registry: null });
  }
  const runs = genome.asks.map((ask, at): RunDecl => {
    const folder = ask.folder % 2 === 0 ? '' : (pickOrNull(folders, ask.folder) ?? '');
    const wanted = pickOrNull(packages, ask.name);
    return {
      name: `ask-${at}`,
      bare: true,
      cwd: folder,
      args: ['info', specOf(wanted, ask), ...argumentsOf(wanted, ask)],
    };
  });
  return {
    ...scenario,
    about: 'A generated case about packages of which the answers once differed.',
    runs,
  };
}

/** A package that runs can name. */
interface NamedPackage {
  readonly name: string;
  /** Null for a package of the workspace, like `registry`. */
  readonly version: string | null;
  readonly registry: string | null;
}

/** Returns a specification of a package, sometimes a wrong one or another spelling. */
function specOf(wanted: NamedPackage | null, { name: number, form }: AskGene): string {
  if (wanted === null || form % 29 === 0) return 'nothing';
  const { name, version } = wanted;
  if (form % 11 === 0) return name.replaceAll('-', '_');
  if (form % 13 === 0) return name.toUpperCase();
  if (version === null || form % 3 > 0) return name;
  return pick([`${name}@${version}`, `${name}@${version.split('.')[0] ?? '1'}`], number);
}

/** Returns the flags, usually with the package's registry: crates.io is replaced, and so must be named. */
function argumentsOf(wanted: NamedPackage | null, { flags, folder }: AskGene): readonly string[] {
  const choices: readonly (readonly string[])[] = [
    ['-v'],
    ['--color', 'always'],
    ['--offline'],
    ['--locked'],
    ['-q'],
    ['--registry', 'crates-io'],
    ['--registry', 'alt'],
    [],
  ];
  const registry = folder % 6 === 0 ? null : (wanted?.registry ?? null);
  const args: string[] = registry === null ? [] : ['--registry', registry];
  for (const flag of flags) {
    const more = pick(choices, flag);
    const isRefused = (more[0] === '-q' && args.includes('-v')) || (more[0] === '-v' && args.includes('-q'));
    if (!isRefused && !args.includes(more[0] ?? '')) args.push(...more);
  }
  return args;
}
