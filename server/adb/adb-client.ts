import { connect, type Socket } from 'node:net'

/** Where an adb server listens. */
export type AdbAddress = { host: string; port: number }
export type Phone = { serial: string; model: string }

const ANSWER_MS = 2000
const MAX_ANSWER = 1024 * 1024

/** Phones that the adb server calls ready; none where no server listens. */
export async function listPhones(address: AdbAddress): Promise<Phone[]> {
  const text = await ask(address, 'host:devices-l').catch(() => '')
  return text.split('\n').flatMap((line) => {
    const [serial, state, ...rest] = line.trim().split(/\s+/)
    if (!serial || state !== 'device') return []
    const model = rest.find((one) => one.startsWith('model:'))?.slice('model:'.length) ?? ''
    return [{ serial, model }]
  })
}

/** One question of the adb protocol: four hex digits of length and the text each way, OKAY or FAIL before the answer. */
async function ask(address: AdbAddress, service: string): Promise<string> {
  const socket = connect(address)
  try {
    const answer = await read(socket, service)
    const state = answer.toString('latin1', 0, 4)
    const length = Number.parseInt(answer.toString('latin1', 4, 8), 16)
    if (state !== 'OKAY' || !Number.isInteger(length)) throw new Error(`adb refuses ${service}`)
    return answer.toString('utf8', 8, 8 + length)
  } finally {
    socket.destroy()
  }
}

/** The server closes after its answer. */
function read(socket: Socket, service: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let size = 0
    socket.setTimeout(ANSWER_MS, () => reject(new Error('adb does not answer')))
    socket.on('error', reject)
    socket.on('data', (part) => {
      parts.push(part)
      size += part.length
      if (size > MAX_ANSWER) reject(new Error('adb answers too much'))
    })
    socket.on('end', () => resolve(Buffer.concat(parts)))
    socket.write(Buffer.byteLength(service).toString(16).padStart(4, '0') + service)
  })
}
