/** JSON text of packages, made in this run and kept from an earlier one. */
import type { TextSink } from '../files/text-sink.ts';
import { DamagedRecordError, parseKept } from './damaged-record-error.ts';
import type { KeptText } from './kept-text.ts';
import type { IdForm, PackageJson } from './package-view.ts';

/** The text of a package that was read from its manifest. */
export function madePackageJson(
  ids: Readonly<Record<IdForm, string>>,
  { head, tail }: Pick<PackageJson, 'head' | 'tail'>,
): PackageJson {
  const idText = (form: IdForm): string => JSON.stringify(ids[form]);
  const write = (form: IdForm, out: TextSink): void => {
    out(head);
    out(idText(form));
    out(tail);
  };
  return { head, tail, id: (form) => ids[form], idText, write };
}

/** Where the parts of a text begin in a block: head, id, tail, and behind that the id in its other form. */
export interface PackagePlaces {
  readonly head: number;
  readonly id: number;
  readonly tail: number;
  readonly spec: number;
  readonly end: number;
}

/** The text of a package that was kept, as parts of the block that it is in. */
export class KeptPackageJson implements PackageJson {
  readonly #block: KeptText;
  readonly #places: PackagePlaces;

  constructor(block: KeptText, places: PackagePlaces) {
    this.#block = block;
    this.#places = places;
  }

  get head(): Uint8Array {
    return this.#block.slice(this.#places.head, this.#places.id);
  }

  get tail(): Uint8Array {
    return this.#block.slice(this.#places.tail, this.#places.spec);
  }

  /** As in `PackageJson`; throws `DamagedRecordError`. */
  id(form: IdForm): string {
    const id = Buffer.from(this.idText(form)).toString();
    const text = parseKept((): unknown => JSON.parse(id), 'id');
    if (typeof text !== 'string') throw new DamagedRecordError('id');
    return text;
  }

  idText(form: IdForm): Uint8Array {
    const { id, tail, spec, end } = this.#places;
    return form === 'legacy' ? this.#block.slice(id, tail) : this.#block.slice(spec, end);
  }

  write(form: IdForm, out: TextSink): void {
    const { head, id, tail, spec, end } = this.#places;
    if (form === 'legacy') {
      this.#block.write(head, spec, out);
      return;
    }
    this.#block.write(head, id, out);
    this.#block.write(spec, end, out);
    this.#block.write(tail, spec, out);
  }
}
