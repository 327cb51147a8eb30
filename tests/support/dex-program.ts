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

/** A small dex file with something of each kind that its reader meets: what fuzzers begin from. */
export const SMALL_DEX = writeDex([
  {
    name: 'La/Main;',
    interfaces: ['La/I;'],
    annotations: ['La/Mark;'],
    staticFields: [{ name: 'KEY:Ljava/lang/String;', value: 'x' }],
    methods: [
      {
        name: 'run(I)Ljava/lang/String;',
        registers: 6,
        ins: 2,
        lines: [[0, 3]],
        tries: [[0, 4, 2]],
        code: (x) => [
          ...constString(0, x.string('text')),
          0x2b,
          6,
          0,
          ...invokeStatic(x.method(CIPHER), 0),
          0x11,
          0x0100,
          1,
          0,
          0,
          3,
          0,
        ],
      },
    ],
  },
])
