import type { IncomingMessage } from 'node:http'
import type { ByteBudget } from '../../../http/byte-budget.ts'

export class BodyFault extends Error {
  readonly fault: 'too_large' | 'busy' | 'slow'
  constructor(fault: 'too_large' | 'busy' | 'slow') {
    super(`body: ${fault}`)
    this.name = 'BodyFault'
    this.fault = fault
  }
}

/**
 * The body of a request, whose bytes are reserved in the budget: the caller releases as many as were answered. Throws BodyFault, and
 * has released them then: beyond `limit`, beyond the budget of all requests, or not there within `withinMs`.
 */
export async function readWholeBody(
  request: IncomingMessage,
  { limit, budget, withinMs }: { limit: number; budget: ByteBudget; withinMs: number },
): Promise<Uint8Array> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw new BodyFault('too_large')
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const timer = setTimeout(() => fail('slow'), withinMs)
    function end(): void {
      clearTimeout(timer)
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose)
    }
    function fail(fault: BodyFault['fault']): void {
      end()
      budget.release(size)
      // What still comes is read and dropped until the connection is closed behind the answer.
      request.on('error', () => {}).resume()
      reject(new BodyFault(fault))
    }
    function onData(chunk: Buffer): void {
      if (size + chunk.length > limit) fail('too_large')
      else if (!budget.take(chunk.length)) fail('busy')
      else {
        size += chunk.length
        chunks.push(chunk)
      }
    }
    function onEnd(): void {
      end()
      resolve(Buffer.concat(chunks))
    }
    const onClose = () => fail('slow')
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
  })
}
