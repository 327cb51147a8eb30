import { FormatError } from '../bytes/format-error.ts'
import { type BlockPair, writeSigningBlock } from '../signing/write-signing-block.ts'
import { ZipWriter } from '../zip/zip-writer.ts'
import type { Channel } from './channel-list.ts'
import type { PackageTail } from './package-tail.ts'

/** Id of the pair that holds a channel, and the form of its value (JSON with `channel`), as the open readers of channels know them. */
export const CHANNEL_BLOCK = 0x71777777
/** Begin of the name of the file that holds it in a package with v1 alone, which does not protect META-INF. */
const CHANNEL_FILE = 'META-INF/channel_'

type Written = Pick<Channel, 'key' | 'name'>

/**
 * The tail of a package for one channel, in pieces: what is to be written behind the `bodySize` bytes of the package. Signatures hold
 * without being made again: v2 and v3 leave the signing block out of what they protect, v1 leaves META-INF out.
 * Throws FormatError `taken` of format `channel` where META-INF has a channel already.
 */
export function writeChannelTail(tail: PackageTail, channel: Written): Uint8Array[] {
  return tail.place === 'block' ? blockTail(tail, channel) : metaTail(tail, channel)
}

/** Of a package of any channel or none; undefined without one. Throws FormatError `value` where it cannot be read. */
export function channelOf(tail: PackageTail): Written | undefined {
  if (tail.place === 'meta') {
    const [key] = channelFiles(tail.directory)
    return key === undefined ? undefined : { key, name: '' }
  }
  const pair = tail.pairs.find(({ id }) => id === CHANNEL_BLOCK)
  if (!pair) return undefined
  try {
    const value = JSON.parse(Buffer.from(pair.value).toString('utf8')) as { channel?: unknown; name?: unknown } | null
    if (typeof value?.channel === 'string')
      return { key: value.channel, name: typeof value.name === 'string' ? value.name : '' }
  } catch {
    // Not JSON: said below.
  }
  throw new FormatError('channel', 'value', -1, 'the channel in the signing block cannot be read')
}

/**
 * Why a written tail is not that of the package with the channel added; undefined where it is. Both were read from files, so that what is
 * compared is what is on the disk.
 */
export function judgeChannelTail(written: PackageTail, base: PackageTail, channel: Written): string | undefined {
  if (written.place !== base.place) return 'the place of the channel is another'
  const found = channelOf(written)
  if (found?.key !== channel.key) return `channel ${JSON.stringify(found?.key)} is written`
  if (base.place === 'meta')
    return startsWith(written.directory, base.directory) ? undefined : 'the directory is another'
  if (written.bodySize !== base.bodySize) return 'the package is longer or shorter'
  if (Buffer.compare(written.directory, base.directory) !== 0) return 'the directory is another'
  const others = (pairs: readonly BlockPair[]) => pairs.filter(({ id }) => id !== CHANNEL_BLOCK)
  const [before, after] = [others(base.pairs), others(written.pairs)]
  const same = (one: BlockPair, i: number) => one.id === after[i]?.id && Buffer.compare(one.value, after[i].value) === 0
  if (before.length !== after.length || !before.every(same)) return 'a signature in the signing block is another'
  return undefined
}

function blockTail({ bodySize, pairs, directory, endRecord }: PackageTail, { key, name }: Written): Uint8Array[] {
  const value = Buffer.from(JSON.stringify({ channel: key, name }))
  const block = writeSigningBlock([...pairs.filter(({ id }) => id !== CHANNEL_BLOCK), { id: CHANNEL_BLOCK, value }])
  const end = Buffer.from(endRecord)
  end.writeUInt32LE(bodySize + block.length, 16)
  return [block, directory, end]
}

function metaTail(tail: PackageTail, { key, name }: Written): Uint8Array[] {
  const { bodySize, directory, endRecord } = tail
  if (channelFiles(directory).length) throw new FormatError('channel', 'taken', -1, 'the package has a channel already')
  const count = Buffer.from(endRecord).readUInt16LE(10) + 1
  if (count >= 0xffff) throw new FormatError('channel', 'limit', -1, 'the package has no room for one more entry')
  const pieces: Uint8Array[] = []
  const writer = new ZipWriter((bytes) => pieces.push(bytes), { position: bodySize, zip64: false })
  writer.add(`${CHANNEL_FILE}${key}`, Buffer.from(JSON.stringify({ channel: key, name })), { deflate: false })
  const record = writer.directory()
  const end = Buffer.from(endRecord)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(directory.length + record.length, 12)
  end.writeUInt32LE(writer.position, 16)
  return [...pieces, directory, record, end]
}

/** Keys of the files in META-INF that name a channel. */
function channelFiles(directory: Uint8Array): string[] {
  const bytes = Buffer.from(directory.buffer, directory.byteOffset, directory.length)
  const keys: string[] = []
  for (let at = 0; at + 46 <= bytes.length && bytes.readUInt32LE(at) === 0x02014b50; ) {
    const nameLength = bytes.readUInt16LE(at + 28)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    if (name.startsWith(CHANNEL_FILE)) keys.push(name.slice(CHANNEL_FILE.length))
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return keys
}

function startsWith(bytes: Uint8Array, begin: Uint8Array): boolean {
  return Buffer.compare(bytes.subarray(0, begin.length), begin) === 0
}
