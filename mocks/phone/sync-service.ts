import type { Socket } from 'node:net'
import type { SimulatedPhone } from './simulated-phone.ts'
import type { SocketReader } from './socket-reader.ts'

const FILE = 0o100660

/** Files over the sync protocol, as `adb push`, `adb pull` and `adb install` of older phones use it. */
export async function syncService(socket: Socket, reader: SocketReader, phone: SimulatedPhone): Promise<void> {
  const numbers = (...values: number[]) => {
    const bytes = Buffer.alloc(values.length * 4)
    for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4)
    return bytes
  }
  const say = (id: string, ...values: number[]) => socket.write(Buffer.concat([Buffer.from(id), numbers(...values)]))
  for (;;) {
    const head = await reader.exactly(8)
    const id = head.toString('latin1', 0, 4)
    const text = (await reader.exactly(head.readUInt32LE(4))).toString('utf8')
    if (id === 'QUIT') return void socket.end()
    const files = phone.sharedFiles()
    const file = files.get(text)
    const seconds = (at: number) => Math.floor(at / 1000)
    if (id === 'STAT') {
      say('STAT', ...(file ? [FILE, file.content.length, seconds(file.modified)] : [0, 0, 0]))
    } else if (id === 'STA2' || id === 'LST2') {
      const answer = Buffer.alloc(72)
      answer.write(id)
      if (file) {
        answer.writeUInt32LE(FILE, 24)
        answer.writeBigUInt64LE(BigInt(file.content.length), 40)
        answer.writeBigInt64LE(BigInt(seconds(file.modified)), 56)
      } else answer.writeUInt32LE(2, 4)
      socket.write(answer)
    } else if (id === 'RECV') {
      if (file) {
        for (let at = 0; at < file.content.length; at += 65_536) {
          const part = file.content.subarray(at, at + 65_536)
          say('DATA', part.length)
          socket.write(part)
        }
        say('DONE', 0)
      } else {
        say('FAIL', 25)
        socket.write('No such file or directory')
      }
    } else if (id === 'SEND') {
      const parts: Buffer[] = []
      for (;;) {
        const part = await reader.exactly(8)
        if (part.toString('latin1', 0, 4) === 'DONE') break
        parts.push(await reader.exactly(part.readUInt32LE(4)))
      }
      const path = text.slice(0, text.lastIndexOf(','))
      phone.shared.set(path, { content: Buffer.concat(parts), modified: phone.now(), mode: '660' })
      say('OKAY', 0)
    } else {
      say('FAIL', 0)
    }
  }
}
