import fc from 'fast-check';
import type { Answer } from '../../helpers/answer.ts';
import type { RunDecl, Scenario } from '../../helpers/scenario.ts';
import type { Generator } from '../generated.ts';
import { buildCase } from '../generator/build.ts';
import { index } from '../generator/chances.ts';
import { type Genome, genomes } from '../generator/genome.ts';
import { pick, pickOrNull } from '../generator/pick.ts';
import { infoSubjects, subjectsOfAnswer, subjectsOfRun } from './subjects.ts';

/** What one run asks, as small numbers. */
interface AskGene {
  readonly name: number;
  readonly form: number;
  readonly folder: number;
  readonly flags: readonly number[];
}

/** A workspace, and which packages are asked for. */
interface InfoGenome {
  readonly base: Genome;
  readonly asks: readonly AskGene[];
}

const asks = fc.record({ name: index, form: index, folder: index, flags: fc.array(index, { maxLength: 3 }) });

/** Workspaces whose packages, and those of the registries around them, are asked for. */
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

/** Makes the scenario of a genome; the same genome gives the same scenario. */
function buildInfoCase(genome: InfoGenome): Scenario {
  const { scenario } = buildCase(genome.base);
  const { files, crates = [] } = scenario;
  const manifests = Object.entries(files).filter(
    ([file, text]) => MANIFEST.test(file) && typeof text === 'string',
  );
  const folders = manifests.map(([file]) => file.replace(MANIFEST, ''));
  const members = manifests.flatMap(([, text]) => {
    const name = /^name = "([^"]*)"/m.exec(String(text))?.[1];
    return name === undefined ? [] : [{ name, version: null }];
  });
  const packages = [...crates, ...members];
  const runs = genome.asks.map((ask, at): RunDecl => {
    const folder = ask.folder % 2 === 0 ? '' : (pickOrNull(folders, ask.folder) ?? '');
    const spec = specOf(packages, ask);
    return {
      name: `ask-${at}`,
      bare: true,
      cwd: folder,
      args: ['info', spec, ...argumentsOf(ask)],
    };
  });
  return {
    ...scenario,
    about: 'A generated case about packages of which the answers once differed.',
    runs,
  };
}

/** A specification of some package, now and then of none, or spelled in another way. */
function specOf(
  packages: readonly { readonly name: string; readonly version: string | null }[],
  { name: number, form }: AskGene,
): string {
  const found = pickOrNull(packages, number);
  if (found === null || form % 29 === 0) return 'nothing';
  const { name, version } = found;
  if (form % 11 === 0) return name.replaceAll('-', '_');
  if (form % 13 === 0) return name.toUpperCase();
  if (version === null || form % 3 > 0) return name;
  return pick([`${name}@${version}`, `${name}@${version.split('.')[0] ?? '1'}`], number);
}

function argumentsOf({ flags }: AskGene): readonly string[] {
  const choices: readonly (readonly string[])[] = [
    ['--registry', 'crates-io'],
    ['-v'],
    ['--registry', 'alt'],
    ['--color', 'always'],
    ['--registry', 'other'],
    ['--registry', 'crates-io'],
    ['--offline'],
    ['--locked'],
    ['-q'],
    ['--registry', 'crates-io'],
  ];
  const args: string[] = [];
  for (const flag of flags) {
    const more = pick(choices, flag);
    const isRefused = (more[0] === '-q' && args.includes('-v')) || (more[0] === '-v' && args.includes('-q'));
    if (!isRefused && !args.includes(more[0] ?? '')) args.push(...more);
  }
  return args;
}
