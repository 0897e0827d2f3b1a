/** Severities from CVSS vectors. CVSS 3.1 specification, sections 5 and 7.1. */
import type { Severity } from '../../store/advisories.ts';

/** The weight of each value of the metrics, except `PR`. */
const WEIGHTS = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  UI: { N: 0.85, R: 0.62 },
  C: { H: 0.56, L: 0.22, N: 0 },
  I: { H: 0.56, L: 0.22, N: 0 },
  A: { H: 0.56, L: 0.22, N: 0 },
} as const;
/** The weights of the required privileges, which count more if the scope is unchanged. */
const PRIVILEGES_UNCHANGED = { N: 0.85, L: 0.62, H: 0.27 } as const;
const PRIVILEGES_CHANGED = { N: 0.85, L: 0.68, H: 0.5 } as const;

/** Returns the severity of a vector of CVSS 3.0 or 3.1; null for other text, and for a vector without impact. */
export function severityOf(vector: string): Severity | null {
  const score = /^CVSS:3\.[01]\//.test(vector) ? baseScore(vector) : null;
  if (score === null || score === 0) return null;
  if (score < 4) return 'low';
  if (score < 7) return 'medium';
  return score < 9 ? 'high' : 'critical';
}

/** Returns the base score; null for a vector that lacks a metric or has an unknown value. Sections 7.1 and 7.4. */
function baseScore(vector: string): number | null {
  const metrics = new Map(
    vector.split('/').map((part) => {
      const [name = '', value = ''] = part.split(':');
      return [name, value];
    }),
  );
  const weight = (name: keyof typeof WEIGHTS): number => weightIn(WEIGHTS[name], metrics.get(name));
  const scope = metrics.get('S');
  if (scope !== 'C' && scope !== 'U') return null;
  const isChanged = scope === 'C';
  const privileges = weightIn(isChanged ? PRIVILEGES_CHANGED : PRIVILEGES_UNCHANGED, metrics.get('PR'));
  const loss = 1 - (1 - weight('C')) * (1 - weight('I')) * (1 - weight('A'));
  const impact = isChanged ? 7.52 * (loss - 0.029) - 3.25 * (loss - 0.02) ** 15 : 6.42 * loss;
  const exploitability = 8.22 * weight('AV') * weight('AC') * privileges * weight('UI');
  if (Number.isNaN(impact + exploitability)) return null;
  if (impact <= 0) return 0;
  return roundUp(Math.min((isChanged ? 1.08 : 1) * (impact + exploitability), 10));
}

/** Returns a weight; `NaN` for a value that does not exist, which makes the whole score `NaN`. */
function weightIn(weights: Readonly<Record<string, number>>, value: string | undefined): number {
  return new Map(Object.entries(weights)).get(value ?? '') ?? Number.NaN;
}

/** Rounds up to one decimal. CVSS 3.1 specification, appendix A. */
function roundUp(score: number): number {
  const scaled = Math.round(score * 100_000);
  return scaled % 10_000 === 0 ? scaled / 100_000 : (Math.floor(scaled / 10_000) + 1) / 10;
}
