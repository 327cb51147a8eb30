/** One promotion channel of an import file. */
export interface Channel {
  /** What the application reads of itself. */
  readonly key: string
  /** For people. */
  readonly name: string
  /** Groups are lines; counted from 1, empty lines not. */
  readonly group: number
  readonly line: number
}

export type ChannelListErrorKey =
  | 'type'
  | 'size'
  | 'empty'
  | 'encoding'
  | 'colon'
  | 'wide-mark'
  | 'key'
  | 'value'
  | 'duplicate'
  | 'comma'

export interface ChannelListError {
  readonly key: ChannelListErrorKey
  /** 0 for the file as a whole. */
  readonly line: number
  /** Which item of the line, from 1. */
  readonly item?: number
  /** The part that is wrong. */
  readonly text: string
}

export interface ChannelList {
  readonly channels: readonly Channel[]
  readonly errors: readonly ChannelListError[]
}

/** An import file is smaller than 10 KB. */
export const CHANNEL_FILE_BYTES = 10 * 1024
const KEY = /^[A-Za-z0-9_-]{1,64}$/
const LONGEST_NAME = 128

/**
 * The channels of an import file [HARD-07]: a .txt file under 10 KB that is not empty, `key:value` items, a group on each line with its
 * items separated by commas. Every wrong item is an error with its line; the others are channels nevertheless. A key is letters,
 * digits, underscores and hyphens, and occurs once in the file.
 */
export function readChannelList(bytes: Uint8Array, fileName: string): ChannelList {
  const whole = (key: ChannelListErrorKey, text = ''): ChannelList => ({
    channels: [],
    errors: [{ key, line: 0, text }],
  })
  if (!/\.txt$/i.test(fileName)) return whole('type', fileName)
  if (bytes.length >= CHANNEL_FILE_BYTES) return whole('size', String(bytes.length))
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return whole('encoding')
  }
  if (!text.trim()) return whole('empty')
  const channels: Channel[] = []
  const errors: ChannelListError[] = []
  const seen = new Set<string>()
  let group = 0
  text.split(/\r\n|\r|\n/).forEach((content, i) => {
    if (!content.trim()) return
    const line = i + 1
    group++
    content.split(',').forEach((item, j) => {
      const read = readItem(item)
      const wrong = typeof read === 'string' ? read : seen.has(read.key) ? 'duplicate' : undefined
      if (wrong) errors.push({ key: wrong, line, item: j + 1, text: item.trim() })
      if (wrong || typeof read === 'string') return
      seen.add(read.key)
      channels.push({ ...read, group, line })
    })
  })
  return { channels, errors }
}

function readItem(item: string): { key: string; name: string } | ChannelListErrorKey {
  if (!item.trim()) return 'comma'
  const colon = item.indexOf(':')
  if (colon < 0) return /[：，]/.test(item) ? 'wide-mark' : 'colon'
  const key = item.slice(0, colon).trim()
  const name = item.slice(colon + 1).trim()
  if (!KEY.test(key)) return 'key'
  // A full-width comma before what looks like the next item; alone it is part of a name.
  if (/，\s*[A-Za-z0-9_-]+\s*[:：]/.test(name)) return 'wide-mark'
  if (!name || name.length > LONGEST_NAME || /\p{Cc}/u.test(name)) return 'value'
  return { key, name }
}

const TEXTS: Readonly<Record<ChannelListErrorKey, string>> = {
  type: 'a .txt file is wanted',
  size: `the file must be smaller than ${CHANNEL_FILE_BYTES / 1024} KB`,
  empty: 'the file has no channels',
  encoding: 'the file is not UTF-8',
  colon: 'no colon: key:value is wanted',
  'wide-mark': 'a full-width colon or comma: : and , are wanted',
  key: 'a key has letters, digits, underscores and hyphens, at most 64',
  value: `the value is empty, longer than ${LONGEST_NAME} characters, or has control characters`,
  duplicate: 'the key occurs before',
  comma: 'a comma too many',
}

/** The error in one line of English, with its place. */
export function channelErrorText({ key, line, item, text }: ChannelListError): string {
  const place = line ? `line ${line}${item === undefined ? '' : `, item ${item}`}: ` : ''
  return `${place}${TEXTS[key]}${text ? ` (${text})` : ''}`
}
