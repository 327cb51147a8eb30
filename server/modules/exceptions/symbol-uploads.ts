import { ProductError } from '#contracts/errors.ts'
import { SYMBOL_LIMITS } from '#domain/exceptions.ts'

/** Parts of uploads that are not complete yet, in memory: a few at a time, for some minutes. */
type SymbolUploads = {
  /** Adds a part; with the last one, all of them. Throws where it does not follow the one before, or is too much. */
  add(name: string, part: number, last: boolean, bytes: Buffer): Buffer | undefined
}

const AT_ONCE = 4
const PATIENCE_MS = 10 * 60_000

export function symbolUploads(now: () => number): SymbolUploads {
  const pending = new Map<string, { parts: Buffer[]; bytes: number; at: number }>()
  return {
    add(name, part, last, bytes) {
      for (const [other, { at }] of pending) if (now() - at > PATIENCE_MS) pending.delete(other)
      if (part === 0) pending.delete(name)
      const upload = pending.get(name) ?? { parts: [], bytes: 0, at: now() }
      if (upload.parts.length !== part) throw new ProductError('input.invalid', { detail: 'part' })
      if (part === 0 && pending.size >= AT_ONCE)
        throw new ProductError('quota.reached', { detail: `${AT_ONCE} uploads` })
      upload.parts.push(bytes)
      upload.bytes += bytes.length
      upload.at = now()
      if (upload.bytes > SYMBOL_LIMITS.bytes) {
        pending.delete(name)
        throw new ProductError('quota.reached', { detail: `${SYMBOL_LIMITS.bytes / 1024 / 1024} MB` })
      }
      if (!last) {
        pending.set(name, upload)
        return undefined
      }
      pending.delete(name)
      return Buffer.concat(upload.parts)
    },
  }
}
