/** JSON text of packages, made in this run and kept from an earlier one. */
import { DamagedRecordError } from './damaged-record-error.ts';
import type { IdForm, PackageJson } from './package-view.ts';

/** The text of a package that was read from its manifest. */
export function madePackageJson(
  ids: Readonly<Record<IdForm, string>>,
  { head, tail }: Pick<PackageJson, 'head' | 'tail'>,
): PackageJson {
  const idText = (form: IdForm): string => JSON.stringify(ids[form]);
  return { head, tail, id: (form) => ids[form], idText, parts: (form) => [head, idText(form), tail] };
}

/** Where the parts of a text begin in a block of bytes: head, id, tail, and behind that the id in its other form. */
export interface PackagePlaces {
  readonly head: number;
  readonly id: number;
  readonly tail: number;
  readonly spec: number;
  readonly end: number;
}

/** The text of a package that was kept, as views of the block that it is in. */
export class KeptPackageJson implements PackageJson {
  readonly #block: Uint8Array;
  readonly #places: PackagePlaces;

  constructor(block: Uint8Array, places: PackagePlaces) {
    this.#block = block;
    this.#places = places;
  }

  get head(): Uint8Array {
    return this.#block.subarray(this.#places.head, this.#places.id);
  }

  get tail(): Uint8Array {
    return this.#block.subarray(this.#places.tail, this.#places.spec);
  }

  /** As in `PackageJson`; throws `DamagedRecordError`. */
  id(form: IdForm): string {
    const text: unknown = JSON.parse(Buffer.from(this.idText(form)).toString());
    if (typeof text !== 'string') throw new DamagedRecordError('id');
    return text;
  }

  idText(form: IdForm): Uint8Array {
    const { id, tail, spec, end } = this.#places;
    return form === 'legacy' ? this.#block.subarray(id, tail) : this.#block.subarray(spec, end);
  }

  parts(form: IdForm): readonly Uint8Array[] {
    const { head, spec } = this.#places;
    if (form === 'legacy') return [this.#block.subarray(head, spec)];
    return [this.head, this.idText(form), this.tail];
  }
}
