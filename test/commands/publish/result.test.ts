import { expect, test } from 'vitest';
import { PublishOutcomes } from '../../../src/commands/publish/result.ts';
import { makePackageId } from '../../../src/core/package-id/package-id.ts';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';
import { parseVersion } from '../../../src/core/version/version.ts';
import { recordingContext } from '../../helpers/recording-report.ts';

const sources = new SourceTable();
const node = (name: string) => ({
  id: makePackageId(name, parseVersion('1.0.0'), sources.forPath(`/ws/${name}`)),
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
