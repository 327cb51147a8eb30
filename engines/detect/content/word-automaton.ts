/** Aho and Corasick's automaton over UTF-16 units: all words in one pass over a text, whatever their number. */
export class WordAutomaton {
  private readonly next: Map<number, number>[] = [new Map()]
  /** Where the first unit of a word leads, 0 for all other units: most of a text begins no word. */
  private readonly first = new Uint32Array(0x10000)
  /** State of the longest own suffix that begins a word. */
  private readonly fallback: number[] = [0]
  /** Words that end in a state itself, and the nearest state on the way of suffixes in which words end. */
  private readonly ends: number[][] = [[]]
  private readonly endsBelow: number[] = [-1]

  constructor(words: readonly string[]) {
    for (const [index, word] of words.entries()) {
      let state = 0
      for (let at = 0; at < word.length; at++) state = this.step(state, word.charCodeAt(at))
      if (state !== 0) this.ends[state]!.push(index)
    }
    for (const [unit, child] of this.next[0]!) this.first[unit] = child
    this.link()
  }

  /** Calls back with the word and the offset behind it, for each occurrence in a text of UTF-16 units. */
  search(text: Uint16Array, found: (word: number, end: number) => void): void {
    const { next, first, fallback, ends, endsBelow } = this
    let state = 0
    for (let at = 0; at < text.length; at++) {
      const unit = text[at]!
      let follow: number | undefined
      while (state !== 0) {
        follow = next[state]!.get(unit)
        if (follow !== undefined) break
        state = fallback[state]!
      }
      state = follow ?? first[unit]!
      if (state === 0) continue
      for (let below = ends[state]!.length ? state : endsBelow[state]!; below > 0; below = endsBelow[below]!)
        for (const word of ends[below]!) found(word, at + 1)
    }
  }

  private step(state: number, unit: number): number {
    const known = this.next[state]!.get(unit)
    if (known !== undefined) return known
    const made = this.next.length
    this.next.push(new Map())
    this.fallback.push(0)
    this.ends.push([])
    this.endsBelow.push(-1)
    this.next[state]!.set(unit, made)
    return made
  }

  /** Breadth first: a state's suffixes are shorter, so they are linked before it. */
  private link(): void {
    const queue = [...this.next[0]!.values()]
    for (const state of queue)
      for (const [unit, child] of this.next[state]!) {
        let at = this.fallback[state]!
        while (at !== 0 && !this.next[at]!.has(unit)) at = this.fallback[at]!
        const suffix = this.next[at]!.get(unit) ?? 0
        this.fallback[child] = suffix
        this.endsBelow[child] = this.ends[suffix]!.length ? suffix : this.endsBelow[suffix]!
        queue.push(child)
      }
  }
}
