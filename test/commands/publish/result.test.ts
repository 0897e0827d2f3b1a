import { expect, test } from 'vitest';
import { PublishOutcomes, type PublishState } from '../../../src/commands/publish/result.ts';
import { makePackageId } from '../../../src/core/package-id/package-id.ts';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';
import { parseVersion } from '../../../src/core/version/version.ts';
import { recordingContext } from '../../helpers/recording-report.ts';

const sources = new SourceTable();
const node = (name: string) => ({
  id: makePackageId(name, parseVersion('1.0.0'), sources.forPath(`/ws/${name}`)),
});

test('resumeHint is null unless the registry may have some packages, but not all', () => {
  const hintFor = (...states: readonly PublishState[]): string | null => {
    const packages = states.map((state) => ({ ...node(state), state }));
    const outcomes = new PublishOutcomes(packages);
    for (const each of packages) outcomes.mark(each, each.state);
    return outcomes.resumeHint;
  };
  expect(hintFor('refused', 'not-published')).toBeNull();
  expect(hintFor('published', 'uploaded')).toBeNull();
  expect(hintFor('skipped', 'not-published')).toBeNull();
  expect(hintFor('unknown')).toContain('--skip-published');
  expect(hintFor('uploaded', 'refused')).toContain('--skip-published');
});

test('summarize reports packages that a dry run has checked', () => {
  const [a, b, c] = [node('a'), node('b'), node('c')];
  const outcomes = new PublishOutcomes([a, b, c]);
  outcomes.mark(a, 'checked');
  outcomes.mark(b, 'refused');
  const { context, lines } = recordingContext();
  outcomes.summarize(context.report);
  expect(lines).toEqual([
    'note: checked: a v1.0.0\nrefused by the registry: b v1.0.0\nnot published: c v1.0.0',
  ]);
});
