import { describe, expect, it } from 'vitest';
import { progressLine, ProgressThrottle } from '../../../src/io/terminal/progress-bar.ts';

function line(done: number, total: number, message: string, width: number): string | null {
  return progressLine({ verb: 'Fetching', done, total, message }, width);
}

describe('progressLine', () => {
  it('fills the bar in proportion to the work done', () => {
    expect(line(0, 4, '', 80)?.trimEnd()).toBe(`[${' '.repeat(29)}] 0/4`);
    expect(line(1, 4, '', 80)?.trimEnd()).toBe(`[${'='.repeat(6)}>${' '.repeat(22)}] 1/4`);
    expect(line(4, 4, '', 80)?.trimEnd()).toBe(`[${'='.repeat(29)}] 4/4`);
  });

  it('uses the whole width except for the status word', () => {
    expect(line(1, 4, ': short', 80)).toHaveLength(65);
  });

  it('shortens messages by display columns', () => {
    expect(line(3, 4, ': msg that fits not', 60)).toMatch(/3\/4: msg tha…$/);
    expect(line(3, 4, '：每個漢字佔據', 60)).toMatch(/3\/4：每個漢字?…/);
  });

  it('returns null on a narrow terminal', () => {
    expect(line(1, 4, '', 14)).toBeNull();
    expect(line(1, 4, '', 20)).toBeNull();
  });
});

describe('ProgressThrottle', () => {
  it('waits 500 ms before the first line, then 100 ms between lines', () => {
    const throttle = new ProgressThrottle(1000);
    const times = [1000, 1499, 1500, 1599, 1600, 1650, 1700];
    expect(times.map((time) => throttle.allows(time))).toEqual([
      false,
      false,
      true,
      false,
      true,
      false,
      true,
    ]);
  });
});
