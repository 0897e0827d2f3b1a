/** Records of which is read what is asked for, for a process that ends soon. */
import type { MirroredFile } from '../disk/mirrored-file.ts';
import { ReusedMemory } from '../disk/reused-memory.ts';
import { DamagedRecordError } from './damaged-record-error.ts';
import type { RecordFile } from './record-file.ts';

/** As much is read at once where more is likely to be asked for right behind it. */
const PIECE_BYTES = 64 * 1024;

/** Has the files of records open until all of them are closed. */
export class LazyRecords {
  readonly #memory = new ReusedMemory();
  #records: LazyRecord[] = [];

  /** The record in an open file, until `closeAll`. */
  open(file: MirroredFile): RecordFile {
    const record = new LazyRecord(file, this.#memory);
    this.#records.push(record);
    return record;
  }

  /** Nothing that was read of any record may be used any more: its memory will be given to others. */
  closeAll(): void {
    for (const record of this.#records) record.close();
    this.#records = [];
    this.#memory.freeAll();
  }
}

class LazyRecord implements RecordFile {
  readonly length: number;
  readonly #file: MirroredFile;
  readonly #memory: ReusedMemory;
  #piece: Buffer | null = null;
  #pieceFrom = 0;
  #pieceTo = 0;

  constructor(file: MirroredFile, memory: ReusedMemory) {
    this.length = file.length;
    this.#file = file;
    this.#memory = memory;
  }

  bytes(from: number, to: number): Uint8Array {
    const { buffer } = this.#memory.take(to - from);
    // No part of a `Buffer`, whose class makes every view slower.
    const room = new Uint8Array(buffer, 0, to - from);
    this.#fill(room, from);
    return room;
  }

  glimpse(from: number, to: number): Uint8Array {
    const piece = (this.#piece ??= this.#memory.take(PIECE_BYTES));
    if (!(from >= this.#pieceFrom && from < this.#pieceTo)) {
      const end = Math.min(from + PIECE_BYTES, this.length);
      this.#pieceTo = 0;
      this.#fill(piece.subarray(0, end - from), from);
      [this.#pieceFrom, this.#pieceTo] = [from, end];
    }
    return piece.subarray(from - this.#pieceFrom, Math.min(to, this.#pieceTo) - this.#pieceFrom);
  }

  close(): void {
    this.#pieceTo = 0;
    this.#file.close();
  }

  #fill(room: Uint8Array, from: number): void {
    try {
      this.#file.fill(room, from);
    } catch {
      throw new DamagedRecordError('file');
    }
  }
}
