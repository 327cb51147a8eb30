import type { Program } from '#engines/dex/program.ts'
import { readProgram } from '#engines/dex/read-program.ts'
import { type WrittenDexClass, type WrittenDexMethod, writeDex } from './dex-writer.ts'

export const CIPHER = 'Ljavax/crypto/Cipher;->getInstance(Ljava/lang/String;)Ljavax/crypto/Cipher;'
export const STATIC = 9

/** The program of dex files with these classes, one file a list. */
export const programOf = (...files: readonly WrittenDexClass[][]): Program =>
  readProgram(files.map((classes, i) => ({ entry: `classes${i || ''}.dex`, bytes: writeDex(classes) })))

/** A static method `run()V` of La/Main; with this code. */
export const withCode = (code: WrittenDexMethod['code'], more: Partial<WrittenDexMethod> = {}): Program =>
  programOf([{ name: 'La/Main;', methods: [{ name: 'run()V', flags: STATIC, ...(code && { code }), ...more }] }])

export const invokeStatic = (method: number, ...registers: number[]): number[] => [
  0x71 | (registers.length << 12),
  method,
  registers.reduce((word, register, i) => word | (register << (4 * i)), 0),
]
export const invokeVirtual = (method: number, ...registers: number[]): number[] => {
  const [head, ...rest] = invokeStatic(method, ...registers)
  return [(head! & ~0xff) | 0x6e, ...rest]
}
export const constString = (register: number, text: number): number[] => [0x1a | (register << 8), text]
