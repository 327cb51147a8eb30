import type { ClassPrint, FilePrint, NativePrint, PackagePrint } from './package-print.ts'

export type Difference = 'same' | 'changed' | 'added' | 'removed'

export interface EvidenceRow {
  readonly name: string
  readonly difference: Difference
}

export interface EvidenceList {
  /** Names that differ, in their order; then those that are the same, as far as `limit` goes. */
  readonly rows: readonly EvidenceRow[]
  readonly counts: Readonly<Record<Difference, number>>
}

/** Reference and copy side by side, down to the class and the file. */
export interface CopyEvidence {
  readonly classes: EvidenceList
  readonly files: EvidenceList
  readonly natives: EvidenceList
  readonly components: EvidenceList
  readonly permissions: EvidenceList
  readonly libraries: EvidenceList
}

const ROWS = 2000

/** @param limit rows of each list; the counts are of all */
export function copyEvidence(reference: PackagePrint, copy: PackagePrint, limit = ROWS): CopyEvidence {
  const list = (a: readonly (readonly [string, string])[], b: readonly (readonly [string, string])[]) =>
    differences(a, b, limit)
  const named = (names: readonly string[]) => names.map((name) => [name, ''] as const)
  const classes = (print: PackagePrint) =>
    (print.code?.classes ?? []).map((one: ClassPrint) => [one.name, one.hash] as const)
  const files = (print: PackagePrint) => print.files.map((one: FilePrint) => [one.name, one.hash] as const)
  const natives = (print: PackagePrint) =>
    print.natives.map((one: NativePrint) => [`${one.abi}/${one.name}`, one.buildId ?? one.hash] as const)
  const libraries = (print: PackagePrint) => (print.code?.libraries ?? []).map(([id]) => [id, ''] as const)
  return {
    classes: list(classes(reference), classes(copy)),
    files: list(files(reference), files(copy)),
    natives: list(natives(reference), natives(copy)),
    components: list(named(reference.components), named(copy.components)),
    permissions: list(named(reference.permissions), named(copy.permissions)),
    libraries: list(libraries(reference), libraries(copy)),
  }
}

const ORDER: readonly Difference[] = ['added', 'changed', 'removed', 'same']

function differences(
  reference: readonly (readonly [name: string, value: string])[],
  copy: readonly (readonly [name: string, value: string])[],
  limit: number,
): EvidenceList {
  const before = new Map(reference)
  const after = new Map(copy)
  const counts = { same: 0, changed: 0, added: 0, removed: 0 }
  const rows: EvidenceRow[] = []
  const put = (name: string, difference: Difference) => {
    counts[difference]++
    rows.push({ name, difference })
  }
  for (const [name, value] of after)
    put(name, !before.has(name) ? 'added' : before.get(name) === value ? 'same' : 'changed')
  for (const name of before.keys()) if (!after.has(name)) put(name, 'removed')
  rows.sort((a, b) => ORDER.indexOf(a.difference) - ORDER.indexOf(b.difference) || (a.name < b.name ? -1 : 1))
  return { rows: rows.slice(0, limit), counts }
}
