/** Lines by which programs steer the CI system that runs them. */
import type { Environment } from '../config/environment.ts';

/**
 * The text as it may be shown where GitHub Actions or Azure Pipelines read along: what they would take for a command
 * (`::` at the beginning of a line, `##[` and `##vso[` anywhere) gets a space in it. Elsewhere the text as it is.
 */
export function withoutCiCommands(text: string, env: Environment): string {
  const isGitHub = env['GITHUB_ACTIONS'] === 'true';
  if (!isGitHub && env['TF_BUILD'] === undefined) return text;
  const old = text.replaceAll(OLD_COMMAND, '## ');
  return isGitHub ? old.replaceAll(LINE_COMMAND, '$1: ') : old;
}

const OLD_COMMAND = /##(?=(?:vso)?\[)/gi;
/** White space before it does not count. */
const LINE_COMMAND = /^([^\S\r\n\u2028\u2029]*):(?=:)/gm;
