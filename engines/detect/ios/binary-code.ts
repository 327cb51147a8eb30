import type { IpaBinary } from '../../ipa/ipa-facts.ts'
import { type ImageBytes, imageBytes } from '../../macho/addresses.ts'
import { arm64Calls, type NativeCall } from '../../macho/arm64-calls.ts'
import type { MachoImage } from '../../macho/macho-facts.ts'
import { constantString, type MachoString, machoStrings } from '../../macho/macho-strings.ts'
import { type ObjcFacts, type ObjcMethod, readObjc } from '../../macho/objc.ts'
import type { Owner } from '../input/inspected-package.ts'

/** One executable of the application as rules ask about it; of several images the one that current devices run. */
export interface BinaryCode {
  readonly entry: string
  readonly binary: IpaBinary
  readonly image: MachoImage
  readonly owner: Owner
  /** Whether arm64 code can be followed, so that arguments of calls are known. */
  readonly followed: boolean
  readonly objc: ObjcFacts
  readonly strings: readonly MachoString[]
  /** Imported symbols without the leading underscore. */
  readonly imports: ReadonlyMap<string, { readonly weak: boolean; readonly offset: number }>
  /** Classes that are defined or referenced. */
  readonly classes: ReadonlySet<string>
  /** Calls of a symbol (without its underscore) or selector that rules look at. */
  callsTo(callee: string): readonly NativeCall[]
  /** All such calls of the function that begins at an address. */
  callsIn(address: number): readonly NativeCall[]
  /** The method that a call is in. */
  methodOf(call: NativeCall): ObjcMethod | undefined
  /** Name of the function that a call is in, without its underscore; undefined where the symbols are stripped. */
  functionOf(call: NativeCall): string | undefined
  /** The NSString or C string that an argument points at; undefined for others. */
  textOf(argument: number | undefined): string | undefined
  /** Whether its code makes system calls of its own, past the library. */
  readonly systemCalls: boolean
  /** The word of code at an address, 0 outside. */
  wordAt(address: number): number
}

/** svc #0x80 */
const SYSTEM_CALL = 0xd4001001
const CLASS = 'OBJC_CLASS_$_'

/** Reads what rules need of a binary. Of an encrypted one names and imports are there, texts and code are not. */
export function readBinaryCode(
  bytes: Uint8Array,
  binary: IpaBinary,
  owner: Owner,
  wanted: ReadonlySet<string>,
): BinaryCode {
  const image = binary.macho.images.find(({ cpu }) => cpu.startsWith('arm64')) ?? binary.macho.images[0]!
  const view = imageBytes(bytes, image)
  const objc = readObjc(view)
  const imports = new Map(
    image.symbols.imports.map(({ name, weak, offset }) => [name.replace(/^_/, ''), { weak, offset }] as const),
  )
  const classes = new Set(objc.classes.map(({ name }) => name))
  for (const name of imports.keys()) if (name.startsWith(CLASS)) classes.add(name.slice(CLASS.length))
  const calls = indexCalls(view, wanted)
  const methods = new Map(objc.methods.map((method) => [method.code, method] as const))
  return {
    entry: binary.entry,
    binary,
    image,
    owner,
    followed: image.cpu.startsWith('arm64') && !binary.encrypted,
    objc,
    strings: [...machoStrings(view)],
    imports,
    classes,
    callsTo: (callee) => calls.byCallee.get(callee) ?? [],
    callsIn: (address) => (address ? (calls.byFunction.get(address) ?? []) : []),
    methodOf: (call) => methods.get(call.function),
    functionOf: (call) => image.symbols.defined.get(call.function)?.replace(/^_/, ''),
    textOf: (argument) => (argument === undefined ? undefined : textAt(view, argument)),
    systemCalls: holdsSystemCall(view),
    wordAt: (address) => view.u32(view.offsetOf(address)),
  }
}

function indexCalls(view: ImageBytes, wanted: ReadonlySet<string>) {
  const byCallee = new Map<string, NativeCall[]>()
  const byFunction = new Map<number, NativeCall[]>()
  const name = (callee: string) => callee.replace(/^_/, '')
  for (const found of arm64Calls(view, (callee) => wanted.has(name(callee)))) {
    const call = { ...found, callee: name(found.callee) }
    push(byCallee, call.callee, call)
    push(byFunction, call.function, call)
  }
  return { byCallee, byFunction }
}

function push<K>(map: Map<K, NativeCall[]>, key: K, call: NativeCall): void {
  const list = map.get(key)
  if (list) list.push(call)
  else map.set(key, [call])
}

/** Only what lies in sections of constants: an address elsewhere is no text. */
function textAt(view: ImageBytes, address: number): string | undefined {
  const constant = constantString(view, address)
  if (constant !== undefined) return constant
  const holder = view.image.sections.find(
    ({ name, address: begin, size }) => name === '__cstring' && address >= begin && address < begin + size,
  )
  return holder && !view.isEncrypted(holder.offset) ? view.textAt(address) : undefined
}

function holdsSystemCall(view: ImageBytes): boolean {
  if (!view.image.cpu.startsWith('arm64')) return false
  return view.sections('__text').some((section) => {
    const bytes = view.sectionBytes(section)
    const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (view.isEncrypted(section.offset)) return false
    for (let at = 0; at + 4 <= words.byteLength; at += 4) if (words.getUint32(at, true) === SYSTEM_CALL) return true
    return false
  })
}
