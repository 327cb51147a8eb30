import { type AdbAddress, AdbConnection } from './adb-connection.ts'
import { AdbError } from './adb-error.ts'

export type Phone = { serial: string; model: string }
/** `state` of adb: device (ready), unauthorized, offline and others. */
export type ConnectedPhone = Phone & { state: string }

const ANSWER_MS = 2000
const MAX_LIST = 0xffff
const MAX_PHONES = 200

/** Phones that the adb server calls ready; none where no server listens or it answers nonsense. */
export async function listPhones(address: AdbAddress): Promise<Phone[]> {
  const { phones } = await listConnected(address) // the page shows that no phone is there
  return phones.flatMap(({ serial, model, state }) => (state === 'device' ? [{ serial, model }] : []))
}

/** Every phone that the adb server names, ready or not; `adb`: whether a server answered as one does. */
export async function listConnected(address: AdbAddress): Promise<{ adb: boolean; phones: ConnectedPhone[] }> {
  try {
    return { adb: true, phones: readList(await hostAnswer(address, 'host:devices-l')) }
  } catch (error) {
    if (error instanceof AdbError) return { adb: false, phones: [] }
    throw error
  }
}

function readList(text: string): ConnectedPhone[] {
  return text.split('\n', MAX_PHONES).flatMap((line) => {
    const [serial = '', state = '', ...rest] = line.trim().split(/\s+/)
    if (!/^[\w.:-]{1,128}$/.test(serial) || !/^[a-z]{1,32}$/.test(state)) return []
    const model = rest.find((one) => one.startsWith('model:'))?.slice('model:'.length, 100) ?? ''
    return [{ serial, model: model.replace(/[^\w .()-]/g, '?'), state }]
  })
}

/** One question to the server itself, and its text. */
async function hostAnswer(address: AdbAddress, service: string): Promise<string> {
  const connection = await AdbConnection.open(address, AbortSignal.timeout(ANSWER_MS))
  try {
    await connection.ask(service)
    return await connection.text(MAX_LIST)
  } finally {
    connection.close()
  }
}
