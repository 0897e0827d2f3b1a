import type { Context } from './context.ts';
import { type KindReport, newReport } from './report.ts';

export async function compareGenerated(_context: Context): Promise<KindReport> {
  return newReport('generated');
}
