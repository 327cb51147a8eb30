import type { AppFile } from '#contracts/http/assets.ts'
import { isReinforceKind, REINFORCE_KINDS, type ReinforceKind } from '#domain/reinforce-kinds.ts'

/** Where the address has the chosen packages, and as many as one request takes. */
export const PACKAGES = { name: 'file', most: 10 } as const

/** Why a file cannot be reinforced: of a kind that is not reinforced, reinforced already, or its bytes are gone. */
export type PackageProblem = 'kind' | 'packed' | 'gone'
export function problemOf({ kind, protection, has_file }: AppFile): PackageProblem | null {
  if (!isReinforceKind(kind)) return 'kind'
  if (!has_file) return 'gone'
  return protection === 'reinforced' ? 'packed' : null
}

/** Kinds of the chosen files, each once; files that are not known yet, or are not reinforced, count for none. */
export function kindsOf(files: readonly { file?: AppFile | undefined }[]): ReinforceKind[] {
  return REINFORCE_KINDS.filter((kind) => files.some(({ file }) => file?.kind === kind))
}
