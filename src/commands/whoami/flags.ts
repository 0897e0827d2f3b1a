/** `whoami`: shows which user of a registry the current token belongs to. */
import type { WhoamiDocument } from './run.ts';
import { type Command, isGiven, type Invocation } from '../shared/command.ts';
import { switchFlag } from '../shared/flag.ts';
import { documentLine } from '../shared/document-line.ts';
import { interruptible } from '../../io/terminal/interruption.ts';
import { sanitizeForTerminal } from '../../core/errors/sanitize-for-terminal.ts';
import { MAX_WAIT_FLAG, registryCommandOptions, TOKEN_FLAG } from '../shared/registry/command-options.ts';
import { registryFlags, SILENT_SUGGESTION } from '../shared/common-flags.ts';

/** The flags of `tsreg whoami`, and its run. */
export const WHOAMI: Command = {
  name: 'whoami',
  about: 'Show which user the current token belongs to',
  supportedGlobalFlags: ['verbose', 'quiet', 'color', 'config'],
  network: 'required',
  flags: [
    ...registryFlags({ index: 'Registry index URL to ask', registry: 'Registry to ask' }),
    TOKEN_FLAG,
    MAX_WAIT_FLAG,
    switchFlag('json', 'Print the result as JSON'),
    SILENT_SUGGESTION,
  ],
  annotatesErrors: true,
  run,
};

async function run(invocation: Invocation): Promise<void> {
  const { values, shell } = invocation;
  const { whoami } = await import('./run.ts');
  const options = registryCommandOptions(invocation);
  const document = await interruptible((signal) => whoami(options, { report: shell, signal }));
  if (isGiven(values, 'json')) shell.writeOut(documentLine(document));
  else shell.writeText(`${textOf(document)}\n`);
}

function textOf({ user, token }: WhoamiDocument): string {
  const lines = [user.name === null ? user.login : `${user.login} (${user.name})`];
  if (token !== null) {
    if (token.name !== null) lines.push(`token: ${token.name}`);
    if (token.scopes.length > 0) lines.push(`scopes: ${token.scopes.join(', ')}`);
    if (token.crates.length > 0) lines.push(`crates: ${token.crates.join(', ')}`);
    if (token.expiresAt !== null) lines.push(`expires: ${token.expiresAt}`);
  }
  return lines.map((line) => sanitizeForTerminal(line, 'join')).join('\n');
}
