import type { Package } from '../package/package.ts'
import type { NativeCode } from './rules/rule-context.ts'

/** Native libraries of a package as rules ask about them. */
export function readNatives(source: Package): readonly NativeCode[] {
  const seen = new Set<string>()
  return source.native.map((file) => {
    const repeated = seen.has(file.name)
    seen.add(file.name)
    return { entry: file.entry, name: file.name, abi: file.abi, size: file.size, elf: null, repeated, text: null }
  })
}
