/**
 * Locations in code that name something of one kind (methods, fields, types, strings), as columns: the location of each, what it names, and, by a
 * counting sort when first asked, all locations that name one thing. Two words a location and two for the way back.
 */
export class LocationTable {
  readonly addresses: Uint32Array
  readonly targets: Uint32Array
  /** First location of each defined method; one more at the end. */
  readonly methodStarts: Uint32Array
  private readonly targetCount: number
  private starts: Uint32Array | undefined
  private order = new Uint32Array()

  constructor(addresses: Uint32Array, targets: Uint32Array, methodStarts: Uint32Array, targetCount: number) {
    this.addresses = addresses
    this.targets = targets
    this.methodStarts = methodStarts
    this.targetCount = targetCount
  }

  /** Locations that name the target, in the order of the code. */
  indicesOf(target: number): Uint32Array {
    const starts = this.starts ?? this.invert()
    return target < this.targetCount ? this.order.subarray(starts[target]!, starts[target + 1]!) : new Uint32Array()
  }

  isNamed(target: number): boolean {
    const starts = this.starts ?? this.invert()
    return target < this.targetCount && starts[target + 1]! > starts[target]!
  }

  /** The defined method whose code holds the location. */
  methodOf(index: number): number {
    let low = 0
    let high = this.methodStarts.length - 2
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.methodStarts[middle]! <= index) low = middle
      else high = middle - 1
    }
    return low
  }

  /** The location with this address in a method, -1 if absent. */
  indexAt(method: number, address: number): number {
    let low = this.methodStarts[method]!
    let high = this.methodStarts[method + 1]! - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const found = this.addresses[middle]!
      if (found === address) return middle
      if (found < address) low = middle + 1
      else high = middle - 1
    }
    return -1
  }

  private invert(): Uint32Array {
    const starts = new Uint32Array(this.targetCount + 2)
    for (const target of this.targets) starts[target + 2]!++
    for (let i = 2; i < starts.length; i++) starts[i]! += starts[i - 1]!
    this.order = new Uint32Array(this.targets.length)
    for (let index = 0; index < this.targets.length; index++) this.order[starts[this.targets[index]! + 1]!++] = index
    this.starts = starts
    return starts
  }
}

/** Gathers locations method by method. */
export class LocationTableBuilder {
  private addresses = new Uint32Array(1024)
  private targets = new Uint32Array(1024)
  private starts = new Uint32Array(1024)
  private length = 0
  private methods = 0

  /** What is added from now on belongs to the next method. */
  nextMethod(): void {
    if (this.methods + 1 >= this.starts.length) this.starts = grown(this.starts)
    this.starts[this.methods++] = this.length
  }

  add(address: number, target: number): void {
    if (this.length === this.addresses.length) {
      this.addresses = grown(this.addresses)
      this.targets = grown(this.targets)
    }
    this.addresses[this.length] = address
    this.targets[this.length++] = target
  }

  build(targetCount: number): LocationTable {
    this.starts[this.methods] = this.length
    return new LocationTable(
      this.addresses.slice(0, this.length),
      this.targets.slice(0, this.length),
      this.starts.slice(0, this.methods + 1),
      targetCount,
    )
  }
}

/** The same words with room for as many again. */
export function grown(words: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * words.length)
  larger.set(words)
  return larger
}
