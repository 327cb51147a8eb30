import { connect, type Socket } from 'node:net'
import { AdbError } from './adb-error.ts'

/** Where an adb server listens. */
export type AdbAddress = { host: string; port: number }

const MAX_REASON = 4096
const MAX_SERVICE = 0xffff
const EMPTY = Buffer.alloc(0)

/**
 * One connection to an adb server. What comes back is believed in nothing: lengths are compared with limits before anything is read, and
 * nothing is allocated by a length that the other side named. Ends with `signal`.
 */
export class AdbConnection {
  readonly #socket: Socket
  readonly #parts: AsyncIterator<Buffer>
  readonly #signal: AbortSignal
  #rest: Buffer = EMPTY

  private constructor(socket: Socket, signal: AbortSignal) {
    this.#socket = socket
    this.#signal = signal
    this.#parts = socket[Symbol.asyncIterator]()
    signal.addEventListener('abort', this.close, { once: true })
  }

  /** Throws AdbError `unreachable` where no server listens, `time` where `signal` ends first. */
  static async open({ host, port }: AdbAddress, signal: AbortSignal): Promise<AdbConnection> {
    if (signal.aborted) throw new AdbError('time', 'adb was not asked: the time is over')
    const socket = connect({ host, port, noDelay: true })
    const end = () => socket.destroy(new AdbError('time', 'the adb server does not answer'))
    signal.addEventListener('abort', end, { once: true })
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve)
        socket.once('error', reject)
      })
    } catch (error) {
      throw error instanceof AdbError ? error : new AdbError('unreachable', (error as Error).message)
    } finally {
      signal.removeEventListener('abort', end)
    }
    socket.on('error', () => {}) // the next read gets the error
    return new AdbConnection(socket, signal)
  }

  /** Asks for a service and reads OKAY; a FAIL with its reason becomes AdbError `refused`. */
  async ask(service: string): Promise<void> {
    const text = Buffer.from(service)
    if (text.length > MAX_SERVICE) throw new AdbError('refused', 'the question is too long')
    await this.write(Buffer.concat([Buffer.from(text.length.toString(16).padStart(4, '0')), text]))
    const status = (await this.exactly(4)).toString('latin1')
    if (status === 'OKAY') return
    if (status === 'FAIL') throw new AdbError('refused', await this.text(MAX_REASON))
    throw new AdbError('broken', 'the adb server answers neither OKAY nor FAIL')
  }

  /** Text behind its length in four hexadecimal digits. */
  async text(most: number): Promise<string> {
    const digits = (await this.exactly(4)).toString('latin1')
    if (!/^[0-9a-f]{4}$/i.test(digits)) throw new AdbError('broken', 'a length is no number')
    const length = Number.parseInt(digits, 16)
    if (length > most) throw new AdbError('broken', `an answer of ${length} bytes`)
    return (await this.exactly(length)).toString('utf8')
  }

  /** Exactly so many bytes (a bound that the caller chose); AdbError `closed` where the line ends before. */
  async exactly(length: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for (let missing = length; missing > 0; ) {
      const part = await this.some(missing)
      if (part === null) throw new AdbError('closed', 'the line ended in the middle of an answer')
      parts.push(part)
      missing -= part.length
    }
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
  }

  /** The next bytes as they come, at most so many; null at the end. */
  async some(most: number): Promise<Buffer | null> {
    if (this.#rest.length === 0) {
      const next = await this.#next()
      if (next === null) return null
      this.#rest = next
    }
    const part = this.#rest.subarray(0, most)
    this.#rest = this.#rest.subarray(part.length)
    return part
  }

  async #next(): Promise<Buffer | null> {
    try {
      for (;;) {
        const { done, value } = await this.#parts.next()
        if (this.#signal.aborted) throw new AdbError('time', 'the answer took too long')
        if (done) return null
        if (value.length > 0) return value
      }
    } catch (error) {
      if (error instanceof AdbError) throw error
      if (this.#signal.aborted) throw new AdbError('time', 'the answer took too long')
      throw new AdbError('closed', (error as Error).message)
    }
  }

  /** Resolves once the bytes may be followed by more. */
  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) return reject(this.#ended())
      const lost = () => reject(this.#ended())
      this.#socket.once('close', lost)
      this.#socket.write(bytes, (error) => {
        this.#socket.removeListener('close', lost)
        if (error) reject(this.#ended())
        else resolve()
      })
    })
  }

  #ended(): AdbError {
    return this.#signal.aborted
      ? new AdbError('time', 'the answer took too long')
      : new AdbError('closed', 'the line ended')
  }

  readonly close = (): void => {
    this.#signal.removeEventListener('abort', this.close)
    this.#socket.destroy()
  }
}
