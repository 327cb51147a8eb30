import type { DexSummary } from './program.ts'

export type CodeNote = DexSummary['notes'][number]

const EACH = 10

/** Problems of one file: of each kind the first ten, so that a file that is broken throughout does not drown what else is wrong. */
export class CodeNotes {
  readonly list: CodeNote[] = []
  private readonly seen = new Map<string, number>()

  add(key: string, offset: number, detail: string): void {
    const count = (this.seen.get(key) ?? 0) + 1
    this.seen.set(key, count)
    if (count <= EACH) this.list.push({ key, offset, detail })
  }
}
