const UNKNOWN = 0
const CONSTANT = 1
const LOADED = 2

/** What is known of the general registers along straight code: a constant (a number or an address), or what was loaded from an address. */
export class Arm64Registers {
  private readonly kinds = new Uint8Array(32)
  private readonly values = new Float64Array(32)

  constant(register: number): number | undefined {
    return this.kinds[register] === CONSTANT ? this.values[register] : undefined
  }

  /** The address that the register was loaded from. */
  loadedFrom(register: number): number | undefined {
    return this.kinds[register] === LOADED ? this.values[register] : undefined
  }

  forget(): void {
    this.kinds.fill(UNKNOWN)
  }

  /** What a call leaves: the registers from x19 on are the caller's. */
  afterCall(): void {
    this.kinds.fill(UNKNOWN, 0, 19)
  }

  /** Follows one instruction that is no branch. */
  step(word: number, pc: number): void {
    const rd = word & 31
    const rn = (word >>> 5) & 31
    if ((word & 0x7f800000) === 0x52800000) this.set(rd, CONSTANT, moved(word))
    else if ((word & 0x7f800000) === 0x12800000)
      this.set(rd, CONSTANT, word >>> 31 ? -moved(word) - 1 : ~moved(word) >>> 0)
    else if ((word & 0x7f800000) === 0x72800000) this.keep(rd, word)
    else if ((word & 0x7f8003e0) === 0x320003e0) this.bitmask(rd, word)
    else if ((word & 0x1f000000) === 0x10000000) this.set(rd, CONSTANT, pageOrAddress(word, pc))
    else if ((word & 0x7f800000) === 0x11000000) this.add(rd, rn, word)
    else if ((word & 0x7fe0ffe0) === 0x2a0003e0) this.copy(rd, (word >>> 16) & 31)
    else if ((word & 0xbfc00000) >>> 0 === 0xb9400000)
      this.load(rd, rn, ((word >>> 10) & 0xfff) * (word & 0x40000000 ? 8 : 4))
    else if ((word & 0xbf000000) === 0x18000000) this.set(rd, LOADED, pc + signed((word >>> 5) & 0x7ffff, 19) * 4)
    else if ((word & 0x0a000000) === 0x08000000) this.memory(word, rd, rn)
    else this.set(rd, UNKNOWN, 0)
  }

  private set(register: number, kind: number, value: number): void {
    // Register 31 is zero or the stack pointer.
    if (register === 31) return
    this.kinds[register] = kind
    this.values[register] = value
  }

  /** movk: sixteen bits of what is there. */
  private keep(rd: number, word: number): void {
    const before = this.constant(rd)
    const shift = ((word >>> 21) & 3) * 16
    if (before === undefined || before < 0 || shift > 32) this.set(rd, UNKNOWN, 0)
    else {
      const scale = 2 ** shift
      const old = Math.floor(before / scale) % 0x10000
      this.set(rd, CONSTANT, before + (((word >>> 5) & 0xffff) - old) * scale)
    }
  }

  private bitmask(rd: number, word: number): void {
    const value = bitmaskImmediate((word >>> 22) & 1, (word >>> 16) & 63, (word >>> 10) & 63)
    this.set(rd, value === undefined ? UNKNOWN : CONSTANT, value ?? 0)
  }

  private add(rd: number, rn: number, word: number): void {
    const base = rn === 31 ? undefined : this.constant(rn)
    const immediate = ((word >>> 10) & 0xfff) * (word & 0x400000 ? 4096 : 1)
    this.set(rd, base === undefined ? UNKNOWN : CONSTANT, (base ?? 0) + immediate)
  }

  private copy(rd: number, rm: number): void {
    if (rm === 31) this.set(rd, CONSTANT, 0)
    else this.set(rd, this.kinds[rm]!, this.values[rm]!)
  }

  private load(rd: number, rn: number, immediate: number): void {
    const base = rn === 31 ? undefined : this.constant(rn)
    this.set(rd, base === undefined ? UNKNOWN : LOADED, (base ?? 0) + immediate)
  }

  /** Loads and stores of every other form. */
  private memory(word: number, rt: number, rn: number): void {
    const vector = (word >>> 26) & 1
    const pair = (word & 0x3a000000) === 0x28000000
    const exclusive = (word & 0x3f000000) === 0x08000000
    const loads = pair || exclusive ? (word >>> 22) & 1 : (word >>> 22) & 3
    if (loads && !vector) {
      this.set(rt, UNKNOWN, 0)
      if (pair) this.set((word >>> 10) & 31, UNKNOWN, 0)
    }
    const writesBack = pair ? (word >>> 23) & 1 : (word & 0x3b200400) === 0x38000400
    if (writesBack) this.set(rn, UNKNOWN, 0)
    if (exclusive) this.set((word >>> 16) & 31, UNKNOWN, 0)
  }
}

const moved = (word: number): number => ((word >>> 5) & 0xffff) * 2 ** (((word >>> 21) & 3) * 16)

export const signed = (value: number, bits: number): number => (value >= 2 ** (bits - 1) ? value - 2 ** bits : value)

function pageOrAddress(word: number, pc: number): number {
  const immediate = signed((((word >>> 5) & 0x7ffff) << 2) | ((word >>> 29) & 3), 21)
  return word >>> 31 ? pc - (pc % 4096) + immediate * 4096 : pc + immediate
}

/** Small constants that older compilers write as `orr w0, wzr, #1`; undefined for patterns that no number of 32 bits is. */
function bitmaskImmediate(n: number, rotate: number, size: number): number | undefined {
  if (n) return size < 31 && rotate === 0 ? 2 ** (size + 1) - 1 : undefined
  const length = 31 - Math.clz32(~size & 0x3f)
  if (length < 1) return undefined
  const width = 1 << length
  const ones = (size & (width - 1)) + 1
  const turn = rotate & (width - 1)
  let element = ones >= 32 ? 0xffffffff : 2 ** ones - 1
  if (turn) element = (Math.floor(element / 2 ** turn) + (element % 2 ** turn) * 2 ** (width - turn)) % 2 ** width
  let value = 0
  for (let at = 0; at < 32; at += width) value += element * 2 ** at
  return value
}
