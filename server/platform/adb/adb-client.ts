import { type AdbAddress, AdbConnection } from './adb-connection.ts'

export type Phone = { serial: string; model: string }

const ANSWER_MS = 2000
const MAX_LIST = 0xffff
const MAX_PHONES = 200

/** Phones that the adb server calls ready; none where no server listens or it answers nonsense. */
export async function listPhones(address: AdbAddress): Promise<Phone[]> {
  const text = await hostAnswer(address, 'host:devices-l').catch(() => '') // the page shows that no phone is there
  return text.split('\n', MAX_PHONES).flatMap((line) => {
    const [serial = '', state, ...rest] = line.trim().split(/\s+/)
    if (!/^[\w.:-]{1,128}$/.test(serial) || state !== 'device') return []
    const model = rest.find((one) => one.startsWith('model:'))?.slice('model:'.length, 100) ?? ''
    return [{ serial, model: model.replace(/[^\w .()-]/g, '?') }]
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
