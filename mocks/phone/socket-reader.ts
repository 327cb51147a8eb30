import type { Socket } from 'node:net'

/** Reads exact numbers of bytes from a socket; throws once it has ended. */
export class SocketReader {
  readonly #parts: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(socket: Socket) {
    this.#parts = socket[Symbol.asyncIterator]()
  }

  async exactly(length: number): Promise<Buffer> {
    const parts = [this.#rest]
    let size = this.#rest.length
    while (size < length) {
      const { done, value } = await this.#parts.next()
      if (done) throw new Error('the line ended')
      parts.push(value)
      size += value.length
    }
    const all = Buffer.concat(parts)
    this.#rest = all.subarray(length)
    return all.subarray(0, length)
  }
}
