/** What `cargo:paseto` takes behind `login --`. */
import { TsregError } from '../errors/error.ts';

const FLAG = '--key-subject';
const USAGE = 'Usage: cargo:paseto [OPTIONS]';
const HELP = `${USAGE}

Options:
      --key-subject <SUBJECT>  Set the key subject for this registry
  -h, --help                   Print help
`;

/** The value of `--key-subject`, null if it is not among `args`. Throws, in the words of cargo's parser, at anything else. */
export function keySubjectOf(args: readonly string[]): string | null {
  let subject: string | null = null;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '--help' || arg === '-h') throw refusal(HELP);
    if (arg !== FLAG && !arg.startsWith(`${FLAG}=`)) {
      throw refusal(`error: unexpected argument '${arg}' found\n\n${USAGE}\n`);
    }
    const value = arg === FLAG ? args[(at += 1)] : arg.slice(FLAG.length + 1);
    if (arg === FLAG && value !== undefined && value.startsWith('-') && !isKnown(value)) {
      throw refusal(`error: unexpected argument '${value}' found\n\n${USAGE}\n`);
    }
    if (value === undefined || (arg === FLAG && value.startsWith('-'))) {
      throw refusal(`error: a value is required for '${FLAG} <SUBJECT>' but none was supplied\n`);
    }
    if (subject !== null) {
      throw refusal(`error: the argument '${FLAG} <SUBJECT>' cannot be used multiple times\n\n${USAGE}\n`);
    }
    subject = value;
  }
  return subject;
}

function isKnown(arg: string): boolean {
  return arg === '-' || arg === '--help' || arg === '-h' || arg === FLAG || arg.startsWith(`${FLAG}=`);
}

function refusal(text: string): TsregError {
  const hint = text.startsWith('error:') ? "\nFor more information, try '--help'.\n" : '';
  return new TsregError(text + hint, { code: 'usage' });
}
