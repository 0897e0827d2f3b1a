/** Packages of a graph as `tree` shows them. Cargo Book: cargo tree. */
import { present } from '../../../core/errors/assert.ts';
import type { PackageView } from './package-view.ts';
import { displaySource } from '../../../core/package-id/describe.ts';
import { formatPackageId } from '../../../core/package-id/package-id.ts';
import { isCratesIo } from '../../../core/package-id/source-id.ts';
import type { ShownPackage } from '../../../core/tree/dependency-tree.ts';
import { readEntry, showPackage } from './package-entry.ts';

const PROC_MACRO = 'proc-macro';

/** Which targets of a package are procedural macros. */
interface MacroTargets {
  /** True if a library or example is one. */
  readonly any: boolean;
  readonly library: boolean;
}

const NO_MACRO: MacroTargets = { any: false, library: false };

/** The packages of a graph, with details that are computed lazily. */
export class ShownPackages {
  readonly #views: ReadonlyMap<number, PackageView>;
  readonly #idForm: 'legacy' | 'spec';
  readonly #macros = new Map<number, MacroTargets>();

  /** `views` contains the packages by their index into the resolution. */
  constructor(views: ReadonlyMap<number, PackageView>, idForm: 'legacy' | 'spec') {
    this.#views = views;
    this.#idForm = idForm;
  }

  /** Returns true if a library or example is a procedural macro; false for a package that was not read. */
  isProcMacro(index: number): boolean {
    return this.#macro(index).any;
  }

  /** Returns true if the library of the package is a procedural macro; false for a package that was not read. */
  isProcMacroLibrary(index: number): boolean {
    return this.#macro(index).library;
  }

  /** Returns the details of a package that `tree` shows. The package must have been read. */
  show(index: number): ShownPackage {
    const view = present(this.#views.get(index), 'a shown package');
    const { name, version, source } = view.summary.id;
    const isProcMacro = this.isProcMacro(index);
    const macro = isProcMacro ? ' (proc-macro)' : '';
    const from = isCratesIo(source) ? '' : ` (${displaySource(source)})`;
    return showPackage(
      {
        id: formatPackageId(view.summary.id, this.#idForm),
        name,
        version: version.text,
        title: `${name} v${version.text}${macro}${from}`,
        isProcMacro,
        libraryName: view.libraryName,
      },
      view,
    );
  }

  #macro(index: number): MacroTargets {
    const known = this.#macros.get(index);
    if (known !== undefined) return known;
    const view = this.#views.get(index);
    // The text of most packages does not contain this word, so there is no need to parse it.
    const macros =
      view === undefined || !Buffer.from(view.text.tail).includes(PROC_MACRO) ? NO_MACRO : macroTargets(view);
    this.#macros.set(index, macros);
    return macros;
  }
}

function macroTargets(view: PackageView): MacroTargets {
  const macros = readEntry(view).targets.filter(
    ({ kind, crate_types: types }) =>
      types.includes(PROC_MACRO) && (kind[0] === 'example' || isLibrary(kind)),
  );
  return { any: macros.length > 0, library: macros.some(({ kind }) => isLibrary(kind)) };
}

/** Returns true if `kind` of a target is that of a library: `lib`, or its crate types. */
function isLibrary(kind: readonly string[]): boolean {
  return kind.some((name) => !['bin', 'example', 'test', 'bench', 'custom-build'].includes(name));
}
