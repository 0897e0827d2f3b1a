/** The text output of `publish --plan`. */
import { nameOf, type PlannedEntry, type PublishPlan, type PublishLimit } from './plan.ts';
import { humanTime } from '../../core/report/human-time.ts';
import { sanitizeForTerminal } from '../../core/errors/sanitize-for-terminal.ts';

/** Returns lines about the registry, the order of the packages and the minimum duration. */
export function publishPlanText(plan: PublishPlan): string {
  const { registry, rounds, published, circular, unpublishable, limits, minimumSeconds } = plan;
  const lines: string[] = [];
  if (registry !== null)
    lines.push(sanitizeForTerminal(`to ${registry.name ?? registry.index} (${registry.api})`, 'join'));
  for (const [roundIndex, round] of rounds.entries()) {
    for (const [index, entry] of round.entries()) {
      const number = index === 0 ? `${roundIndex + 1}.` : '';
      lines.push(`${number.padStart(4)} ${describe(entry)}`);
    }
  }
  for (const entry of published) lines.push(`     ${nameOf(entry)}: already published`);
  for (const entry of circular)
    lines.push(
      `     ${nameOf(entry)}: cannot be published, since it depends in a circle on ${entry.needs.join(', ')}`,
    );
  for (const entry of unpublishable) lines.push(`     ${nameOf(entry)}: not published (\`publish = false\`)`);
  if (rounds.length > 1) {
    const more = rounds.length > 2 ? ', and so on' : '';
    lines.push(`the packages under 2 follow when those under 1 are in the index${more}`);
  }
  if (limits !== null && minimumSeconds !== null) {
    const limitsText = `${limitText('new crate', limits['new-crate'])}; ${limitText('new version', limits['new-version'])}`;
    const effect =
      minimumSeconds === 0 ? 'cause no wait' : `make this take at least ${humanTime(minimumSeconds * 1000)}`;
    lines.push(`the rate limits of this registry ${effect} (${limitsText})`);
  }
  return lines.map((line) => `${line}\n`).join('');
}

function describe(entry: PlannedEntry): string {
  const kind =
    entry.kind === 'new-crate'
      ? 'new crate'
      : `new version${entry.latest === null ? '' : `, latest is ${entry.latest}`}`;
  const needs = entry.needs.length === 0 ? '' : `; needs ${entry.needs.join(', ')}`;
  const missing = entry.missing.length === 0 ? '' : `; needs ${entry.missing.join(', ')} in the registry`;
  return `${nameOf(entry)}: ${kind}${needs}${missing}`;
}

function limitText(noun: string, { burst, everySeconds }: PublishLimit): string {
  return `${burst} ${noun}s at once, then one every ${humanTime(everySeconds * 1000).replace(/^1 /, '')}`;
}
