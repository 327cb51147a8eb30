/** Gives numbers for what code names. */
export interface DexReferenceNumbers {
  string(text: string): number
  type(descriptor: string): number
  /** `La/B;->name(I)V` */
  method(reference: string): number
  /** `La/B;->name:I` */
  field(reference: string): number
}

export interface WrittenDexMethod {
  /** `name(I)V` */
  name: string
  flags?: number
  /** Annotations that are there at run time: a descriptor, and behind a blank the text that is its value. */
  annotations?: string[]
  /** Words of arguments, `this` included; the last registers hold them. */
  ins?: number
  registers?: number
  /** 16-bit code units; without it the method has no code. */
  code?: (numbers: DexReferenceNumbers) => number[]
  /** Source line of each instruction that begins a line: code unit, line. */
  lines?: readonly (readonly [unit: number, line: number])[]
  /** Try blocks in code units: begin, length, handler. */
  tries?: readonly (readonly [from: number, count: number, handler: number])[]
}

export interface WrittenDexClass {
  name: string
  superclass?: string
  interfaces?: string[]
  flags?: number
  /** `name:I`; text values are encoded constants. */
  staticFields?: { name: string; flags?: number; value?: string | number | null }[]
  /** `name:I`. */
  instanceFields?: string[]
  methods?: WrittenDexMethod[]
  annotations?: string[]
  /** Name of the file that the class was compiled from. */
  sourceFile?: string
}

/** Numbers as LEB128. */
function uleb(value: number): number[] {
  const bytes: number[] = []
  let left = value
  do {
    bytes.push((left & 0x7f) | (left > 0x7f ? 0x80 : 0))
    left = Math.floor(left / 128)
  } while (left > 0)
  return bytes
}

function mutf8(text: string): number[] {
  return [...Array(text.length).keys()].flatMap((i) => {
    const unit = text.charCodeAt(i)
    if (unit > 0 && unit < 0x80) return [unit]
    if (unit < 0x800) return [0xc0 | (unit >> 6), 0x80 | (unit & 63)]
    return [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 63), 0x80 | (unit & 63)]
  })
}

/** A table of names that is filled while code is looked at, then sorted and fixed. */
class Pool {
  private readonly keys = new Set<string>()
  list: string[] = []
  add(key: string): number {
    this.keys.add(key)
    return Math.max(0, this.list.indexOf(key))
  }
  fix(order: (a: string, b: string) => number): void {
    this.list = [...this.keys].sort(order)
  }
}

const parts = (reference: string): [owner: string, name: string, rest: string] => {
  const arrow = reference.indexOf('->')
  const member = reference.slice(arrow + 2)
  const end = member.search(/[(:]/)
  return [reference.slice(0, arrow), member.slice(0, end), member.slice(end)]
}
const parameterTypes = (signature: string): string[] =>
  signature.slice(1, signature.indexOf(')')).match(/\[*(?:L[^;]+;|.)/g) ?? []
const returnType = (signature: string): string => signature.slice(signature.indexOf(')') + 1)

/** A dex file, written without the product's code: for tests of its reader. */
export function writeDex(
  classes: readonly WrittenDexClass[],
  { version = '035', base = 0, container = 0 } = {},
): Uint8Array {
  const strings = new Pool()
  const types = new Pool()
  const protos = new Pool()
  const fields = new Pool()
  const methods = new Pool()
  const numbers: DexReferenceNumbers = {
    string: (text) => strings.add(text),
    type: (descriptor) => {
      strings.add(descriptor)
      return types.add(descriptor)
    },
    method: (reference) => {
      const [owner, name, signature] = parts(reference)
      numbers.type(owner)
      strings.add(name)
      strings.add(shorty(signature))
      for (const type of [...parameterTypes(signature), returnType(signature)]) numbers.type(type)
      protos.add(signature)
      return methods.add(reference)
    },
    field: (reference) => {
      const [owner, name, type] = parts(reference)
      numbers.type(owner)
      numbers.type(type.slice(1))
      strings.add(name)
      return fields.add(reference)
    },
  }
  const addAnnotations = (annotations: readonly string[] = []) => {
    for (const [name, text] of annotations.map(annotationParts)) {
      numbers.type(name)
      if (text !== undefined) for (const added of ['value', text]) strings.add(added)
    }
  }
  for (const one of classes) {
    numbers.type(one.name)
    numbers.type(one.superclass ?? 'Ljava/lang/Object;')
    for (const name of one.interfaces ?? []) numbers.type(name)
    addAnnotations(one.annotations)
    if (one.sourceFile !== undefined) strings.add(one.sourceFile)
    for (const field of one.staticFields ?? []) {
      numbers.field(`${one.name}->${field.name}`)
      if (typeof field.value === 'string') strings.add(field.value)
    }
    for (const name of one.instanceFields ?? []) numbers.field(`${one.name}->${name}`)
    for (const method of one.methods ?? []) {
      numbers.method(`${one.name}->${method.name}`)
      addAnnotations(method.annotations)
      method.code?.(numbers)
    }
  }
  const plain = (a: string, b: string) => (a < b ? -1 : 1)
  for (const pool of [strings, types]) pool.fix(plain)
  const compareLists = (a: number[], b: number[]) => {
    for (let i = 0; i < Math.max(a.length, b.length); i++) if (a[i] !== b[i]) return (a[i] ?? -1) - (b[i] ?? -1)
    return 0
  }
  const typeKey = (signature: string) =>
    [returnType(signature), ...parameterTypes(signature)].map((t) => types.list.indexOf(t))
  protos.fix((a, b) => compareLists(typeKey(a), typeKey(b)))
  const memberKey = (pool: Pool) => (reference: string) => {
    const [owner, name, rest] = parts(reference)
    const last = pool === protos ? protos.list.indexOf(rest) : types.list.indexOf(rest.slice(1))
    return [types.list.indexOf(owner), strings.list.indexOf(name), last]
  }
  methods.fix((a, b) => compareLists(memberKey(protos)(a), memberKey(protos)(b)))
  fields.fix((a, b) => compareLists(memberKey(types)(a), memberKey(types)(b)))

  const headerSize = version >= '041' ? 0x78 : 0x70
  const counts = [strings, types, protos, fields, methods].map((pool) => pool.list.length)
  const widths = [4, 4, 12, 8, 8, 32]
  const offsets: number[] = []
  let at = base + headerSize
  ;[...counts, classes.length].forEach((count, i) => {
    offsets.push(at)
    at += count * widths[i]!
  })
  const data: number[] = []
  const here = () => at + data.length
  const align = () => {
    while (here() % 4) data.push(0)
  }
  const u16 = (value: number) => [value & 255, (value >> 8) & 255]
  const u32 = (value: number) => [...u16(value & 0xffff), ...u16(value >>> 16)]
  const put = (bytes: number[]): number => {
    const offset = here()
    for (const byte of bytes) data.push(byte)
    return offset
  }
  const typeList = (list: readonly string[]): number => {
    if (!list.length) return 0
    align()
    return put([...u32(list.length), ...list.flatMap((type) => u16(types.list.indexOf(type)))])
  }
  const tables: number[] = []
  for (const text of strings.list) tables.push(...u32(put([...uleb(text.length), ...mutf8(text), 0])))
  for (const type of types.list) tables.push(...u32(strings.list.indexOf(type)))
  for (const signature of protos.list)
    tables.push(
      ...u32(strings.list.indexOf(shorty(signature))),
      ...u32(types.list.indexOf(returnType(signature))),
      ...u32(typeList(parameterTypes(signature))),
    )
  for (const reference of fields.list) {
    const [owner, name, type] = parts(reference)
    tables.push(...u16(types.list.indexOf(owner)), ...u16(types.list.indexOf(type.slice(1))))
    tables.push(...u32(strings.list.indexOf(name)))
  }
  for (const reference of methods.list) {
    const [owner, name, signature] = parts(reference)
    tables.push(...u16(types.list.indexOf(owner)), ...u16(protos.list.indexOf(signature)))
    tables.push(...u32(strings.list.indexOf(name)))
  }
  const codeItem = (method: WrittenDexMethod): number => {
    if (!method.code) return 0
    const insns = method.code(numbers)
    const tries = method.tries ?? []
    let debug = 0
    if (method.lines) {
      const bytes = [...uleb(method.lines[0]?.[1] ?? 1), 0]
      let unit = 0
      let line = method.lines[0]?.[1] ?? 1
      for (const [toUnit, toLine] of method.lines) {
        bytes.push(1, ...uleb(toUnit - unit), 2, (toLine - line) & 0x7f, 10 + 4)
        unit = toUnit
        line = toLine
      }
      debug = put([...bytes, 0])
    }
    align()
    const handlers = [...uleb(tries.length), ...tries.flatMap(([, , handler]) => [0, ...uleb(handler)])]
    return put([
      ...u16(method.registers ?? 8),
      ...u16(method.ins ?? 0),
      ...u16(5),
      ...u16(tries.length),
      ...u32(debug),
      ...u32(insns.length),
      ...insns.flatMap(u16),
      ...(tries.length && insns.length % 2 ? [0, 0] : []),
      ...tries.flatMap(([from, count], i) => [...u32(from), ...u16(count), ...u16(uleb(tries.length).length + 2 * i)]),
      ...(tries.length ? handlers : []),
    ])
  }
  const rows = classes.map((one) => {
    const prefixed = (name: string) => `${one.name}->${name}`
    const listed = (one.methods ?? [])
      .map((method) => ({ method, id: methods.list.indexOf(prefixed(method.name)), code: codeItem(method) }))
      .sort((a, b) => a.id - b.id)
    const isDirect = ({ method }: { method: WrittenDexMethod }) =>
      ((method.flags ?? 1) & 0x1000a) !== 0 || method.name.startsWith('<')
    const statics = (one.staticFields ?? [])
      .map((field) => ({ field, id: fields.list.indexOf(prefixed(field.name)) }))
      .sort((a, b) => a.id - b.id)
    const instances = (one.instanceFields ?? [])
      .map((name) => ({ id: fields.list.indexOf(prefixed(name)) }))
      .sort((a, b) => a.id - b.id)
    const steps = (list: { id: number }[], row: (i: number) => number[]) => {
      let last = 0
      return list.flatMap(({ id }, i) => {
        const step = uleb(id - last)
        last = id
        return [...step, ...row(i)]
      })
    }
    const groups = [listed.filter(isDirect), listed.filter((item) => !isDirect(item))]
    const classData = put([
      ...uleb(statics.length),
      ...uleb(instances.length),
      ...groups.flatMap((group) => uleb(group.length)),
      ...steps(statics, (i) => uleb(statics[i]!.field.flags ?? 0x19)),
      ...steps(instances, () => uleb(0)),
      ...groups.flatMap((group) =>
        steps(group, (i) => [...uleb(group[i]!.method.flags ?? 1), ...uleb(group[i]!.code)]),
      ),
    ])
    const staticValues = statics.some(({ field }) => field.value !== undefined)
      ? put([...uleb(statics.length), ...statics.flatMap(({ field: { value } }) => encoded(value ?? null, strings))])
      : 0
    const annotationSet = (names: readonly string[] = []) => {
      if (!names.length) return 0
      const items = names.map(annotationParts).map(([name, text]) => {
        const value = text === undefined ? [0] : [1, ...uleb(strings.list.indexOf('value')), ...encoded(text, strings)]
        return put([1, ...uleb(types.list.indexOf(name)), ...value])
      })
      align()
      return put([...u32(items.length), ...items.flatMap(u32)])
    }
    const ofClass = annotationSet(one.annotations)
    const ofMethods = listed.flatMap(({ id, method }) =>
      method.annotations?.length ? [...u32(id), ...u32(annotationSet(method.annotations))] : [],
    )
    align()
    const annotations =
      ofClass || ofMethods.length
        ? put([...u32(ofClass), ...u32(0), ...u32(ofMethods.length / 8), ...u32(0), ...ofMethods])
        : 0
    const interfaces = typeList(one.interfaces ?? [])
    return [
      ...u32(types.list.indexOf(one.name)),
      ...u32(one.flags ?? 1),
      ...u32(types.list.indexOf(one.superclass ?? 'Ljava/lang/Object;')),
      ...u32(interfaces),
      ...u32(one.sourceFile === undefined ? 0xffffffff : strings.list.indexOf(one.sourceFile)),
      ...u32(annotations),
      ...u32(classData),
      ...u32(staticValues),
    ]
  })
  align()
  const size = here() - base
  const header = Buffer.alloc(headerSize)
  header.write(`dex\n${version}\0`, 'latin1')
  header.writeUInt32LE(size, 0x20)
  header.writeUInt32LE(headerSize, 0x24)
  header.writeUInt32LE(0x12345678, 0x28)
  ;[...counts, classes.length].forEach((count, i) => {
    header.writeUInt32LE(count, 0x38 + 8 * i)
    header.writeUInt32LE(offsets[i]!, 0x3c + 8 * i)
  })
  if (headerSize === 0x78) {
    header.writeUInt32LE(container || size, 0x70)
    header.writeUInt32LE(base, 0x74)
  }
  return new Uint8Array(Buffer.concat([header, Buffer.from(tables), Buffer.from(rows.flat()), Buffer.from(data)]))
}

const shorty = (signature: string): string =>
  [returnType(signature), ...parameterTypes(signature)].map((type) => (/^[L[]/.test(type) ? 'L' : type)).join('')

function annotationParts(annotation: string): readonly [name: string, text?: string] {
  const blank = annotation.indexOf(' ')
  return blank < 0 ? [annotation] : [annotation.slice(0, blank), annotation.slice(blank + 1)]
}

function encoded(value: string | number | null, strings: Pool): number[] {
  if (value === null) return [0x1e]
  const bits = typeof value === 'string' ? strings.list.indexOf(value) : value
  return [0x60 | (typeof value === 'string' ? 0x17 : 0x04), ...[0, 8, 16, 24].map((shift) => (bits >> shift) & 255)]
}
