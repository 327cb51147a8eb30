import { ClassFile } from '../jvm/class-file.ts'
import { instructionSize } from '../jvm/jvm-opcodes.ts'
import type { LogLevel } from './remove-logs.ts'

const LOG = 'Landroid/util/Log;'
const INVOKESTATIC = 0xb8
const [POP, POP2, ICONST_0, NOP] = [0x57, 0x58, 0x03, 0x00]
/** Two or three arguments of one word each, and a number. */
const ARGUMENTS = /^\(((?:I|Ljava\/lang\/(?:String|Throwable);){2,3})\)I$/

/**
 * Removes calls of android.util.Log of some levels from a class file. Their arguments are still computed; the number that a call gives
 * becomes 0. The call takes three bytes and so does what takes its place, so that no offset moves (JVMS 4.7.3, 4.7.4): branches, exception
 * tables, frames and line numbers stay valid. Undefined where it has no such call. Throws FormatError of format `class`.
 */
export function removeClassLogs(
  bytes: Uint8Array,
  levels: ReadonlySet<LogLevel>,
): { readonly bytes: Uint8Array; readonly removed: number } | undefined {
  const file = new ClassFile(bytes)
  let changed: Uint8Array | undefined
  let removed = 0
  for (const method of file.methods) {
    const code = file.codeOf(method)
    if (!code) continue
    const end = code.offset + code.size
    for (let at = code.offset; at + 3 <= end; at += instructionSize(bytes, at, code.offset)) {
      if (bytes[at] !== INVOKESTATIC) continue
      const called = file.referenceAt(file.u16(at + 1))
      if (called?.owner !== LOG || !levels.has(called.name as LogLevel)) continue
      const words = ARGUMENTS.exec(called.descriptor)?.[1]?.match(/I|L[^;]+;/g)?.length
      if (words === undefined) continue
      changed ??= bytes.slice()
      changed.set(words === 2 ? [POP2, ICONST_0, NOP] : [POP, POP2, ICONST_0], at)
      removed++
    }
  }
  return changed && { bytes: changed, removed }
}
