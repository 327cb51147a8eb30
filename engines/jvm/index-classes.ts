import { type LocationTable, LocationTableBuilder } from '../dex/location-table.ts'
import type { ClassCode, ClassFile } from './class-file.ts'
import { InternedNames, InternedReferences } from './interned-names.ts'
import { instructionSize } from './jvm-opcodes.ts'
import { readable } from './readable.ts'

/** A class file and where its bytes begin in the addresses of the part: all files are numbered through. */
export interface LocatedClass {
  readonly entry: string
  readonly file: ClassFile
  readonly base: number
}

export interface LocatedMethod {
  readonly owner: number
  readonly member: ClassFile['methods'][number]
  readonly code: ClassCode | undefined
}

/** What one pass over class files found. */
export interface JvmIndex {
  readonly methods: readonly LocatedMethod[]
  /** First method of each class; one more at the end. */
  readonly methodStarts: readonly number[]
  readonly methodReferences: InternedReferences
  readonly fieldReferences: InternedReferences
  readonly types: InternedNames
  readonly strings: InternedNames
  readonly calls: LocationTable
  readonly fieldLocations: LocationTable
  readonly typeLocations: LocationTable
  readonly stringLocations: LocationTable
}

/**
 * Reads the code of class files once, in order.
 * @param note called for methods whose code cannot be read
 */
export function indexClasses(
  classes: readonly LocatedClass[],
  mostMethods: number,
  note: (key: string, offset: number, detail: string) => void,
): JvmIndex {
  const methodReferences = new InternedReferences()
  const fieldReferences = new InternedReferences()
  const types = new InternedNames()
  const strings = new InternedNames()
  const tables = [
    new LocationTableBuilder(),
    new LocationTableBuilder(),
    new LocationTableBuilder(),
    new LocationTableBuilder(),
  ] as const
  const [calls, fieldLocations, typeLocations, stringLocations] = tables
  const methods: LocatedMethod[] = []
  const methodStarts: number[] = []

  function scan({ file, base }: LocatedClass, code: ClassCode): void {
    const { bytes } = file
    const end = code.offset + code.size
    for (let at = code.offset; at < end; at += instructionSize(bytes, at, code.offset)) {
      const opcode = bytes[at]!
      if (opcode >= 0x12 && opcode <= 0x14) {
        const constant = file.constantAt(opcode === 0x12 ? bytes[at + 1]! : file.u16(at + 1))
        if (constant?.kind === 'string') stringLocations.add(base + at, strings.add(constant.value))
        else if (constant?.kind === 'class') typeLocations.add(base + at, types.add(constant.descriptor))
      } else if (opcode >= 0xb2 && opcode <= 0xb9) {
        const reference = file.referenceAt(file.u16(at + 1))
        if (!reference) note('index', at, `${file.descriptor} names what does not exist`)
        else if (opcode >= 0xb6)
          calls.add(base + at, methodReferences.add(reference.owner, reference.name, reference.descriptor))
        else fieldLocations.add(base + at, fieldReferences.add(reference.owner, reference.name, reference.descriptor))
      } else if (opcode === 0xbb || opcode === 0xc0 || opcode === 0xc1)
        typeLocations.add(base + at, types.add(file.classAt(file.u16(at + 1))))
    }
  }

  classes.forEach((placed, owner) => {
    methodStarts.push(methods.length)
    for (const member of placed.file.methods) {
      if (methods.length >= mostMethods) {
        note('limit', -1, `more than ${mostMethods} methods`)
        return
      }
      const code = readable(() => placed.file.codeOf(member))
      if (code === 'unreadable') note('code', member.attributes.get('Code') ?? -1, `${placed.entry} ${member.name}`)
      const known = code === 'unreadable' ? undefined : code
      methods.push({ owner, member, code: known })
      for (const table of tables) table.nextMethod()
      if (known) scan(placed, known)
    }
  })
  methodStarts.push(methods.length)
  return {
    methods,
    methodStarts,
    methodReferences,
    fieldReferences,
    types,
    strings,
    calls: calls.build(methodReferences.count),
    fieldLocations: fieldLocations.build(fieldReferences.count),
    typeLocations: typeLocations.build(types.count),
    stringLocations: stringLocations.build(strings.count),
  }
}
