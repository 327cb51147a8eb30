import { createHash } from 'node:crypto'
import { signatureBlock, type TestSigner } from './apk/signer.ts'

/** Mach-O images of 64 bits for arm64, as far as readers and rules look: for tests. */
export interface WrittenMacho {
  readonly fileType?: number
  readonly flags?: number
  readonly dylibs?: readonly (readonly [name: string, command?: number])[]
  readonly rpaths?: readonly string[]
  readonly cryptId?: number
  /** Symbols that are imported, by name with underscore; a leading `?` makes one weak. */
  readonly imports?: readonly string[]
  /** In the order of the functions that they name. */
  readonly exports?: readonly string[]
  readonly locals?: readonly string[]
  /** Texts of __cstring. */
  readonly strings?: readonly string[]
  readonly selectors?: readonly string[]
  /** Class name -> selectors of its instance methods, with the index of the function that implements each (see `functions`). */
  readonly classes?: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** Functions as makers of words; `at` gives addresses of strings, NSString constants, selector references and stubs. */
  readonly functions?: readonly ((at: MachoAddresses) => readonly number[])[]
  readonly signature?: WrittenSignature
  readonly minOs?: number
}

export interface WrittenSignature {
  readonly identifier?: string
  readonly team?: string
  readonly version?: number
  readonly hashes?: readonly ('sha1' | 'sha256')[]
  readonly entitlements?: Uint8Array
  readonly cms?: Uint8Array
  /** Signs the first directory; with RSA, whose signatures are all of one size. */
  readonly signer?: TestSigner
  /** What the special slots are digests of, by their number; that of entitlements comes by itself. */
  readonly slots?: Readonly<Record<number, Uint8Array>>
  readonly flags?: number
  /** Of a directory that lies. */
  readonly wrongPages?: boolean
}

export interface MachoAddresses {
  readonly here: number
  string(text: string): number
  constant(text: string): number
  selectorReference(selector: string): number
  stub(symbol: string): number
}

const BASE = 0x1_0000_0000
const HEADER = 0x1000
const le32 = (...values: readonly number[]): Buffer => {
  const out = Buffer.alloc(4 * values.length)
  values.forEach((value, i) => {
    out.writeUInt32LE(value >>> 0, 4 * i)
  })
  return out
}
const le64 = (...values: readonly number[]): Buffer => {
  const out = Buffer.alloc(8 * values.length)
  values.forEach((value, i) => {
    out.writeBigUInt64LE(BigInt(value), 8 * i)
  })
  return out
}
const padded = (bytes: Buffer, to = 8): Buffer => Buffer.concat([bytes, Buffer.alloc((to - (bytes.length % to)) % to)])
const name16 = (name: string): Buffer => Buffer.concat([Buffer.from(name), Buffer.alloc(16)]).subarray(0, 16)
const uleb = (value: number): number[] => (value > 0x7f ? [(value & 0x7f) | 0x80, ...uleb(value >>> 7)] : [value])

/** Where pieces of a section lie, in the order they were put in. */
class Pool {
  readonly offsets = new Map<string, number>()
  bytes = Buffer.alloc(0)
  add(key: string, bytes: Buffer): void {
    if (this.offsets.has(key)) return
    this.offsets.set(key, this.bytes.length)
    this.bytes = Buffer.concat([this.bytes, bytes])
  }
}

interface Part {
  name: string
  segment: string
  bytes: Buffer
  flags?: number
  reserved1?: number
  reserved2?: number
}

export function writeMacho(macho: WrittenMacho = {}): Uint8Array {
  const { imports = [], functions = [] } = macho
  const classes = Object.entries(macho.classes ?? {})
  const strings = new Pool()
  for (const text of macho.strings ?? []) strings.add(text, Buffer.from(`${text}\0`))
  const selectors = new Pool()
  for (const text of [...(macho.selectors ?? []), ...classes.flatMap(([, methods]) => Object.keys(methods))])
    selectors.add(text, Buffer.from(`${text}\0`))
  const classNames = new Pool()
  for (const [name] of classes) classNames.add(name, Buffer.from(`${name}\0`))
  const stubNames = imports.map((name) => name.replace(/^\?/, ''))
  // Sizes first: every function is at most this long.
  const codeSize = functions.length * 256
  const sizes = [codeSize, 12 * stubNames.length, strings.bytes.length, selectors.bytes.length, classNames.bytes.length]
  const starts: number[] = []
  let at = HEADER
  for (const size of sizes) {
    starts.push(at)
    at = Math.ceil((at + size) / 16) * 16
  }
  const [codeAt, stubsAt, stringsAt, selectorsAt, namesAt] = starts as [number, number, number, number, number]
  const dataAt = Math.ceil(at / 0x1000) * 0x1000
  const constants = [...strings.offsets.keys()]
  const selectorNames = [...selectors.offsets.keys()]
  const constantsAt = dataAt
  const referencesAt = constantsAt + 32 * constants.length
  const classListAt = referencesAt + 8 * selectorNames.length
  const classDataAt = classListAt + 8 * classes.length
  const addresses = (here: number): MachoAddresses => ({
    here,
    string: (text) => BASE + stringsAt + strings.offsets.get(text)!,
    constant: (text) => BASE + constantsAt + 32 * constants.indexOf(text),
    selectorReference: (selector) => BASE + referencesAt + 8 * selectorNames.indexOf(selector),
    stub: (symbol) => BASE + stubsAt + 12 * stubNames.indexOf(symbol),
  })
  const code = Buffer.concat(
    functions.map((make, i) => {
      const words = make(addresses(BASE + codeAt + 256 * i))
      return Buffer.concat([le32(...words, RET), Buffer.alloc(256)]).subarray(0, 256)
    }),
  )
  const cfstrings = Buffer.concat(
    constants.map((text) => le64(0, 0x7c8, BASE + stringsAt + strings.offsets.get(text)!, Buffer.byteLength(text))),
  )
  const references = Buffer.concat(selectorNames.map((text) => le64(BASE + selectorsAt + selectors.offsets.get(text)!)))
  const classData: Buffer[] = []
  let next = classDataAt
  const classPointers = classes.map(([name, methods]) => {
    const list = Object.entries(methods)
    const listBytes = padded(
      Buffer.concat([
        le32(24, list.length),
        ...list.map(([selector, index]) =>
          le64(BASE + selectorsAt + selectors.offsets.get(selector)!, 0, BASE + codeAt + 256 * index),
        ),
      ]),
    )
    const data = Buffer.concat([
      le32(0, 0, 0, 0),
      le64(0, BASE + namesAt + classNames.offsets.get(name)!, BASE + next, 0, 0, 0, 0),
    ])
    const own = Buffer.concat([le64(0, 0, 0, 0, BASE + next + listBytes.length), listBytes.subarray(0, 0)])
    classData.push(listBytes, data, own)
    const pointer = BASE + next + listBytes.length + data.length
    next += listBytes.length + data.length + own.length
    return pointer
  })
  const parts: (Part & { at: number })[] = [
    { name: '__text', segment: '__TEXT', bytes: code, at: codeAt },
    {
      name: '__stubs',
      segment: '__TEXT',
      bytes: Buffer.alloc(12 * stubNames.length),
      flags: 8,
      reserved2: 12,
      at: stubsAt,
    },
    { name: '__cstring', segment: '__TEXT', bytes: strings.bytes, at: stringsAt },
    { name: '__objc_methname', segment: '__TEXT', bytes: selectors.bytes, at: selectorsAt },
    { name: '__objc_classname', segment: '__TEXT', bytes: classNames.bytes, at: namesAt },
    { name: '__cfstring', segment: '__DATA', bytes: cfstrings, at: constantsAt },
    { name: '__objc_selrefs', segment: '__DATA', bytes: references, at: referencesAt },
    { name: '__objc_classlist', segment: '__DATA', bytes: le64(...classPointers), at: classListAt },
    { name: '__objc_data', segment: '__DATA', bytes: Buffer.concat(classData), at: classDataAt },
  ]
  const dataEnd = Math.ceil(next / 0x1000) * 0x1000
  const linkedit = linkEdit(macho, stubNames, dataEnd, codeAt)
  const image = Buffer.alloc(dataEnd + linkedit.bytes.length)
  for (const part of parts) part.bytes.copy(image, part.at)
  linkedit.bytes.copy(image, dataEnd)
  const commands = [
    segment('__TEXT', 0, dataAt, parts, 5),
    segment('__DATA', dataAt, dataEnd - dataAt, parts, 3),
    segment('__LINKEDIT', dataEnd, linkedit.bytes.length, [], 1),
    ...linkedit.commands,
    Buffer.concat([le32(0x1b, 24), Buffer.from('00112233445566778899aabbccddeeff', 'hex')]),
    le32(0x32, 24, 2, macho.minOs ?? 0x000f0000, 0x00110000, 0),
    Buffer.concat([le32(0x80000028, 24), le64(codeAt, 0)]),
    le32(0x2c, 24, codeAt, dataAt - codeAt, macho.cryptId ?? 0, 0),
    ...(macho.dylibs ?? []).map(([name, command = 0x0c]) => text(command, name, [2, 0x10000, 0x10000])),
    ...(macho.rpaths ?? []).map((path) => text(0x8000001c, path, [])),
  ]
  if (macho.signature) commands.push(le32(0x1d, 16, image.length, 0))
  const list = Buffer.concat(commands)
  Buffer.concat([
    le32(0xfeedfacf, 0x0100000c, 0, macho.fileType ?? 2, commands.length, list.length, macho.flags ?? 0x200085, 0),
    list,
  ]).copy(image)
  if (!macho.signature) return image
  // The size of the signature is part of the signed bytes: its size does not depend on digests.
  const size = signatureOf(image, macho.signature).length
  image.writeUInt32LE(size, 32 + list.length - 4)
  return Buffer.concat([image, signatureOf(image, macho.signature)])
}

const RET = 0xd65f03c0

function segment(
  name: string,
  at: number,
  size: number,
  parts: readonly (Part & { at: number })[],
  protection: number,
): Buffer {
  const own = parts.filter((part) => part.segment === name)
  const sections = own.map((part) =>
    Buffer.concat([
      name16(part.name),
      name16(name),
      le64(BASE + part.at, part.bytes.length),
      le32(part.at, 0, 0, 0, part.flags ?? 0, part.reserved1 ?? 0, part.reserved2 ?? 0, 0),
    ]),
  )
  return Buffer.concat([
    le32(0x19, 72 + 80 * own.length),
    name16(name),
    le64(BASE + at, size, at, size),
    le32(protection, protection, own.length, 0),
    ...sections,
  ])
}

/** A command that ends with a text. */
function text(command: number, value: string, words: readonly number[]): Buffer {
  const body = padded(Buffer.from(`${value}\0`))
  const begin = 12 + 4 * words.length
  return Buffer.concat([le32(command, begin + body.length, begin, ...words), body])
}

/** Symbols, their texts, the indirect table of the stubs and the starts of functions, with their commands. */
function linkEdit(macho: WrittenMacho, stubNames: readonly string[], at: number, codeAt: number) {
  const all = [
    ...(macho.locals ?? []).map((name) => ({ name, type: 0x0e, weak: false })),
    ...(macho.exports ?? []).map((name) => ({ name, type: 0x0f, weak: false })),
    ...(macho.imports ?? []).map((name) => ({ name: name.replace(/^\?/, ''), type: 0x01, weak: name.startsWith('?') })),
  ]
  const before = all.length - stubNames.length
  let stringBytes = Buffer.from(' \0')
  const firstExport = (macho.locals ?? []).length
  const entries = all.map(({ name, type, weak }, at) => {
    const entry = Buffer.alloc(16)
    entry.writeUInt32LE(stringBytes.length, 0)
    entry[4] = type
    entry[5] = type === 0x01 ? 0 : 1
    entry.writeUInt16LE(weak ? 0x40 : 0, 6)
    if (type === 0x0f) entry.writeBigUInt64LE(BigInt(BASE + codeAt + 256 * (at - firstExport)), 8)
    stringBytes = Buffer.concat([stringBytes, Buffer.from(`${name}\0`)])
    return entry
  })
  const symbols = Buffer.concat(entries)
  const indirect = le32(...stubNames.map((_, i) => before + i))
  const starts = padded(Buffer.from([...uleb(codeAt), ...(macho.functions ?? []).slice(1).flatMap(() => uleb(256)), 0]))
  const stringsAt = at + symbols.length
  const indirectAt = stringsAt + padded(stringBytes).length
  const startsAt = indirectAt + padded(indirect).length
  return {
    bytes: Buffer.concat([symbols, padded(stringBytes), padded(indirect), starts]),
    commands: [
      le32(0x02, 24, at, all.length, stringsAt, stringBytes.length),
      le32(0x0b, 80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, indirectAt, stubNames.length, 0, 0, 0, 0),
      le32(0x26, 16, startsAt, starts.length),
    ],
  }
}

function signatureOf(image: Uint8Array, signature: WrittenSignature): Buffer {
  const be32 = (...values: readonly number[]) => le32(...values).swap32()
  const blob = (magic: number, body: Uint8Array) => Buffer.concat([be32(magic, 8 + body.length), body])
  const directories = (signature.hashes ?? ['sha256']).map((hash) => {
    const identifier = Buffer.from(`${signature.identifier ?? 'com.example.app'}\0`)
    const team = Buffer.from(signature.team ? `${signature.team}\0` : '')
    const size = hash === 'sha1' ? 20 : 32
    const pages = Math.ceil(image.length / 4096)
    const head = 88
    const slots = { ...(signature.entitlements && { 5: blob(0xfade7171, signature.entitlements) }), ...signature.slots }
    const last = Math.max(0, ...Object.keys(slots).map(Number))
    const special = Array.from({ length: last }, (_, i) => {
      const content = slots[(last - i) as 5]
      return content ? createHash(hash).update(content).digest() : Buffer.alloc(size)
    })
    const hashesAt = head + identifier.length + team.length + last * size
    const digests = Array.from({ length: pages }, (_, i) =>
      createHash(hash)
        .update(signature.wrongPages ? 'other' : image.subarray(4096 * i, 4096 * (i + 1)))
        .digest(),
    )
    const fields = Buffer.alloc(head - 8)
    const flags = signature.flags ?? 0
    be32(signature.version ?? 0x20400, flags, hashesAt, head, last, pages, image.length).copy(fields)
    fields[28] = size
    fields[29] = hash === 'sha1' ? 1 : 2
    fields[31] = 12
    be32(0, 0, signature.team ? head + identifier.length : 0).copy(fields, 32)
    return blob(0xfade0c02, Buffer.concat([fields, identifier, team, ...special, ...digests]))
  })
  const blobs: [number, Buffer][] = directories.map((bytes, i) => [i ? 0x1000 + i - 1 : 0, bytes])
  if (signature.entitlements) blobs.push([5, blob(0xfade7171, signature.entitlements)])
  const cms = signature.signer ? signatureBlock(signature.signer, directories[0]!, true) : signature.cms
  if (cms) blobs.push([0x10000, blob(0xfade0b01, cms)])
  let at = 12 + 8 * blobs.length
  const index = blobs.map(([type, bytes]) => {
    const entry = be32(type, at)
    at += bytes.length
    return entry
  })
  return Buffer.concat([be32(0xfade0cc0, at, blobs.length), ...index, ...blobs.map(([, bytes]) => bytes)])
}

/** arm64 instructions that tests write. */
export const arm64 = {
  /** movz w, #value */
  set: (register: number, value: number): number => (0x52800000 | (value << 5) | register) >>> 0,
  /** adrp and add of an address. */
  address(register: number, target: number, pc: number): number[] {
    const pages = Math.floor(target / 4096) - Math.floor(pc / 4096)
    const adrp = (0x90000000 | ((pages & 3) << 29) | (((pages >> 2) & 0x7ffff) << 5) | register) >>> 0
    return [adrp, (0x91000000 | ((target % 4096) << 10) | (register << 5) | register) >>> 0]
  },
  /** adrp and ldr of what lies at an address. */
  load(register: number, target: number, pc: number): number[] {
    const [adrp] = arm64.address(register, target, pc)
    return [adrp!, (0xf9400000 | (((target % 4096) / 8) << 10) | (register << 5) | register) >>> 0]
  },
  call: (target: number, pc: number): number => (0x94000000 | (((target - pc) / 4) & 0x3ffffff)) >>> 0,
}
