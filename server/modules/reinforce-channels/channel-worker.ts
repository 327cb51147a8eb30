import { crc32 } from 'node:zlib'
import { FormatError } from '#engines/bytes/format-error.ts'
import { judgeChannelTail, writeChannelTail } from '#engines/channels/channel-tail.ts'
import { type PackageTail, readPackageTail } from '#engines/channels/package-tail.ts'
import { verifyApk } from '#engines/signing/verify-apk.ts'
import { readInput, say as sayAnything } from '../../platform/sandbox/worker-pipes.ts'
import type { ChannelMessage, ChannelOrder, ChannelsToWrite } from './channel-messages.ts'

/** Writes the tails of one package for a list of channels, judges each of them and three packages as a whole, and ends. */
const argument = process.argv[2] ?? ''
const PART_BYTES = 3 * 2 ** 20
/** So many packages are verified as a whole: the first, the one in the middle, the last. */
const WHOLE = 3
const say = (message: ChannelMessage) => sayAnything(message)

if (argument !== '--probe') run(JSON.parse(argument) as ChannelOrder)

function run({ size, listBytes }: ChannelOrder): void {
  const channels = JSON.parse(readInput(listBytes).toString('utf8')) as ChannelsToWrite
  try {
    write(readInput(size), channels)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    say({ refused: { key: `${error.format} ${error.key}`.slice(0, 60), detail: error.message.slice(0, 2000) } })
  }
}

function write(bytes: Buffer, channels: ChannelsToWrite): void {
  demandVerified(bytes)
  const base = readPackageTail((offset, length) => bytes.subarray(offset, offset + length), bytes.length)
  const body = bytes.subarray(0, base.bodySize)
  const bodySum = crc32(body)
  say({ base: { bodySize: base.bodySize, place: base.place } })
  for (let at = 0; at < base.directory.length; at += PART_BYTES)
    say({ directory: base64([base.directory.subarray(at, at + PART_BYTES)]) })
  let tailMs = 0
  channels.forEach((channel, i) => {
    const began = performance.now()
    const pieces = writeChannelTail(base, channel)
    const tail = Buffer.concat(pieces)
    const reason = judgeChannelTail(tailBehind(base.bodySize, tail), base, channel)
    tailMs += performance.now() - began
    if (reason !== undefined) throw new FormatError('channel', 'judged', -1, `${channel.key}: ${reason}`)
    const whole = isWhole(i, channels.length)
    if (whole) demandVerified(Buffer.concat([body, tail]))
    const at = pieces.indexOf(base.directory)
    const [before, after] = [base64(pieces.slice(0, at)), base64(pieces.slice(at + 1))]
    say({ tail: { before, after, size: base.bodySize + tail.length, crc32: crc32(tail, bodySum), whole } })
  })
  say({ end: { tailMs } })
}

/** A written tail read back. In front of it nothing is needed. */
function tailBehind(bodySize: number, tail: Buffer): PackageTail {
  const read = (offset: number, length: number): Uint8Array => {
    const missing = Math.max(0, bodySize - offset)
    if (missing === 0) return tail.subarray(offset - bodySize, offset - bodySize + length)
    return Buffer.concat([Buffer.alloc(Math.min(missing, length)), tail.subarray(0, Math.max(0, length - missing))])
  }
  return readPackageTail(read, bodySize + tail.length)
}

function demandVerified(bytes: Buffer): void {
  const { verified, errors } = verifyApk(bytes)
  if (!verified) throw new FormatError('channel', 'signature', -1, errors[0]?.message ?? 'not verified')
}

/** Evenly spread, the first and the last among them. */
function isWhole(index: number, count: number): boolean {
  if (count <= WHOLE) return true
  return Array.from({ length: WHOLE }, (_, i) => Math.round((i * (count - 1)) / (WHOLE - 1))).includes(index)
}

function base64(pieces: readonly Uint8Array[]): string {
  return Buffer.concat(pieces).toString('base64')
}
