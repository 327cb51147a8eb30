import { ProductError } from '#contracts/errors.ts'

/** One part of a form: its name, the name of its file where it is one, and its bytes, which must be read before the next part. */
export type FormPart = { name: string; fileName: string | undefined; bytes: AsyncIterable<Buffer> }

const HEADER_BYTES = 8 * 1024
const LINE_END = Buffer.from('\r\n')
const HEADERS_END = Buffer.from('\r\n\r\n')

/** The boundary that a Content-Type of multipart/form-data names, else undefined. */
export function boundaryOf(contentType: string | undefined): string | undefined {
  const [, quoted, plain] =
    /^multipart\/form-data\s*;.*?boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType ?? '') ?? []
  return quoted ?? plain
}

/**
 * The parts of a multipart/form-data body as they arrive (RFC 7578); nothing but a part's headers and one chunk is held in memory.
 * Throws envelope.malformed where the body is none, or ends too early.
 */
export async function* readMultipart(source: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<FormPart> {
  const window = new Window(source)
  try {
    yield* readParts(window, boundary)
  } finally {
    await window.close()
  }
}

async function* readParts(window: Window, boundary: string): AsyncGenerator<FormPart> {
  const delimiter = Buffer.from(`--${boundary}`)
  // What stands before the first boundary is nobody's.
  for await (const _ of window.upTo(delimiter)) if (window.passed > HEADER_BYTES) throw malformed()
  const between = Buffer.concat([LINE_END, delimiter])
  for (;;) {
    const mark = await window.take(2)
    if (mark.toString('latin1') === '--') return
    if (!mark.equals(LINE_END)) throw malformed()
    const headers: Buffer[] = []
    let length = 0
    // An empty header block ends with the line end that is already gone.
    for await (const chunk of window.upTo(HEADERS_END)) {
      headers.push(chunk)
      length += chunk.length
      if (length > HEADER_BYTES) throw malformed()
    }
    const { name, fileName } = dispositionOf(Buffer.concat(headers).toString('utf8'))
    let read = false
    const bytes = (async function* () {
      yield* window.upTo(between)
      read = true
    })()
    yield { name, fileName, bytes }
    if (!read) for await (const _ of bytes) void _
  }
}

function dispositionOf(headers: string): { name: string; fileName: string | undefined } {
  const line = headers.split('\r\n').find((one) => /^content-disposition:/i.test(one))
  const name = line && /;\s*name="([^"]*)"/i.exec(line)?.[1]
  if (!line || !name) throw malformed()
  const extended = /;\s*filename\*=utf-8''([^;\s]+)/i.exec(line)?.[1]
  const plain = /;\s*filename="((?:[^"\\]|\\.)*)"/i.exec(line)?.[1]?.replace(/%22/g, '"')
  return { name, fileName: decoded(extended) ?? plain }
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function malformed(): ProductError {
  return new ProductError('envelope.malformed')
}

/** What has arrived and is not given away yet. */
class Window {
  /** Bytes given away so far. */
  passed = 0
  #held: Buffer = Buffer.alloc(0)
  readonly #source: AsyncIterator<Buffer>
  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** The bytes before `mark`, chunk by chunk; the mark itself is gone afterwards. */
  async *upTo(mark: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.#held.indexOf(mark)
      if (at >= 0) {
        if (at > 0) yield this.#give(at)
        this.#give(mark.length)
        return
      }
      // A mark may have begun at the end of what is here.
      const sure = this.#held.length - mark.length + 1
      if (sure > 0) yield this.#give(sure)
      await this.#more()
    }
  }

  async close(): Promise<void> {
    await this.#source.return?.()
  }

  async take(length: number): Promise<Buffer> {
    while (this.#held.length < length) await this.#more()
    return this.#give(length)
  }

  #give(length: number): Buffer {
    const given = this.#held.subarray(0, length)
    this.#held = this.#held.subarray(length)
    this.passed += length
    return given
  }

  async #more(): Promise<void> {
    const { value, done } = await this.#source.next()
    if (done) throw malformed()
    this.#held = this.#held.length === 0 ? value : Buffer.concat([this.#held, value])
  }
}
