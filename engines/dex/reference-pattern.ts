/** A pattern over references, taken apart. */
export interface ReferencePattern {
  /** Descriptor of the owner, or what it begins with where `isPrefix`. */
  readonly owner: string
  readonly isPrefix: boolean
  readonly name: string | null
  /** What the signature begins with: `(`, `(I)V`; of a field `:I` without the colon. */
  readonly signature: string
}

/** `Lcom/foo/Bar;->name(I)V` and what the contract of Program allows for it. */
export function referencePattern(pattern: string): ReferencePattern {
  const arrow = pattern.indexOf('->')
  const owner = arrow < 0 ? pattern : pattern.slice(0, arrow)
  const member = arrow < 0 ? '' : pattern.slice(arrow + 2)
  const end = member.search(/[(:]/)
  const name = end < 0 ? member : member.slice(0, end)
  const star = owner.indexOf('*')
  return {
    owner: star < 0 ? owner : owner.slice(0, star),
    isPrefix: star >= 0,
    name: name || null,
    signature: end < 0 ? '' : member[end] === ':' ? member.slice(end + 1) : member.slice(end),
  }
}
