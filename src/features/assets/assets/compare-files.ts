import type { fileDetail } from '#contracts/http/assets.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'

export type FileDetail = ResponseOf<typeof fileDetail>['data']

/** What one list has that the other has not, by name. */
export type ListChange = { added: string[]; removed: string[]; before: number; after: number }

/** Entries of `after` and `before` that the other side lacks, each once. */
export function listChange(before: readonly string[], after: readonly string[]): ListChange {
  const [old, now] = [new Set(before), new Set(after)]
  return {
    added: [...now].filter((one) => !old.has(one)).sort(),
    removed: [...old].filter((one) => !now.has(one)).sort(),
    before: old.size,
    after: now.size,
  }
}

/** The lists of two versions that are laid side by side. */
export function changesOf(before: FileDetail, after: FileDetail) {
  const of = (pick: (file: FileDetail) => readonly string[]) => listChange(pick(before), pick(after))
  return {
    permissions: of(({ facts }) => facts.permissions.map(({ name }) => name)),
    components: of(({ facts }) =>
      facts.components.map(({ kind, name, exported }) => `${kind} ${name}${exported ? ' *' : ''}`),
    ),
    libraries: of(({ facts }) => facts.native_libraries),
  }
}
