import type { Mark, Subject } from './subjects.ts';

/** Files and manifest lines that define targets. */
export interface GeneratedTargets {
  readonly files: Readonly<Record<string, string>>;
  /** Lines of `[package]`. */
  readonly packageLines: readonly string[];
  /** Tables after the others. */
  readonly tables: readonly string[];
  readonly marks: readonly Mark[];
}

interface Layout {
  readonly subject: Subject;
  readonly files?: Readonly<Record<string, string>>;
  readonly packageLines?: readonly string[];
  readonly tables?: readonly string[];
  /** Layouts of one group exclude each other. */
  readonly group?: string;
}

/** Everything that a package can have besides a plain library. */
const layouts: readonly Layout[] = [
  { subject: 'target: bin', files: { 'src/main.rs': '' } },
  { subject: 'target: bin', files: { 'src/bin/zed.rs': '', 'src/bin/dir/main.rs': '', 'src/bin/.x.rs': '' } },
  { subject: 'target: example', files: { 'examples/ex.rs': '', 'examples/more/main.rs': '' } },
  { subject: 'target: test', files: { 'tests/it.rs': '', 'tests/common/mod.rs': '' } },
  { subject: 'target: bench', files: { 'benches/speed.rs': '' } },
  { subject: 'target: build script', files: { 'build.rs': '' } },
  { subject: 'target: proc-macro', tables: ['[lib]\nproc-macro = true'], group: 'lib' },
  {
    subject: 'target: other crate type',
    tables: ['[lib]\ncrate-type = ["cdylib", "rlib"]\ndoctest = false'],
    group: 'lib',
  },
  {
    subject: 'target: other crate type',
    tables: ['[lib]\nname = "custom"\npath = "src/custom.rs"\ntest = false'],
    files: { 'src/custom.rs': '' },
    group: 'lib',
  },
  { subject: 'target: other crate type', tables: ['[lib]\ncrate-type = ["staticlib"]'], group: 'lib' },
  {
    subject: 'target: bin',
    tables: [
      '[[bin]]\nname = "tool"\npath = "tools/tool.rs"\nrequired-features = ["f0"]\n\n[[bin]]\nname = "able"\npath = "tools/able.rs"\ntest = false',
    ],
    packageLines: ['autobins = false'],
    group: 'bins',
  },
  {
    subject: 'target: bin',
    tables: ['[[bin]]\nname = "given"\ndoc = false'],
    files: { 'src/bin/given.rs': '', 'src/bin/found.rs': '' },
    group: 'bins',
  },
  {
    subject: 'target: test',
    tables: ['[[test]]\nname = "gone"\n\n[[test]]\nname = "named"\npath = "t/named.rs"\nharness = false'],
  },
  { subject: 'target: bench', tables: ['[[bench]]\nname = "b"\npath = "b.rs"\nrequired-features = []'] },
  {
    subject: 'target: example',
    tables: ['[[example]]\nname = "dy"\ncrate-type = ["dylib"]\ntest = true'],
    files: { 'examples/dy.rs': '', 'examples/zz.rs': '' },
  },
  { subject: 'target: build script', packageLines: ['build = "make/go.rs"'], group: 'build' },
];

/** Builds targets from layouts. There is always a library, so that others can depend on the package. */
export function buildTargets(genes: readonly number[]): GeneratedTargets {
  const files: Record<string, string> = { 'src/lib.rs': '' };
  const packageLines: string[] = [];
  const tables: string[] = [];
  const marks: Mark[] = [{ subject: 'target: lib', crate: null }];
  const used = new Set<string>();
  for (const number of new Set(genes.map((gene) => gene % layouts.length))) {
    const layout = layouts[number];
    if (layout === undefined || (layout.group !== undefined && used.has(layout.group))) continue;
    if (layout.group !== undefined) used.add(layout.group);
    Object.assign(files, layout.files);
    packageLines.push(...(layout.packageLines ?? []));
    tables.push(...(layout.tables ?? []));
    marks.push({ subject: layout.subject, crate: null });
  }
  return { files, packageLines, tables, marks };
}
