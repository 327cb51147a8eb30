/** Numbers in the constant pool for what code names. */
export interface ClassPoolNumbers {
  string(text: string): number
  type(name: string): number
  number(value: number): number
  /** `a/B->name(I)V` */
  method(reference: string): number
  /** `a/B->name:I` */
  field(reference: string): number
}

export interface WrittenClass {
  /** `a/B` */
  name: string
  superclass?: string
  interfaces?: string[]
  /** `name:I`, with an encoded constant of a text. */
  fields?: { name: string; flags?: number; value?: string }[]
  methods?: {
    /** `name(I)V` */
    name: string
    flags?: number
    code?: (numbers: ClassPoolNumbers) => number[]
    lines?: (readonly [at: number, line: number])[]
    tries?: (readonly [from: number, to: number, handler: number])[]
  }[]
  sourceFile?: string
  annotations?: string[]
}

const u16 = (value: number): number[] => [(value >> 8) & 255, value & 255]
const u32 = (value: number): number[] => [...u16(value >>> 16), ...u16(value & 0xffff)]
export const two = u16

/** A class file of Java 8, written without the product's code. */
export function writeClass(one: WrittenClass): Uint8Array {
  const pool: number[][] = []
  const known = new Map<string, number>()
  const constant = (bytes: number[]): number => {
    const key = bytes.join()
    const index = known.get(key) ?? pool.length + 1
    if (!known.has(key)) {
      known.set(key, index)
      pool.push(bytes)
    }
    return index
  }
  const utf8 = (text: string) => {
    const bytes = [...Buffer.from(text)]
    return constant([1, ...u16(bytes.length), ...bytes])
  }
  const type = (name: string) => constant([7, ...u16(utf8(name))])
  const member = (tag: number, reference: string) => {
    const arrow = reference.indexOf('->')
    const rest = reference.slice(arrow + 2)
    const end = rest.search(/[(:]/)
    const descriptor = rest[end] === ':' ? rest.slice(end + 1) : rest.slice(end)
    const nameAndType = constant([12, ...u16(utf8(rest.slice(0, end))), ...u16(utf8(descriptor))])
    return constant([tag, ...u16(type(reference.slice(0, arrow))), ...u16(nameAndType)])
  }
  const numbers: ClassPoolNumbers = {
    type,
    string: (text) => constant([8, ...u16(utf8(text))]),
    number: (value) => constant([3, ...u32(value)]),
    method: (reference) => member(10, reference),
    field: (reference) => member(9, reference),
  }
  const attribute = (name: string, content: number[]) => [...u16(utf8(name)), ...u32(content.length), ...content]
  const annotations = (list: readonly string[] = []) =>
    list.length
      ? [
          attribute('RuntimeVisibleAnnotations', [
            ...u16(list.length),
            ...list.flatMap((name) => [...u16(utf8(name)), ...u16(0)]),
          ]),
        ]
      : []
  const codeOf = ({ code, lines, tries = [] }: NonNullable<WrittenClass['methods']>[number]) => {
    if (!code) return []
    const bytes = code(numbers)
    const inner = lines
      ? [
          attribute('LineNumberTable', [
            ...u16(lines.length),
            ...lines.flatMap(([at, line]) => [...u16(at), ...u16(line)]),
          ]),
        ]
      : []
    const rows = tries.flatMap(([from, to, handler]) => [...u16(from), ...u16(to), ...u16(handler), ...u16(0)])
    return [
      attribute('Code', [
        ...u16(10),
        ...u16(10),
        ...u32(bytes.length),
        ...bytes,
        ...u16(tries.length),
        ...rows,
        ...u16(inner.length),
        ...inner.flat(),
      ]),
    ]
  }
  const memberRow = (flags: number, name: string, attributes: number[][]) => {
    const end = name.search(/[(:]/)
    const descriptor = name[end] === ':' ? name.slice(end + 1) : name.slice(end)
    return [
      ...u16(flags),
      ...u16(utf8(name.slice(0, end))),
      ...u16(utf8(descriptor)),
      ...u16(attributes.length),
      ...attributes.flat(),
    ]
  }
  const fields = one.fields ?? []
  const methods = one.methods ?? []
  const attributes = [
    ...annotations(one.annotations),
    ...(one.sourceFile ? [attribute('SourceFile', u16(utf8(one.sourceFile)))] : []),
  ]
  const body = [
    ...u16(0x21),
    ...u16(type(one.name)),
    ...u16(type(one.superclass ?? 'java/lang/Object')),
    ...u16(one.interfaces?.length ?? 0),
    ...(one.interfaces ?? []).flatMap((name) => u16(type(name))),
    ...u16(fields.length),
    ...fields.flatMap(({ name, flags, value }) =>
      memberRow(
        flags ?? 0x19,
        name,
        value === undefined ? [] : [attribute('ConstantValue', u16(numbers.string(value)))],
      ),
    ),
    ...u16(methods.length),
    ...methods.flatMap((method) => memberRow(method.flags ?? 1, method.name, codeOf(method))),
    ...u16(attributes.length),
    ...attributes.flat(),
  ]
  return Uint8Array.from([...u32(0xcafebabe), ...u16(0), ...u16(52), ...u16(pool.length + 1), ...pool.flat(), ...body])
}
