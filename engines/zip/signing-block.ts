import { ByteReader } from '../bytes/byte-reader.ts'
import type { SigningBlock, SigningBlockPair } from './zip-facts.ts'

const MAGIC = 'APK Sig Block 42'
/** Size field, magic. */
const FOOTER = 8 + MAGIC.length

/** The APK Signing Block that ends at `directoryOffset`, undefined where its magic is absent. Broken pairs end the list. */
export function readSigningBlock(bytes: Uint8Array, directoryOffset: number): SigningBlock | undefined {
  const footer = directoryOffset - FOOTER
  if (footer < 8) return undefined
  for (let i = 0; i < MAGIC.length; i++) if (bytes[footer + 8 + i] !== MAGIC.charCodeAt(i)) return undefined
  const reader = new ByteReader(bytes.subarray(0, directoryOffset), 'zip', { position: footer })
  const length = reader.u64()
  if (length < BigInt(FOOTER) || length > BigInt(directoryOffset - 8))
    return { offset: footer, size: FOOTER, pairs: [], malformed: `size ${length} does not fit` }
  const offset = directoryOffset - 8 - Number(length)
  const block = { offset, size: Number(length) + 8 }
  if (reader.seek(offset).u64() !== length) return { ...block, pairs: [], malformed: 'the two sizes differ' }
  const pairs: SigningBlockPair[] = []
  while (reader.position < footer) {
    const left = footer - reader.position
    const pairLength = left >= 12 ? reader.u64() : 0n
    if (pairLength < 4n || pairLength > BigInt(left - 8))
      return { ...block, pairs, malformed: `pair ${pairs.length + 1} has no sound size` }
    const id = reader.u32()
    const at = reader.position
    pairs.push({ id, offset: at, value: reader.slice(Number(pairLength) - 4) })
  }
  return { ...block, pairs }
}
