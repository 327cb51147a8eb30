const ARM = 12
const ARM64 = 0x0100000c
const ARM64_32 = 0x0200000c
const X86 = 7
const X86_64 = 0x01000007
const ARM_KINDS: Readonly<Record<number, string>> = { 6: 'armv6', 9: 'armv7', 10: 'armv7f', 11: 'armv7s', 12: 'armv7k' }

/** Name of a processor type. */
export function cpuName(type: number, subtype: number): string {
  const kind = subtype & 0xffffff
  if (type === ARM64) return kind === 2 ? 'arm64e' : 'arm64'
  if (type === ARM64_32) return 'arm64_32'
  if (type === ARM) return ARM_KINDS[kind] ?? 'arm'
  if (type === X86) return 'i386'
  if (type === X86_64) return 'x86_64'
  return `cpu ${type}.${kind}`
}
