import type { Context } from './context.ts';
import { type KindReport, newReport } from './report.ts';

export async function compareSharedHome(_context: Context): Promise<KindReport> {
  return newReport('shared-home');
}
