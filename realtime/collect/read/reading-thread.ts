import { isIP } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { ProductError } from '#contracts/errors.ts'
import { log } from '#runtime/log.ts'
import { keyedHash } from './keyed-hash.ts'
import { knownDevices } from './known-devices.ts'
import { openPlaceLookup } from './place-lookup.ts'
import { type BatchBody, type BatchFacts, type ReadBatch, type ReadingTools, readBatch } from './read-batch.ts'

/** Worker thread of batch-readers.ts: reads the bodies it is sent one after the other and keeps only caches of devices. */
export type ReadingThreadData = { pepper: Uint8Array }
/** A large body is in shared memory, a small one is a copy. */
export type ReadingRequest = { body: BatchBody; facts: BatchFacts }
/** The first message is 'ready', then one answer per request in order. `frame`: after the body in its memory, if there is room. */
export type ReadingReply =
  | 'ready'
  | { read: Omit<ReadBatch, 'frame'>; frame: Uint8Array | undefined }
  | { refusal: Pick<ProductError, 'key' | 'params' | 'extra'> }

if (!parentPort) throw new Error('reading-thread is a worker thread')
const port = parentPort
const { pepper } = workerData as ReadingThreadData
const hash = keyedHash(Buffer.from(pepper))
const tools: ReadingTools = {
  hash,
  devices: knownDevices(hash, openPlaceLookup()),
  validAddress: (text) => isIP(text) !== 0,
}

port.on('message', ({ body, facts }: ReadingRequest) => {
  const { buffer: memory, byteOffset, length } = body.bytes
  try {
    const { frame, ...read } = readBatch({ ...body, bytes: Buffer.from(memory, byteOffset, length) }, facts, tools)
    answer({ read, frame: frame && afterBody(memory, length, frame) })
  } catch (error) {
    const { key, params, extra } = error instanceof ProductError ? error : new ProductError('server.internal')
    if (key === 'server.internal') log.error({ err: error }, 'a batch could not be read')
    answer({ refusal: { key, params, extra } })
  }
})
answer('ready')

function answer(reply: ReadingReply): void {
  port.postMessage(reply)
}

/** The frame in the shared memory after the body, or a copy if it does not fit. */
function afterBody(memory: ArrayBufferLike, from: number, frame: Buffer): Uint8Array {
  if (!(memory instanceof SharedArrayBuffer) || from + frame.length > memory.byteLength)
    return Uint8Array.prototype.slice.call(frame)
  const target = new Uint8Array(memory, from, frame.length)
  target.set(frame)
  return target
}
