import { z } from 'zod'

/** What a channel worker is asked: `listBytes` of ChannelsToWrite as JSON, then the package of `size` bytes, come by its standard input. */
export type ChannelOrder = { size: number; listBytes: number }
export type ChannelsToWrite = readonly { key: string; name: string }[]

const count = z.int().min(0)
const bytes = z.string()

/** What it says, one line of JSON a message. Hostile bytes have a say in it, so it is checked. */
export const ChannelMessageSchema = z.union([
  z.strictObject({ refused: z.strictObject({ key: z.string().max(60), detail: z.string().max(2000) }) }),
  /** Of the package: bytes before its tail, and where channels are written. */
  z.strictObject({ base: z.strictObject({ bodySize: count, place: z.enum(['block', 'meta']) }) }),
  /** The central directory, piece by piece: every tail has it. */
  z.strictObject({ directory: bytes }),
  /** The tail of one channel, in the order of the list: what is before and behind the directory, and the checksum of the whole package. */
  z.strictObject({
    tail: z.strictObject({ before: bytes, after: bytes, size: count, crc32: count, whole: z.boolean() }),
  }),
  z.strictObject({ end: z.strictObject({ tailMs: z.number().min(0) }) }),
])
export type ChannelMessage = z.infer<typeof ChannelMessageSchema>
