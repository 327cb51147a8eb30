import { readProgram } from '#engines/dex/read-program.ts'
import { methodsOf } from '#engines/dex-edit/dex-model.ts'
import { liftCode } from '#engines/dex-edit/edit-code.ts'
import { readDexModels } from '#engines/dex-edit/read-dex-model.ts'
import { SeededRandom } from '#engines/harden/seeded-random.ts'
import { hasInitialiser } from '#engines/harden/vm/eligible-methods.ts'
import { translateMethod } from '#engines/harden/vm/translate-method.ts'
import { makeVmKey, shortyOf, VmImage, type VmKey } from '#engines/harden/vm/vm-image.ts'

/** The class of the native methods. */
export const OWNER = 'Lvm/a;'

const STATIC = 0x8

/** All code of a dex file as the interpreter runs it, and its classes as runner.c knows them. */
export interface PrivateCode {
  readonly key: VmKey
  readonly image: Uint8Array
  /** The text of world.h. */
  readonly world: string
  /** Names of the operations that the code has. */
  readonly operations: ReadonlySet<string>
}

/** Translates every method of a dex file, constructors and initialisers too, which a package keeps in dex files. */
export function privateCodeOf(dex: Uint8Array, seed = 1): PrivateCode {
  const program = readProgram([{ entry: 'classes.dex', bytes: dex }])
  const random = new SeededRandom(Buffer.alloc(32, seed))
  const key = makeVmKey(random)
  const image = new VmImage()
  const rows = { classes: [] as string[], methods: [] as string[], fields: [] as string[] }
  const operations = new Set<string>()
  const model = readDexModels(dex)[0]!
  for (const one of model.classes) {
    const descriptor = model.descriptor(one.type)
    const superclass = model.descriptor(one.superclass)
    const place = {
      superclass,
      mayInitialise: (type: string) => type !== descriptor && hasInitialiser(program, type),
    }
    const name = nameOf(descriptor)
    const interfaces = one.interfaces.map((type) => `${nameOf(model.descriptor(type))} `).join('')
    rows.classes.push(row(quoted(name), quoted(nameOf(superclass)), quoted(interfaces), 0, 0, 0, 0, 0))
    for (const field of [...one.staticFields, ...one.instanceFields]) {
      if (field.value) throw new Error(`${name}: values of static fields are not made here`)
      const { name: text, type } = model.fields[field.field]!
      const [fieldName, signature] = [model.strings[text]!, model.descriptor(type)]
      rows.fields.push(row(quoted(name), quoted(fieldName), quoted(signature), field.flags & STATIC ? 1 : 0, 0, 0, 0))
    }
    for (const method of methodsOf(one)) {
      const { name: text, proto } = model.methods[method.method]!
      const shorty = model.strings[model.protos[proto]!.shorty]!
      const isStatic = (method.flags & STATIC) !== 0
      const body = method.code?.is === 'file' ? liftCode(model, method.code) : undefined
      const translated = body && translateMethod(model, body, image, place)
      for (const { operation } of translated?.records ?? []) operations.add(operation)
      const code = translated
        ? image.add({
            registers: body.registers,
            shorty: shortyOf(shorty, isStatic),
            ...translated,
          })
        : -1
      rows.methods.push(
        row(
          ...[quoted(name), quoted(model.strings[text]!), quoted(model.signature(proto)), quoted(shorty)],
          ...[isStatic ? 1 : 0, code, body?.registers ?? 0, 0, 0],
        ),
      )
    }
  }
  const list = (type: string, texts: readonly string[]) =>
    `static ${type} world_${LISTS[type]}[] = {\n${texts.join('\n') || '{0},'}\n};\n`
  const world = `#define OWNER ${quoted(nameOf(OWNER))}
${list('Class', rows.classes)}${list('Method', rows.methods)}${list('Field', rows.fields)}`
  return { key, image: image.encode(key, random), world, operations }
}

const LISTS: Readonly<Record<string, string>> = { Class: 'classes', Method: 'methods', Field: 'fields' }

const nameOf = (descriptor: string) => descriptor.slice(1, -1)
const quoted = (text: string) => JSON.stringify(text)
const row = (...values: readonly (string | number)[]) => `  {${values.join(', ')}},`

/** Classes without their locks, which the interpreter has no handler for; a program of one thread does the same without them. */
export const withoutLocks = (classes: readonly string[]): string[] =>
  classes.map((text) => text.replace(/^(\s*)monitor-(?:enter|exit) .*$/gm, '$1nop'))
