import { OPCODE_NAMES } from '#engines/dex/opcodes.ts'
import type { CodeBody, Instruction } from '#engines/dex-edit/code-body.ts'
import type {
  AnnotationSet,
  ClassDefinition,
  DexAnnotation,
  DexModel,
  DexValue,
  MethodDefinition,
} from '#engines/dex-edit/dex-model.ts'
import { liftCode } from '#engines/dex-edit/edit-code.ts'
import { INSTRUCTION_ROWS, ROW } from '#engines/dex-edit/instruction-rows.ts'

/** All that a dex file says, with names in place of numbers: equal texts are equal content, however tables are sorted and parts lie. */
export const dexText = (model: DexModel): string => model.classes.map((one) => classText(model, one)).join('\n')

export function classText(model: DexModel, one: ClassDefinition): string {
  const text = (row: number) => (row < 0 ? '-' : JSON.stringify(model.strings[row]))
  const type = (row: number) => (row < 0 ? '-' : model.descriptor(row))
  const fields = (kind: string, list: ClassDefinition['staticFields']) =>
    list.map(
      ({ field, flags, annotations, value, hidden }) =>
        `${kind} ${flags} ${model.fieldReference(field)} = ${value ? valueText(model, value) : '-'} ${setText(model, annotations)} ${hidden ?? ''}`,
    )
  const methods = (kind: string, list: readonly MethodDefinition[]) =>
    list.map((item) => `${kind} ${methodText(model, item)}`)
  return [
    `class ${type(one.type)} ${one.flags} ${type(one.superclass)} ${one.interfaces.map(type)} ${text(one.sourceFile)}`,
    setText(model, one.annotations),
    ...fields('static', one.staticFields),
    ...fields('instance', one.instanceFields),
    ...methods('direct', one.directMethods),
    ...methods('virtual', one.virtualMethods),
  ].join('\n')
}

function methodText(
  model: DexModel,
  { method, flags, code, annotations, parameterAnnotations, hidden }: MethodDefinition,
) {
  const body = code?.is === 'file' ? liftCode(model, code) : (code as CodeBody | undefined)
  return [
    `${flags} ${model.methodReference(method)} ${setText(model, annotations)} ${(parameterAnnotations ?? []).map((set) => setText(model, set))} ${hidden ?? ''}`,
    ...(body ? codeText(model, body) : ['no code']),
  ].join('\n')
}

/** Jumps are shown by the number of the instruction that they lead to, so that wider forms of an instruction make no difference. */
function codeText(model: DexModel, { registers, ins, outs, instructions, tries, debug }: CodeBody): string[] {
  const numbers = new Map(instructions.map((one, i) => [one, i]))
  const to = (one: Instruction | undefined) => (one ? numbers.get(one) : '-')
  const name = (opcode: number) => (OPCODE_NAMES[opcode] ?? 'end').replace(/^goto.*/, 'goto').replace('/jumbo', '')
  const lines = instructions.map((one, i) => {
    const { opcode, units, table, target } = one
    if (table?.is === 'array') return `${i} array ${units.subarray(1)}`
    if (table) return `${i} ${table.is} ${table.keys.map((key, k) => `${key}:${to(table.targets[k])}`)}`
    const plain =
      target || /^goto/.test(name(opcode)) ? [units[0]! & (opcode === 0x28 ? 0 : 0xff00)] : operandUnits(one)
    return `${i} ${name(opcode)} ${plain} ${rowText(model, one)} ${to(target)}`
  })
  return [
    `registers ${registers} ins ${ins} outs ${outs}`,
    ...lines,
    ...tries.map(
      ({ from, to: end, handlers, catchAll }) =>
        `try ${to(from)} ${to(end)} ${handlers.map((one) => `${model.descriptor(one.type)}:${to(one.target)}`)} ${to(catchAll)}`,
    ),
    ...(debug
      ? [
          `debug ${debug.lineStart} ${debug.parameterNames.map((row) => (row < 0 ? '-' : model.strings[row]))}`,
          ...debug.events.map(
            ({ at, code, line, register, name: row, type, signature }) =>
              `${to(at)} ${code} ${code === 10 ? line : ''} ${register} ${[row, signature].map((one) => model.strings[one] ?? '-')} ${type < 0 ? '-' : model.descriptor(type)}`,
          ),
        ]
      : []),
  ]
}

/** Units of an instruction without those that hold a row. */
function operandUnits({ opcode, units }: Instruction): number[] {
  const kind = INSTRUCTION_ROWS[opcode]
  if (!kind) return [...units]
  if (kind === ROW.string || kind === ROW.jumbo) return [units[0]! & 0xff00]
  return [...units].filter((_, i) => i !== 1 && !(kind === ROW.polymorphic && i === 3))
}

function rowText(model: DexModel, { opcode, row, proto }: Instruction): string {
  switch (INSTRUCTION_ROWS[opcode]) {
    case ROW.string:
    case ROW.jumbo:
      return JSON.stringify(model.strings[row])
    case ROW.type:
      return model.descriptor(row)
    case ROW.field:
      return model.fieldReference(row)
    case ROW.method:
      return model.methodReference(row)
    case ROW.polymorphic:
      return `${model.methodReference(row)} ${model.signature(proto)}`
    case ROW.callSite:
      return model.callSites[row]!.map((value) => valueText(model, value)).join()
    case ROW.handle:
      return handleText(model, row)
    case ROW.proto:
      return model.signature(row)
    default:
      return ''
  }
}

function handleText(model: DexModel, row: number): string {
  const { kind, member } = model.handles[row]!
  return `${kind} ${kind <= 3 ? model.fieldReference(member) : model.methodReference(member)}`
}

const setText = (model: DexModel, set: AnnotationSet | undefined): string =>
  set ? `{${set.map((one) => `${one.visibility} ${annotationText(model, one)}`).join(' ')}}` : ''

const annotationText = (model: DexModel, { type, elements }: DexAnnotation): string =>
  `@${model.descriptor(type)}(${elements.map(({ name, value }) => `${model.strings[name]}=${valueText(model, value)}`)})`

function valueText(model: DexModel, value: DexValue): string {
  switch (value.is) {
    case 'number':
      // Spread: a Buffer, which a package read from a file gives, would print its bytes as text.
      return `${value.type}:${[...value.bytes]}`
    case 'array':
      return `[${value.values.map((one) => valueText(model, one))}]`
    case 'annotation':
      return annotationText(model, value.annotation)
    case 'null':
      return 'null'
    case 'boolean':
      return String(value.value)
    default: {
      const { type, row } = value
      if (type === 0x17) return JSON.stringify(model.strings[row])
      if (type === 0x18) return model.descriptor(row)
      if (type === 0x19 || type === 0x1b) return model.fieldReference(row)
      if (type === 0x1a) return model.methodReference(row)
      return type === 0x15 ? model.signature(row) : handleText(model, row)
    }
  }
}
