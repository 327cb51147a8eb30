import { timedSignal } from '../timed-signal.ts'
import { type AdbAddress, AdbConnection } from './adb-connection.ts'
import { AdbError } from './adb-error.ts'

/** What one command may take: milliseconds, and bytes of its output. */
export type ShellBounds = { ms: number; bytes?: number; signal?: AbortSignal }
export type ShellEnd = {
  /** null where the output went over its bound and was not read to the end. */
  exit: number | null
  output: Buffer
  errors: string
}

const OUTPUT_BYTES = 1024 * 1024
const ERROR_BYTES = 16 * 1024
const PART_BYTES = 64 * 1024
const STDOUT = 1
const STDERR = 2
const EXIT = 3

/** One phone behind an adb server: commands with exit codes (shell v2, Android 7 and later), raw output, streamed input. */
export class AdbPhone {
  readonly #address: AdbAddress
  readonly serial: string

  constructor(address: AdbAddress, serial: string) {
    this.#address = address
    this.serial = serial
  }

  /** Runs a command; `words` are quoted one by one. Throws AdbError. */
  async shell(words: readonly string[], bounds: ShellBounds): Promise<ShellEnd> {
    const { bytes = OUTPUT_BYTES } = bounds
    const parts: Buffer[] = []
    const errors: Buffer[] = []
    let size = 0
    let errorSize = 0
    let cut = false
    const exit = await this.follow(words, bounds, (part, from) => {
      if (from === STDERR) {
        if (errorSize < ERROR_BYTES) errors.push(part)
        errorSize += part.length
        return errorSize < 64 * ERROR_BYTES
      }
      size += part.length
      cut = size > bytes
      parts.push(cut ? part.subarray(0, part.length - (size - bytes)) : part)
      return !cut
    })
    return { exit: cut ? null : exit, output: Buffer.concat(parts), errors: Buffer.concat(errors).toString('utf8') }
  }

  /** Runs a command and hands over its output as it comes; `onPart` answers whether it wants more. Answers the exit code. */
  follow(
    words: readonly string[],
    bounds: ShellBounds,
    onPart: (part: Buffer, from: number) => boolean,
  ): Promise<number | null> {
    return this.#with(`shell,v2,raw:${quoted(words)}`, bounds, async (connection) => {
      for (;;) {
        const head = await connection.exactly(5)
        const kind = head[0] as number
        let left = head.readUInt32LE(1)
        if (kind === EXIT) {
          if (left !== 1) throw new AdbError('broken', 'an exit code of another size')
          return (await connection.exactly(1))[0] as number
        }
        if (kind !== STDOUT && kind !== STDERR) throw new AdbError('broken', `a shell packet of kind ${kind}`)
        // Read as it comes: the length is what the phone says it is.
        while (left > 0) {
          const part = await connection.some(Math.min(left, PART_BYTES))
          if (part === null) throw new AdbError('closed', 'the phone went away')
          left -= part.length
          if (!onPart(part, kind)) return null
        }
      }
    })
  }

  /** The bytes that a command writes, without exit code; null where there are more than `bytes`. */
  raw(words: readonly string[], bounds: ShellBounds & { bytes: number }): Promise<Buffer | null> {
    return this.#with(`exec:${quoted(words)}`, bounds, async (connection) => {
      const parts: Buffer[] = []
      let size = 0
      for (;;) {
        const part = await connection.some(PART_BYTES)
        if (part === null) return Buffer.concat(parts)
        size += part.length
        if (size > bounds.bytes) return null
        parts.push(part)
      }
    })
  }

  /** Runs a command with the bytes as its input; answers the begin of what it writes. */
  feed(
    words: readonly string[],
    input: AsyncIterable<Uint8Array>,
    bounds: ShellBounds,
    onSent: (bytes: number) => void = () => {},
  ): Promise<string> {
    return this.#with(`exec:${quoted(words)}`, bounds, async (connection) => {
      let sent = 0
      for await (const part of input) {
        await connection.write(part)
        sent += part.length
        onSent(sent)
      }
      const answer: Buffer[] = []
      for (let size = 0; size < ERROR_BYTES; ) {
        const part = await connection.some(ERROR_BYTES)
        if (part === null) break
        answer.push(part)
        size += part.length
      }
      return Buffer.concat(answer).toString('utf8')
    })
  }

  async #with<T>(
    service: string,
    { ms, signal }: ShellBounds,
    work: (connection: AdbConnection) => Promise<T>,
  ): Promise<T> {
    const ending = signal ? timedSignal(signal, ms) : AbortSignal.timeout(ms)
    const connection = await AdbConnection.open(this.#address, ending)
    try {
      await connection.ask(`host:transport:${this.serial}`)
      await connection.ask(service)
      return await work(connection)
    } finally {
      connection.close()
    }
  }
}

/** As a POSIX shell reads it: each word is one word, whatever it holds. */
function quoted(words: readonly string[]): string {
  return words.map((word) => (/^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ')
}
