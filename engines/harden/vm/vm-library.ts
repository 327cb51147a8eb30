import type { VmKey } from './vm-image.ts'
import libraries from './vm-libraries.generated.json' with { type: 'json' }

/** ABIs that the interpreter is built for. */
export const VM_ABIS = Object.keys(libraries) as (keyof typeof libraries)[]
export type VmAbi = (typeof VM_ABIS)[number]

const MARK = 'vm-build-here-->'
const KEY = 16
const HANDLERS = 32
const OWNER = 288
const MOST_OWNER = 63

/** The library of one ABI as it was compiled. */
export const compiledLibrary = (abi: VmAbi): Buffer => Buffer.from(libraries[abi], 'base64')

/**
 * The library of a build: key, opcodes and the class of the native methods in their place (`build` in interpreter.c).
 * @param owner descriptor of the class
 */
export function libraryOfBuild(compiled: Uint8Array, key: VmKey, owner: string): Buffer {
  const library = Buffer.from(compiled)
  const at = library.indexOf(MARK)
  const name = Buffer.from(owner.slice(1, -1))
  if (at < 0 || library.indexOf(MARK, at + 1) >= 0) throw new Error('the interpreter has no place for the build')
  if (name.length > MOST_OWNER) throw new Error('the name of the class is too long')
  for (const [i, word] of key.words.entries()) library.writeUInt32LE(word, at + KEY + 4 * i)
  library.set(key.handlers, at + HANDLERS)
  library.fill(0, at + OWNER, at + OWNER + MOST_OWNER + 1)
  library.set(name, at + OWNER)
  // Nothing reads the mark at run time, and it would show where the rest lies.
  library.writeUInt32LE(key.words[3]!, at)
  for (let i = 4; i < MARK.length; i += 4) library.writeUInt32LE(Math.imul(key.words[3]!, i + 1) >>> 0, at + i)
  return library
}
