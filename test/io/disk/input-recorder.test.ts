import { rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { takeFingerprint } from '../../../src/io/disk/fingerprint.ts';
import { InputRecorder, recordingInputs } from '../../../src/io/disk/input-recorder.ts';
import { NodeFiles } from '../../../src/io/disk/node-files.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { onWindows } from '../../helpers/system.ts';

const temp = makeTempDir('input-recorder');
afterAll(() => temp.remove());
afterEach(() => vi.restoreAllMocks());

const at = (name: string): string => path.join(temp.path, name);

/** Records the inputs of two calls of `look`, with `change` in between. */
function looked(look: (files: NodeFiles) => unknown, change: () => void): InputRecorder {
  const recorder = new InputRecorder();
  recordingInputs(recorder, () => {
    look(new NodeFiles());
    change();
    look(new NodeFiles());
  });
  return recorder;
}

describe('a run that read two states of an input', () => {
  it.each([
    ['a content', (files: NodeFiles) => files.read(at('file')), () => writeFileSync(at('file'), 'other')],
    ['a file', (files: NodeFiles) => files.kind(at('file')), () => rmSync(at('file'))],
    ['a presence', (files: NodeFiles) => files.exists(at('file')), () => rmSync(at('file'))],
    ['a folder', (files: NodeFiles) => files.list(temp.path), () => writeFileSync(at('new'), '')],
  ])('is rejected for %s', (_, look, change) => {
    writeFileSync(at('file'), 'one');
    rmSync(at('new'), { force: true });
    expect(looked(look, () => {}).rejection).toBeNull();
    expect(looked(look, change).rejection).toMatch(/ changed during the run$/);
  });

  it('is rejected if one of its parts read the other state', () => {
    writeFileSync(at('file'), 'one');
    const [whole, part] = [new InputRecorder(), new InputRecorder()];
    recordingInputs(whole, () => new NodeFiles().read(at('file')));
    writeFileSync(at('file'), 'two');
    recordingInputs(part, () => new NodeFiles().read(at('file')));
    whole.add(part);
    expect(whole.rejection).toMatch(/ changed during the run$/);
  });
});

it('a part of a run records inputs that the run had already read', () => {
  writeFileSync(at('file'), 'one');
  const files = new NodeFiles();
  const look = (): void => {
    files.read(at('file'));
    files.list(temp.path);
    files.kind(at('file'));
    files.exists(at('none'));
  };
  const [whole, part] = [new InputRecorder(), new InputRecorder()];
  recordingInputs(whole, look);
  recordingInputs(part, look);
  for (const seen of ['contents', 'listings', 'kinds', 'presences'] as const) {
    expect(part[seen].size, seen).toBe(1);
    expect(part[seen]).toEqual(whole[seen]);
  }
});

it.skipIf(onWindows)('a run that read a device is rejected (not on Windows: no devices as files)', () => {
  symlinkSync('/dev/null', at('device'));
  const recorder = new InputRecorder();
  recordingInputs(recorder, () => new NodeFiles().read(at('device')));
  expect(recorder.rejection).toMatch(/ is not a regular file$/);
});

describe('isSafeToCache', () => {
  const settled = (recorder: InputRecorder): boolean => {
    const fingerprint = takeFingerprint(at('file'));
    return fingerprint !== null && recorder.isSafeToCache(fingerprint);
  };

  it('is true only if the file last changed before the run began', async () => {
    writeFileSync(at('file'), 'one');
    const before = new InputRecorder();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(settled(before)).toBe(false);
    expect(settled(new InputRecorder(before))).toBe(false);
    expect(settled(new InputRecorder())).toBe(true);
    utimesSync(at('file'), 1, 1);
    expect(settled(new InputRecorder())).toBe(false);
  });

  it('is false if the clock was set back during the run', async () => {
    writeFileSync(at('file'), 'one');
    await new Promise((resolve) => setTimeout(resolve, 50));
    const recorder = new InputRecorder();
    expect(settled(recorder)).toBe(true);
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now - 3_600_000);
    expect(settled(recorder)).toBe(false);
  });
});
