/** A secret with its middle hidden: enough to find it again, too little to use it. */
export function masked(secret: string): string {
  const text = secret.replaceAll(/\s+/g, ' ')
  if (text.length <= 4) return '*'.repeat(text.length)
  const shown = Math.min(4, Math.floor(text.length / 5) + 1)
  return `${text.slice(0, shown)}${'*'.repeat(Math.min(12, text.length - 2 * shown))}${text.slice(-shown)}`
}

/** Shannon entropy in bits a character. */
export function entropy(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

/** The same of bytes: 8 is no order at all. */
export function byteEntropy(bytes: Uint8Array): number {
  const counts = new Uint32Array(256)
  for (let at = 0; at < bytes.length; at++) counts[bytes[at]!]!++
  let bits = 0
  for (const count of counts) if (count) bits -= (count / bytes.length) * Math.log2(count / bytes.length)
  return bits
}
