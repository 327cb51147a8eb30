const WIDTH = 4
/** Records beyond those wanted that may gather before all are put in order. */
const SPARE = 256

/** The first `size` of many records of up to four numbers, which come in any order: higher numbers go first. */
export class Best {
  /** A record whose first number is lower is none of them. */
  least = Number.NEGATIVE_INFINITY
  private readonly size: number
  private records = new Float64Array(WIDTH * SPARE)
  private count = 0

  constructor(size: number) {
    this.size = size
  }

  offer(first: number, second: number, third = 0, fourth = 0): void {
    if (first < this.least) return
    if ((this.count + 1) * WIDTH > this.records.length) this.makeRoom()
    const at = this.count++ * WIDTH
    this.records[at] = first
    this.records[at + 1] = second
    this.records[at + 2] = third
    this.records[at + 3] = fourth
  }

  /** The best, in order. */
  sorted(): Float64Array[] {
    this.cut()
    return Array.from({ length: this.count }, (_, index) => this.records.subarray(index * WIDTH, (index + 1) * WIDTH))
  }

  private makeRoom(): void {
    if (this.count >= this.size * 2) this.cut()
    if ((this.count + SPARE) * WIDTH <= this.records.length) return
    const wider = new Float64Array(this.records.length * 2)
    wider.set(this.records)
    this.records = wider
  }

  private cut(): void {
    const order = Uint32Array.from({ length: this.count }, (_, index) => index).sort((a, b) => this.compare(a, b))
    this.count = Math.min(this.size, order.length)
    const kept = new Float64Array(Math.max(this.records.length, (this.count + SPARE) * WIDTH))
    for (let at = 0; at < this.count; at++) {
      const from = (order[at] as number) * WIDTH
      kept.set(this.records.subarray(from, from + WIDTH), at * WIDTH)
    }
    this.records = kept
    if (this.count === this.size) this.least = kept[(this.count - 1) * WIDTH] as number
  }

  private compare(a: number, b: number): number {
    for (let i = 0; i < WIDTH; i++) {
      const difference = (this.records[b * WIDTH + i] as number) - (this.records[a * WIDTH + i] as number)
      if (difference !== 0) return difference
    }
    return 0
  }
}
