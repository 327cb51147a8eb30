import type { ImageBytes } from './addresses.ts'

/** An Objective-C method that the image implements. */
export interface ObjcMethod {
  /** Class, or `Class(Category)`. */
  readonly owner: string
  readonly selector: string
  readonly isStatic: boolean
  /** Address of its code, 0 where unknown. */
  readonly code: number
}

export interface ObjcFacts {
  /** Classes that the image defines, Swift classes demangled where that is simple. */
  readonly classes: readonly { readonly name: string; readonly offset: number }[]
  readonly methods: readonly ObjcMethod[]
  /** Every selector that the image names, sent or implemented -> offset of its text. */
  readonly selectors: ReadonlyMap<string, number>
}

const MOST_CLASSES = 200_000
const MOST_STEPS = 2_000_000
const RELATIVE = 0x80000000

/** What an image says of its Objective-C classes. Whatever does not fit is passed over: the runtime would not load it either. */
export function readObjc(bytes: ImageBytes): ObjcFacts {
  return new ObjcReader(bytes).read()
}

class ObjcReader {
  private readonly bytes: ImageBytes
  private readonly methods: ObjcMethod[] = []
  private readonly word: number
  /** Classes, categories and methods that may still be looked at, and bytes of their names: all of them may lie in one location. */
  private steps = MOST_STEPS
  private textBudget: number

  constructor(bytes: ImageBytes) {
    this.bytes = bytes
    this.word = bytes.pointerSize
    this.textBudget = 4 * bytes.file.length
  }

  read(): ObjcFacts {
    const classes: { name: string; offset: number }[] = []
    for (const address of this.pointersOf('__objc_classlist')) {
      const at = this.bytes.offsetOf(address)
      const data = this.classData(at)
      const name = this.className(data)
      if (!name) continue
      classes.push({ name, offset: this.bytes.offsetOf(this.bytes.pointer(data + this.nameAt)) })
      this.readMethods(this.bytes.pointer(data + this.nameAt + this.word), name, false)
      const meta = this.classData(this.bytes.offsetOf(this.bytes.pointer(at)))
      if (meta >= 0) this.readMethods(this.bytes.pointer(meta + this.nameAt + this.word), name, true)
    }
    for (const address of this.pointersOf('__objc_catlist')) {
      const at = this.bytes.offsetOf(address)
      if (at < 0) continue
      const category = this.textAt(this.bytes.pointer(at))
      const extended = this.bytes.offsetOf(this.bytes.pointer(at + this.word))
      const owner = `${extended < 0 ? '' : this.className(this.classData(extended))}(${category})`
      this.readMethods(this.bytes.pointer(at + 2 * this.word), owner, false)
      this.readMethods(this.bytes.pointer(at + 3 * this.word), owner, true)
    }
    return { classes, methods: this.methods, selectors: this.selectors() }
  }

  /** Flags, two sizes, (reserved), ivar layout, name, methods … */
  private get nameAt(): number {
    return this.word === 8 ? 24 : 16
  }

  private classData(classAt: number): number {
    if (classAt < 0) return -1
    const data = this.bytes.pointer(classAt + 4 * this.word)
    // The lowest bits are flags.
    return this.bytes.offsetOf(data - (data % 4))
  }

  private className(data: number): string {
    return data < 0 ? '' : plainName(this.textAt(this.bytes.pointer(data + this.nameAt)))
  }

  private goesOn(): boolean {
    return --this.steps >= 0 && this.textBudget > 0
  }

  private textAt(address: number): string {
    const text = this.bytes.textAt(address)
    this.textBudget -= text.length
    return text
  }

  private *pointersOf(section: string): Generator<number> {
    for (const { offset, size } of this.bytes.sections(section)) {
      const count = Math.min(Math.floor(size / this.word), MOST_CLASSES)
      for (let i = 0; i < count && this.goesOn(); i++) {
        const address = this.bytes.pointer(offset + i * this.word)
        if (address) yield address
      }
    }
  }

  private readMethods(list: number, owner: string, isStatic: boolean): void {
    const { bytes, word } = this
    const at = list ? bytes.offsetOf(list) : -1
    if (at < 0) return
    const sizes = bytes.u32(at)
    const relative = (sizes & RELATIVE) !== 0
    const entry = relative ? 12 : 3 * word
    const count = Math.min(bytes.u32(at + 4), Math.floor((bytes.file.length - at) / entry))
    for (let i = 0; i < count && this.goesOn(); i++) {
      const record = at + 8 + i * entry
      const here = list + 8 + i * entry
      let selector: string
      let code: number
      if (relative) {
        // The name is a reference to a selector, or in images of the system the text itself.
        const target = here + bytes.i32(record)
        selector = this.textAt(bytes.pointer(bytes.offsetOf(target)))
        code = here + 8 + bytes.i32(record + 8)
      } else {
        selector = this.textAt(bytes.pointer(record))
        code = bytes.pointer(record + 2 * word)
      }
      if (selector) this.methods.push({ owner, selector, isStatic, code })
    }
  }

  private selectors(): Map<string, number> {
    const found = new Map<string, number>()
    for (const section of this.bytes.sections('__objc_methname')) {
      if (this.bytes.isEncrypted(section.offset)) continue
      for (const { value, offset } of cStrings(this.bytes.sectionBytes(section), section.offset))
        if (value && !found.has(value)) found.set(value, offset)
    }
    return found
  }
}

/** Texts of a section that end with NUL each, and their offset. */
export function* cStrings(bytes: Uint8Array, base: number): Generator<{ value: string; offset: number }> {
  for (let at = 0; at < bytes.length; ) {
    const found = bytes.indexOf(0, at)
    const end = found < 0 ? bytes.length : found
    if (end > at)
      yield { value: Buffer.from(bytes.buffer, bytes.byteOffset + at, end - at).toString('utf8'), offset: base + at }
    at = end + 1
  }
}

/** `_TtC5MyApp14ViewController` -> `MyApp.ViewController`; other names as they are. */
export function plainName(name: string): string {
  const mangled = /^_TtC+(\d.*)$/.exec(name)?.[1]
  if (!mangled) return name
  const parts: string[] = []
  for (let rest = mangled; rest; ) {
    const length = /^\d{1,4}/.exec(rest)?.[0]
    if (!length || Number(length) > rest.length - length.length) return name
    parts.push(rest.slice(length.length, length.length + Number(length)))
    rest = rest.slice(length.length + Number(length))
  }
  return parts.join('.')
}
