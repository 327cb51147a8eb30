const WIDTH = 4
/** Spare records before the buffer is sorted and truncated. */
const SPARE = 256

/**
 * The `size` highest of many records of up to four numbers, offered in any order; compares the first number, then the second, and so on.
 */
export class TopK {
  /** Records with a lower first number cannot enter the result. */
  threshold = Number.NEGATIVE_INFINITY
  private readonly size: number
  private records = new Float64Array(WIDTH * SPARE)
  private count = 0

  constructor(size: number) {
    this.size = size
  }

  offer(first: number, second: number, third = 0, fourth = 0): void {
    if (first < this.threshold) return
    if ((this.count + 1) * WIDTH > this.records.length) this.makeRoom()
    const at = this.count++ * WIDTH
    this.records[at] = first
    this.records[at + 1] = second
    this.records[at + 2] = third
    this.records[at + 3] = fourth
  }

  /** The highest records, in order. */
  sorted(): Float64Array[] {
    this.truncate()
    return Array.from({ length: this.count }, (_, index) => this.records.subarray(index * WIDTH, (index + 1) * WIDTH))
  }

  private makeRoom(): void {
    if (this.count >= this.size * 2) this.truncate()
    if ((this.count + SPARE) * WIDTH <= this.records.length) return
    const wider = new Float64Array(this.records.length * 2)
    wider.set(this.records)
    this.records = wider
  }

  private truncate(): void {
    const order = Uint32Array.from({ length: this.count }, (_, index) => index).sort((a, b) => this.compare(a, b))
    this.count = Math.min(this.size, order.length)
    const kept = new Float64Array(Math.max(this.records.length, (this.count + SPARE) * WIDTH))
    for (let at = 0; at < this.count; at++) {
      const from = (order[at] as number) * WIDTH
      kept.set(this.records.subarray(from, from + WIDTH), at * WIDTH)
    }
    this.records = kept
    if (this.count === this.size) this.threshold = kept[(this.count - 1) * WIDTH] as number
  }

  private compare(a: number, b: number): number {
    for (let i = 0; i < WIDTH; i++) {
      const difference = (this.records[b * WIDTH + i] as number) - (this.records[a * WIDTH + i] as number)
      if (difference !== 0) return difference
    }
    return 0
  }
}
