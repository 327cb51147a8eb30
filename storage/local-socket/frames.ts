import type { Socket } from 'node:net'
import { deserialize, serialize } from 'node:v8'
import { type ErrorKey, type ErrorParams, ProductError } from '#contracts/errors.ts'

/**
 * What crosses a local socket: length (u32, little endian), then one v8-serialised Frame. `call` is answered by `answer` or `error`;
 * `open` begins a stream of `item`s that ends with `end` or `error`; the client allows further items with `more` and ends early
 * with `cancel`; `notice` comes from the server unasked.
 */
export type Frame =
  | { kind: 'call'; id: number; method: string; args: unknown[] }
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'error'; id: number; error: SerializedError }
  | { kind: 'open'; id: number; method: string; args: unknown[] }
  | { kind: 'item'; id: number; value: unknown }
  | { kind: 'end'; id: number }
  | { kind: 'more'; id: number }
  | { kind: 'cancel'; id: number }
  | { kind: 'notice'; topic: string; value: unknown }

type SerializedError = {
  key?: ErrorKey
  params?: ErrorParams
  extra?: Record<string, unknown>
  message: string
  code?: string
}

/** A frame is at most this long; a longer length means that the other side speaks something else. */
const MAX_FRAME = 512 * 1024 * 1024

export function sendFrame(socket: Socket, frame: Frame): void {
  const body = serialize(frame)
  const head = Buffer.allocUnsafe(4)
  head.writeUInt32LE(body.length, 0)
  socket.cork()
  socket.write(head)
  socket.write(body)
  socket.uncork()
}

/** Calls `take` with each frame the socket brings; destroys the socket on bytes that are none. */
export function readFrames(socket: Socket, take: (frame: Frame) => void): void {
  let parts: Buffer[] = []
  let held = 0
  let want = 4
  let inBody = false
  socket.on('data', (data: Buffer) => {
    parts.push(data)
    held += data.length
    while (held >= want) {
      let bytes = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
      const body = bytes.subarray(0, want)
      bytes = bytes.subarray(want)
      parts = bytes.length > 0 ? [bytes] : []
      held = bytes.length
      if (!inBody) {
        want = body.readUInt32LE(0)
        if (want > MAX_FRAME) return void socket.destroy(new Error('not a frame'))
      } else {
        want = 4
        try {
          take(deserialize(body) as Frame)
        } catch (error) {
          return void socket.destroy(error as Error)
        }
      }
      inBody = !inBody
    }
  })
}

export function serializeError(error: unknown): SerializedError {
  if (error instanceof ProductError)
    return { key: error.key, params: error.params, extra: error.extra, message: error.message }
  const { message, code } = error as NodeJS.ErrnoException
  return { message: message ?? String(error), ...(code && { code }) }
}

export function deserializeError(plain: SerializedError): Error {
  if (plain.key) return new ProductError(plain.key, plain.params, plain.extra)
  const error: NodeJS.ErrnoException = new Error(plain.message)
  if (plain.code) error.code = plain.code
  return error
}
