import { Readable } from 'node:stream'
import { ProductError } from '#contracts/errors.ts'
import { CHANNEL_REFUSALS, type ChannelPlace, type ChannelRefusal } from '#contracts/http/reinforce-channels.ts'
import { log } from '#runtime/log.ts'
import { boundedProgram, findIsolation, type Isolation, type SandboxLimits } from '../../platform/sandbox/isolation.ts'
import { runSandboxed } from '../../platform/sandbox/run-sandboxed.ts'
import {
  type ChannelMessage,
  ChannelMessageSchema,
  type ChannelOrder,
  type ChannelsToWrite,
} from './channel-messages.ts'

/** Many times what a package of 200 MB and 2,000 channels need. */
const LIMITS: SandboxLimits = { memoryMb: 4096, cpuSeconds: 120, wallSeconds: 300, openFiles: 256 }
/** Of what it says: a tail takes 8 KiB or so, and all that is said stays in memory until it is sent. */
const ANSWER_BYTES = 96 * 2 ** 20

/** What is behind the body of the package of one channel. */
export type WrittenTail = {
  before: Uint8Array
  after: Uint8Array
  /** Of the whole package. */
  size: number
  crc32: number
  /** The package was verified as a whole, not its tail alone. */
  whole: boolean
}

/** Tails for all channels of a question, in its order; they share the directory. Every tail was read back and judged. */
export type WrittenTails = {
  place: ChannelPlace
  bodySize: number
  directory: Uint8Array
  tails: readonly WrittenTail[]
  tailMs: number
}

export type ChannelQuestion = {
  channels: ChannelsToWrite
  file: { size: number; stream(): Readable }
  /** The data of the installation, which a worker does not see. */
  hidden: string
  signal: AbortSignal
}

let isolation: Promise<Isolation> | undefined

/**
 * Tails of a package for channels, written and judged in a process of its own without network. Throws channel.package with the reason where
 * none can be written, and the reason of `signal` where that was aborted.
 */
export async function askChannelWorker({ channels, file, hidden, signal }: ChannelQuestion): Promise<WrittenTails> {
  const program = boundedProgram(LIMITS, 'channel-worker')
  isolation ??= findIsolation(program, LIMITS, { hidden })
  const list = Buffer.from(JSON.stringify(channels))
  const said: ChannelMessage[] = []
  let isBroken = false
  const end = await runSandboxed({
    ...{ program, isolation: await isolation, limits: LIMITS, outputBytes: ANSWER_BYTES, signal },
    order: { size: file.size, listBytes: list.length } satisfies ChannelOrder,
    input: Readable.from(inOrder(list, file), { objectMode: false }),
    onLine(line) {
      const message = isBroken ? undefined : readMessage(line)
      if (message) said.push(message)
      else isBroken = true
    },
  })
  signal.throwIfAborted()
  for (const message of said) if ('refused' in message) throw refusal(message.refused)
  if (end.ended === 'limit') throw refusal({ key: 'limit', detail: end.limit })
  if (end.ended === 'crashed') log.error({ detail: end.detail }, 'a channel worker crashed')
  const tails = isBroken || end.ended !== 'done' ? undefined : assemble(said, channels.length)
  if (!tails) throw refusal({ key: 'crashed', detail: '' })
  return tails
}

async function* inOrder(list: Buffer, file: ChannelQuestion['file']): AsyncGenerator<Uint8Array> {
  yield list
  yield* file.stream() as AsyncIterable<Uint8Array>
}

function readMessage(line: string): ChannelMessage | undefined {
  try {
    return ChannelMessageSchema.parse(JSON.parse(line))
  } catch (error) {
    log.error({ err: error }, 'a channel worker sent an invalid message')
    return undefined
  }
}

function assemble(said: readonly ChannelMessage[], count: number): WrittenTails | undefined {
  const bytes = (text: string) => Buffer.from(text, 'base64')
  const base = said.flatMap((one) => ('base' in one ? one.base : []))[0]
  const end = said.flatMap((one) => ('end' in one ? one.end : []))[0]
  const directory = Buffer.concat(said.flatMap((one) => ('directory' in one ? bytes(one.directory) : [])))
  const tails = said.flatMap((one) =>
    'tail' in one ? { ...one.tail, before: bytes(one.tail.before), after: bytes(one.tail.after) } : [],
  )
  if (!base || !end || tails.length !== count) return undefined
  // A size that is said and not sent would break the length of the answer.
  const isSized = tails.every(
    ({ before, after, size }) => size === base.bodySize + before.length + directory.length + after.length,
  )
  return isSized ? { ...base, directory, tails, tailMs: end.tailMs } : undefined
}

/** By keys of FormatError: those of archives and of the signing block mean that the structure is odd. */
const REFUSAL_KEYS: Record<string, ChannelRefusal> = {
  'channel signature': 'signature',
  'channel taken': 'taken',
  'channel judged': 'judged',
  limit: 'limit',
  crashed: 'crashed',
}

function refusal({ key, detail }: { key: string; detail: string }): ProductError {
  log.warn({ key, detail }, 'no channels could be written into a package')
  return new ProductError('channel.package', { detail: CHANNEL_REFUSALS[REFUSAL_KEYS[key] ?? 'archive'] })
}
