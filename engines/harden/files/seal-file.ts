import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import { deflateSync, inflateSync } from 'node:zlib'
import { FormatError } from '../../bytes/format-error.ts'
import type { SeededRandom } from '../seeded-random.ts'

const MARK = 16
const HASH = 32
const COUNTER = 16

const hmac = (key: Uint8Array, data: Uint8Array): Buffer => createHmac('sha256', key).update(data).digest()

/** Encrypts files of one build (the form is that of reader.smali). */
export class FileSeal {
  /** Hexadecimal, as the reader has it. */
  readonly secret: string
  private readonly random: SeededRandom

  constructor(random: SeededRandom) {
    this.random = random
    this.secret = random.bytes(32).toString('hex')
  }

  /**
   * The encrypted file. It is opened again as the reader does it, and compared.
   * @param name what the code of the app opens it by
   */
  seal(name: string, plain: Uint8Array): Uint8Array {
    const keys = keysOf(this.secret, name)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(plain.length)
    const counter = this.random.bytes(COUNTER)
    const cipher = createCipheriv('aes-256-ctr', keys.cipher, counter)
    const packed = deflateSync(Buffer.concat([length, plain]))
    const sealed = Buffer.concat([counter, cipher.update(packed), cipher.final()])
    const file = Buffer.concat([keys.mark, hmac(keys.hash, sealed), sealed])
    const opened = openFile(this.secret, name, file)
    if (!opened || Buffer.compare(opened, plain)) throw new FormatError('harden', 'sealed', -1, `${name} does not open`)
    return file
  }
}

/** The content of an encrypted file as the reader gives it; undefined where it refuses. */
export function openFile(secret: string, name: string, file: Uint8Array): Uint8Array | undefined {
  const { mark, hash, cipher } = keysOf(secret, name)
  const sealed = file.subarray(MARK + HASH)
  if (sealed.length < COUNTER || Buffer.compare(mark, file.subarray(0, MARK))) return undefined
  if (Buffer.compare(hmac(hash, sealed), file.subarray(MARK, MARK + HASH))) return undefined
  const decipher = createDecipheriv('aes-256-ctr', cipher, sealed.subarray(0, COUNTER))
  const content = inflateSync(Buffer.concat([decipher.update(sealed.subarray(COUNTER)), decipher.final()]))
  return content.subarray(4, 4 + content.readUInt32BE(0))
}

function keysOf(secret: string, name: string) {
  const derive = (number: number) => hmac(Buffer.from(secret, 'hex'), Uint8Array.of(number))
  return { mark: derive(0).subarray(0, MARK), cipher: derive(1), hash: hmac(derive(2), Buffer.from(name)) }
}
