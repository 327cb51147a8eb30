import { COLLECT_EVENTS_PATH, type WireEvent } from '#contracts/telemetry/wire.ts'

/** A command that posts one test event with this key, as a shell reads it. */
export function curlSnippet(key: string, origin: string = location.origin, id: string = crypto.randomUUID()): string {
  const event: WireEvent = {
    event_id: id,
    type: 'risk',
    device_id: 'test-device-1',
    risk_type: 'hook',
    action: 'block',
    platform: 'android',
    app_version: '1.0.0',
    place: { country: 'CN', province: '广东', city: '深圳' },
  }
  return [
    `curl -X POST '${origin}${COLLECT_EVENTS_PATH}'`,
    `  -H 'Authorization: Bearer ${key}'`,
    `  -H 'Content-Type: application/json'`,
    `  -d '${JSON.stringify([event])}'`,
  ].join(' \\\n')
}
