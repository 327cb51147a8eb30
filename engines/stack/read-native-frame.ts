import type { Frame } from './stack.ts'

const TOMBSTONE = /^#\d{1,4}\s+pc\s+(?:0x)?([0-9a-fA-F]{1,16})\s+(\S+)(.*)$/
const APPLE = /^\d{1,4}\s+(\S.{0,80}?)\s+(0x[0-9a-fA-F]{1,16})\s+(\S.*)$/
const OFFSET = /\s?\+\s?(\d{1,12}|0x[0-9a-fA-F]{1,16})$/

/** A line of an Android tombstone (`#03 pc 0001f2c /data/app/…/libpay.so (sign+120)`) or of an iOS report (`3 Wallet 0x1… main + 64`). */
export function readNativeFrame(text: string): Frame | undefined {
  const line = text.startsWith('native: ') ? text.slice(8) : text
  return readTombstone(line, text) ?? readApple(line, text)
}

function readTombstone(line: string, raw: string): Frame | undefined {
  const match = TOMBSTONE.exec(line)
  if (!match) return undefined
  const [, pc, path, rest] = match as unknown as [string, string, string, string]
  return frame(raw, path, functionOf(rest), pc)
}

/** The text of the first pair of brackets that is not an offset or a build id; functions have brackets of their own. */
function functionOf(rest: string): string {
  const from = rest.indexOf('(')
  if (from < 0) return ''
  const build = rest.lastIndexOf(' (BuildId:')
  const text = rest.slice(from + 1, build > from ? build : undefined).trimEnd()
  if (build === from - 1 || text.startsWith('BuildId:') || text.startsWith('offset ')) return ''
  return withoutOffset(text.endsWith(')') ? text.slice(0, -1) : text)
}

function readApple(line: string, raw: string): Frame | undefined {
  const match = APPLE.exec(line)
  if (!match) return undefined
  const [, binary, address, symbol] = match as unknown as [string, string, string, string]
  // Without symbols: base of the binary and the offset in it.
  const bare = /^(?:0x[0-9a-fA-F]{1,16}|\S{1,80}) \+ (\d{1,12})$/.exec(symbol)
  const unnamed = bare && (symbol.startsWith('0x') || symbol.startsWith(`${binary} `))
  if (unnamed) return frame(raw, binary, '', Number(bare[1]).toString(16))
  const position = /^(.*) \(([^()\s]{1,120}):(\d{1,9})\)$/.exec(symbol)
  const found = frame(raw, binary, withoutOffset(position ? (position[1] as string) : symbol), address.slice(2))
  return position ? { ...found, file: position[2] as string, line: Number(position[3]) } : found
}

function withoutOffset(text: string): string {
  return text.replace(OFFSET, '').trim()
}

function frame(raw: string, module: string, name: string, address: string): Frame {
  const shortAddress = name === '' ? address.toLowerCase().replace(/^0+(?=.)/, '') : ''
  return { raw, language: 'native', module, name, file: '', line: 0, column: 0, address: shortAddress }
}
