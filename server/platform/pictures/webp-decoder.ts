import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import type { DecodeWebp, WebpPicture } from '#engines/icon/webp.ts'
import { startThread } from '../../programs.ts'

/** `answered` becomes 1 once the answer to the last picture is on the port. */
export type WebpThreadData = { port: MessagePort; answered: Int32Array }

type Thread = { port: MessagePort; answered: Int32Array; end(): void }

/** The thread's own limit is 10 s; beginning takes less than one. */
const PATIENCE_MS = 20_000
/** By itself a thread sets 512 MB of the address space aside for compiled code, of which the sandbox has 4 GB. */
const CODE_MB = 16
/** After so many that did not answer, no other is begun. */
const MOST_LOST = 3
let thread: Thread | undefined
let lost = 0

/**
 * Decodes a still WebP picture, lossy or lossless; null for other data, an animation, a broken picture or one of more than 24 million
 * pixels. The decoder (libwebp in sharp) answers later, while a scan is one straight run: it works in a thread, and this one waits for it.
 * It shares the memory of this process, so decode untrusted pictures in the sandbox only.
 */
export const decodeWebp: DecodeWebp = (bytes) => {
  if (lost >= MOST_LOST) return null
  thread ??= begin()
  const { port, answered } = thread
  Atomics.store(answered, 0, 0)
  port.postMessage(bytes)
  if (Atomics.wait(answered, 0, 0, PATIENCE_MS) === 'timed-out') {
    thread.end()
    thread = undefined
    lost++
    return null
  }
  return (receiveMessageOnPort(port)?.message ?? null) as WebpPicture | null
}

/** Begun with the first picture: most packages are read without one. */
function begin(): Thread {
  const { port1, port2 } = new MessageChannel()
  const answered = new Int32Array(new SharedArrayBuffer(4))
  const data: WebpThreadData = { port: port2, answered }
  const worker = startThread('webp-thread', data, {
    transferList: [port2],
    resourceLimits: { codeRangeSizeMb: CODE_MB },
  })
  worker.on('error', () => {}) // the waiting call runs into PATIENCE_MS
  worker.unref()
  port1.unref()
  return { port: port1, answered, end: () => void worker.terminate() }
}
