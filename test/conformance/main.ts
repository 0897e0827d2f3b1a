// The comparison with real cargo: npm run conformance -- --help
import { startRegistryServer } from '../helpers/registry-server.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import type { Context } from './context.ts';
import { comparePublishedCrates } from './crates.ts';
import { compareEdits } from './edits.ts';
import { compareFixtures } from './fixtures.ts';
import { compareGenerated, generatedWorkspaces } from './generated.ts';
import { compareInfoOfCrates } from './info-crates.ts';
import { generatedInfo } from './info-generator/build.ts';
import { generatedLocks } from './lock-generator/build.ts';
import { type Kind, type Options, readOptions } from './options.ts';
import { findOracle } from './oracle.ts';
import { comparePackagedCrates } from './package-crates.ts';
import { generatedPackages } from './package-generator/build.ts';
import { compareProjectCommands } from './project-commands.ts';
import { compareRegistry } from './registry.ts';
import { type KindReport, printTotal } from './report.ts';
import { compareServe } from './serve.ts';
import { compareSharedHome } from './shared-home.ts';
import { findSubject } from './subject.ts';
import { generatedTrees } from './tree-generator/build.ts';
import { compareWorkspaces } from './workspaces.ts';

const runners: Record<Kind, (context: Context) => Promise<KindReport>> = {
  workspaces: compareWorkspaces,
  crates: comparePublishedCrates,
  fixtures: (context) => compareFixtures(context, 'fixtures'),
  failures: (context) => compareFixtures(context, 'failures'),
  generated: (context) => compareGenerated(context, generatedWorkspaces),
  'shared-home': compareSharedHome,
  edits: compareEdits,
  'package-crates': comparePackagedCrates,
  'package-fixtures': (context) => compareFixtures(context, 'package-fixtures'),
  'package-failures': (context) => compareFixtures(context, 'package-failures'),
  'package-generated': (context) => compareGenerated(context, generatedPackages),
  lock: (context) => compareGenerated(context, generatedLocks),
  tree: (context) => compareGenerated(context, generatedTrees),
  'project-commands': compareProjectCommands,
  serve: compareServe,
  'info-crates': compareInfoOfCrates,
  'info-generated': (context) => compareGenerated(context, generatedInfo),
  registry: compareRegistry,
};

async function run(options: Options): Promise<boolean> {
  using temp = makeTempDir('conformance');
  await using server = await startRegistryServer();
  const context: Context = {
    options,
    oracle: findOracle(),
    subject: findSubject(options.subject),
    server,
    scratch: temp.path,
  };
  const reports: KindReport[] = [];
  for (const kind of options.kinds) {
    console.log(`${kind} …`);
    const report = await runners[kind](context);
    report.seconds = (Date.now() - report.startedAt) / 1000;
    reports.push(report);
    console.log(`${kind}: ${report.cases} inputs, ${report.runs} runs, ${report.wrong.length} differ`);
  }
  return printTotal(reports);
}

let options: Options | null = null;
try {
  options = readOptions(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
if (options !== null && !(await run(options))) process.exitCode = 1;
