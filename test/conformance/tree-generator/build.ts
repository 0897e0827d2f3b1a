import fc from 'fast-check';
import type { Answer } from '../../helpers/answer.ts';
import type { RunDecl, Scenario } from '../../helpers/scenario.ts';
import type { Generator } from '../generated.ts';
import { buildCase } from '../generator/build.ts';
import { rarely } from '../generator/chances.ts';
import { type Genome, genomes } from '../generator/genome.ts';
import { pickOrNull } from '../generator/pick.ts';
import { type AskGene, askGenes, buildArguments, type TreeSurroundings } from './arguments.ts';
import { treeSubjects, subjectsOfAnswer, subjectsOfRun } from './subjects.ts';

/** A workspace, and the runs of `tree` in it. */
interface TreeGenome {
  readonly base: Genome;
  readonly asks: readonly AskGene[];
  /** 0 for no dev-dependency of a member on one that may depend on it. */
  readonly cycle: number;
}

/** Workspaces with many kinds of runs of `tree`. */
export const generatedTrees: Generator<TreeGenome> = {
  kind: 'tree',
  genomes: fc.record({
    base: genomes,
    asks: fc.array(askGenes, { minLength: 1, maxLength: 6 }),
    cycle: rarely(40),
  }),
  build: buildTreeCase,
  subjects: treeSubjects,
  occurring: (genome, answers: readonly Answer[]) => {
    const { runs } = buildTreeCase(genome);
    return new Set([...runs.flatMap(subjectsOfRun), ...answers.flatMap(subjectsOfAnswer)]);
  },
  counts: { quick: 60, long: 400, least: 300 },
};

/** Builds the scenario of a genome. It depends only on the genome. */
function buildTreeCase({ base, asks, cycle }: TreeGenome): Scenario {
  const { scenario } = buildCase(base);
  const around = surroundings(scenario);
  const runs = asks.map(
    (ask, at): RunDecl => ({ name: `ask-${at}`, bare: true, args: ['tree', ...buildArguments(ask, around)] }),
  );
  return {
    ...scenario,
    about: 'A generated case about trees on which the answers once differed.',
    files: cycle === 0 ? scenario.files : withCycle(scenario.files, cycle),
    runs,
  };
}

const MANIFEST = /(^|\/)Cargo\.toml$/;

function surroundings({ files, crates = [] }: Scenario): TreeSurroundings {
  const members: string[] = [];
  const features: string[] = [];
  for (const [file, text] of Object.entries(files)) {
    if (!MANIFEST.test(file) || typeof text !== 'string') continue;
    const name = /^\[package\]\nname = "([^"]*)"/m.exec(text)?.[1];
    if (name === undefined) continue;
    members.push(name);
    const table = /^\[features\]\n((?:(?!\[).*\n)*)/m.exec(text)?.[1] ?? '';
    for (const [, feature = ''] of table.matchAll(/^"?([\w.-]+)"? = /gm)) features.push(`${name}/${feature}`);
  }
  const packages = [
    ...crates.map(({ name, version }) => ({ name, version })),
    ...members.map((name) => ({ name, version: null })),
  ];
  return { members, packages, features };
}

/** Adds a dev-dependency of one member on an earlier one, which may depend on it. */
function withCycle(files: Scenario['files'], cycle: number): Scenario['files'] {
  const places = Object.keys(files).filter((file) => /^m\/[^/]+\/Cargo\.toml$/.test(file));
  const [from, to] = [pickOrNull(places, cycle), pickOrNull(places, cycle + 1)];
  const text = from === null ? undefined : files[from];
  const target = to === null ? undefined : files[to];
  if (from === null || to === null || from === to) return files;
  if (typeof text !== 'string' || typeof target !== 'string') return files;
  const name = /^name = "([^"]*)"/m.exec(target)?.[1] ?? '';
  if (name === '' || text.includes(`dependencies.${name}]`)) return files;
  const folder = to.replace(MANIFEST, '').replace(/^m\//, '');
  return { ...files, [from]: `${text}[dev-dependencies.${name}]\npath = "../${folder}"\n` };
}
