import { DEVICE_DAYS } from '#contracts/http/monitoring/tasks.ts'
import type { PiratedCertificates } from '#domain/baseline.ts'
import type { Scope } from '#domain/query.ts'
import type { EventStore } from '#storage/events/port.ts'

const DAY_MS = 86_400_000

export interface PiratedDevices {
  readonly certificates: string[]
  readonly devices: number
  readonly returns: number
  /** Epoch ms, by occurrence. */
  readonly from: number
  readonly to: number
  readonly places: { country: string; province: string; devices: number }[]
}

/**
 * Devices that report one of these certificates of pirated copies, over the last DEVICE_DAYS: the very rows that the list of abnormal returns
 * shows for the reason 'pirated' in this time.
 * @param pirated certificates by application
 */
export async function piratedDevices(
  deps: { readonly store: Pick<EventStore, 'contradictions'>; now(): number; readonly zone: string },
  pirated: readonly PiratedCertificates[],
): Promise<PiratedDevices> {
  const to = deps.now() + 1
  const span = { from: to - DEVICE_DAYS * DAY_MS, to }
  const named = pirated.filter((one) => one.certificates.length > 0)
  const certificates = [...new Set(named.flatMap((one) => one.certificates))].sort()
  const none = { certificates, devices: 0, returns: 0, ...span, places: [] }
  if (named.length === 0) return none
  const scope: Scope = { apps: named.map(({ app }) => app) }
  const { devices, total, places } = await deps.store.contradictions({
    query: { span, basis: 'occurred', filters: [], scope, zone: deps.zone },
    baselines: [],
    pirated: [...named],
    kinds: ['pirated'],
  })
  return {
    ...none,
    devices,
    returns: total,
    places: places.map(({ count: _, ...one }) => one).toSorted((a, b) => b.devices - a.devices),
  }
}
