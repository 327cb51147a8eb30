import type { ClassCode, ClassFile } from './class-file.ts'
import { instructionSize, JVM_NAMES, jumpTargets } from './jvm-opcodes.ts'

const LONGEST_TEXT = 200

/** Instructions around `at` as text, at most `lines`, the one at `at` in the middle. */
export function listJvm(file: ClassFile, code: ClassCode, at: number, lines: number): string[] {
  const starts: number[] = []
  let chosen = 0
  const end = code.offset + code.size
  for (let next = code.offset; next < end; next += instructionSize(file.bytes, next, code.offset)) {
    if (next <= at) chosen = starts.length
    starts.push(next)
  }
  const first = Math.max(0, chosen - Math.floor((lines - 1) / 2))
  return starts.slice(first, first + lines).map((start) => `${start - code.offset}: ${textAt(file, code, start)}`)
}

function textAt(file: ClassFile, code: ClassCode, at: number): string {
  const { bytes } = file
  const opcode = bytes[at]!
  const name = JVM_NAMES[opcode] ?? 'unused'
  const operands = operandsAt(file, code, at, opcode)
  return operands === '' ? name : `${name} ${operands}`
}

function operandsAt(file: ClassFile, code: ClassCode, at: number, opcode: number): string {
  const { bytes } = file
  if (opcode >= 0x12 && opcode <= 0x14) {
    const constant = file.constantAt(opcode === 0x12 ? bytes[at + 1]! : file.u16(at + 1))
    if (constant?.kind === 'class') return constant.descriptor
    if (constant?.kind === 'number') return String(constant.value)
    const text = constant?.value ?? ''
    return JSON.stringify(text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text)
  }
  if (opcode >= 0xb2 && opcode <= 0xb9) {
    const reference = file.referenceAt(file.u16(at + 1))
    if (!reference) return ''
    return `${reference.owner}->${reference.name}${opcode < 0xb6 ? ':' : ''}${reference.descriptor}`
  }
  if (opcode === 0xba) return file.dynamicDescriptor(file.u16(at + 1))
  if (opcode === 0xbb || opcode === 0xbd || opcode === 0xc0 || opcode === 0xc1) return file.classAt(file.u16(at + 1))
  if (opcode === 0x10) return String((bytes[at + 1]! << 24) >> 24)
  if (opcode === 0x11) return String((file.u16(at + 1) << 16) >> 16)
  if ((opcode >= 0x15 && opcode <= 0x19) || (opcode >= 0x36 && opcode <= 0x3a)) return String(bytes[at + 1])
  return jumpTargets(bytes, at, code.offset)
    .slice(0, 10)
    .map((target) => target - code.offset)
    .join(', ')
}
