import type { EnrolRequest } from '#contracts/telemetry/wire.ts'
import { proofHolds } from '#realtime/collect/enrol/enrol.ts'

/** An enrolment request with a valid proof for this time (epoch ms). */
export function enrolment(keyText: string, device: string, now: number): EnrolRequest {
  const salt = Math.floor(now / 60_000)
  for (let n = 0; ; n++) {
    const request = { enrolment_key: keyText, device_id: device, proof: { salt, nonce: String(n) } }
    if (proofHolds(request)) return request
  }
}
