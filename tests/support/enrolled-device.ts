import { COLLECT_ENROL_PATH, type EnrolAnswer } from '#contracts/telemetry/wire.ts'
import { proofHolds } from '#realtime/collect/enrol/enrol.ts'
import type { Collector } from './collector.ts'

let devices = 0

/** Enrols a device with its proof of work, from another network than the one before; `now` in epoch milliseconds. */
export async function enrolDevice(
  collector: Collector,
  { key, device, now }: { key: string; device: string; now: number },
): Promise<EnrolAnswer> {
  const salt = Math.floor(now / 60_000)
  const remoteAddress = `114.1.${devices++ % 250}.1`
  for (let n = 0; ; n++) {
    const request = { enrolment_key: key, device_id: device, proof: { salt, nonce: String(n) } }
    if (!proofHolds(request)) continue
    const answer = await collector.app.inject({
      method: 'POST',
      url: COLLECT_ENROL_PATH,
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify(request),
      remoteAddress,
    })
    if (answer.statusCode !== 201) throw new Error(`not enrolled: ${answer.statusCode} ${answer.body}`)
    return answer.json() as EnrolAnswer
  }
}
