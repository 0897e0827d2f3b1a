/** `doctor`: checks the machine and the configuration. cargo has no such command. */
import { type Command, isGiven, type Invocation, valueOf } from '../shared/command.ts';
import { MANIFEST_PATH_FLAGS, SILENT_SUGGESTION } from '../shared/common-flags.ts';
import { switchFlag } from '../shared/flag.ts';
import { TsregError } from '../../core/errors/error.ts';
import { interruptible } from '../../io/terminal/interruption.ts';

/** The flags of `tsreg doctor`, and its run. */
export const DOCTOR: Command = {
  name: 'doctor',
  about: 'Check the machine, the configuration and the registries',
  flags: [switchFlag('json', 'Print the results as JSON'), SILENT_SUGGESTION, ...MANIFEST_PATH_FLAGS],
  annotatesErrors: true,
  run,
};

async function run({ values, config, offline, shell, toolchain }: Invocation): Promise<void> {
  const { doctor } = await import('./run.ts');
  const { doctorText, summaryText } = await import('./print.ts');
  const options = {
    config,
    manifestPath: valueOf(values, 'manifest-path'),
    toolchain,
    locked: isGiven(values, 'locked'),
    frozen: isGiven(values, 'frozen'),
    offline,
    verbosity: shell.verbosity,
  };
  const document = await interruptible((signal) => doctor(options, { report: shell, signal }));
  const { checks } = document;
  const isQuiet = shell.verbosity === 'quiet';
  if (isGiven(values, 'json')) shell.writeOut(`${JSON.stringify(document)}\n`);
  else {
    const { usesUnicode, outputWidth } = shell;
    shell.writeText(doctorText(checks, { isQuiet, usesUnicode, width: outputWidth }));
  }
  const summary = summaryText(checks);
  if (checks.some(({ status }) => status === 'error')) throw new TsregError(summary, { code: 'config' });
  shell.status('Finished', summary);
}
