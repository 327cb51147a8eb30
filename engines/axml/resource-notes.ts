/** Something odd in a binary XML or resource table that Android reads over, or that it refuses (`refused`). */
export interface ResourceNote {
  readonly key: ResourceNoteKey
  /** Byte offset in the file that was read. */
  readonly offset: number
  readonly refused: boolean
  readonly detail: string
}

export type ResourceNoteKey =
  | 'type'
  | 'size'
  | 'header-size'
  | 'chunk'
  | 'junk'
  | 'string-count'
  | 'string'
  | 'attributes'
  | 'unclosed'
  | 'unopened'
  | 'second-root'
  | 'depth'
  | 'namespace'
  | 'entry'
  | 'type-spec'

/** Notes of one file; the first of each key in full, further ones counted, so that a hostile file cannot make many. */
export class ResourceNotes {
  readonly list: ResourceNote[] = []
  private readonly perKey = new Map<ResourceNoteKey, number>()

  add(key: ResourceNoteKey, offset: number, detail: string, refused = false): void {
    const count = (this.perKey.get(key) ?? 0) + 1
    this.perKey.set(key, count)
    if (count <= 20) this.list.push({ key, offset, refused, detail })
  }
}
