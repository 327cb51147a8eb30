import { ATTACHMENT_KINDS } from '#contracts/http/service.ts'

const ZIP = ['504b0304', '504b0506']
/** First bytes (hex) of kinds that have them; all others are text. */
const HEADS: Readonly<Record<string, readonly string[]>> = {
  png: ['89504e470d0a1a0a'],
  jpg: ['ffd8ff'],
  jpeg: ['ffd8ff'],
  gif: ['47494638'],
  webp: ['52494646'],
  pdf: ['255044462d'],
  gz: ['1f8b'],
  '7z': ['377abcaf271c'],
  ...Object.fromEntries(['zip', 'docx', 'xlsx', 'apk', 'aab', 'ipa', 'jar', 'aar'].map((kind) => [kind, ZIP])),
}

/** Bytes that isAttachment needs of a file. */
export const HEAD_BYTES = 4096

/** Whether a file of this name may be attached, and begins as its name says. `head`: its first HEAD_BYTES. */
export function isAttachment(name: string, head: Uint8Array): boolean {
  const ending = /\.([A-Za-z0-9]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  if (!(ATTACHMENT_KINDS as readonly string[]).includes(ending)) return false
  const heads = HEADS[ending]
  if (!heads) return !head.includes(0)
  const hex = Buffer.from(head.subarray(0, 16)).toString('hex')
  return heads.some((one) => hex.startsWith(one))
}
