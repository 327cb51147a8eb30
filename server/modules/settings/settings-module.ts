import { ProductError } from '#contracts/errors.ts'
import {
  readSettings as currentSettings,
  envelopeKeys,
  rotateEnvelopeKey,
  type Settings,
  saveSettings,
} from '#contracts/http/settings.ts'
import { isListed } from '#domain/address-range.ts'
import { isZone } from '#domain/time-range.ts'
import type { HttpModule } from '../../http/http-deps.ts'
import { changesBetween } from '../../platform/audit/audit-changes.ts'
import { writeSettings } from '../../platform/settings.ts'

/** Platform settings. */
export const settingsModule: HttpModule = (mount, deps) => {
  mount(currentSettings, ({ caller }) => ({ data: deps.settings(), address: caller.address }))
  mount(saveSettings, async ({ body, caller, given, audit }) => {
    // The schema fills in defaults; what the request does not name stays as it is.
    const named = Object.keys(given as object)
    const changes = Object.fromEntries(
      Object.entries(body).filter(([name]) => named.includes(name)),
    ) as Partial<Settings>
    audit(Object.keys(changes).join(' '), JSON.stringify(changes))
    if (changes.zone !== undefined && !isZone(changes.zone))
      throw new ProductError('input.invalid', { detail: 'zone' }, { field: 'zone' })
    if (changes.console_addresses && !isListed(changes.console_addresses, caller.address))
      throw new ProductError('settings.own_address', { address: caller.address }, { field: 'console_addresses' })
    const before = deps.settings()
    await writeSettings(deps.meta, changes)
    await deps.refreshSettings()
    audit(Object.keys(changes).join(' '), '', changesBetween(before, deps.settings()))
    return { data: deps.settings() }
  })

  const keys = () => ({
    data: deps.envelopeKeys
      .list()
      .map(({ kid, madeAt, opensUntil }) => ({ kid, made_at: madeAt, opens_until: opensUntil })),
  })
  mount(envelopeKeys, keys)
  mount(rotateEnvelopeKey, async ({ audit }) => {
    audit(`kid ${await deps.envelopeKeys.rotate()}`)
    return keys()
  })
}
