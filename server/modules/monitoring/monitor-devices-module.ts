import { ProductError } from '#contracts/errors.ts'
import { piratedPlaces } from '#contracts/http/monitoring/pirated-places.ts'
import { monitorDevices } from '#contracts/http/monitoring/tasks.ts'
import type { Module } from '../../http/module.ts'
import { findCopy, findTask } from './monitor-rows.ts'
import { certificateRule, piratedCertificates } from './pirated-certificates.ts'
import { piratedDevices } from './pirated-devices.ts'

/** Devices that report pirated copies, of a task and of all for the wall; asked apart from the record, which is there without the event store too. */
export const monitorDevicesModule: Module = (mount, deps) => {
  const { db } = deps.meta

  mount(piratedPlaces, async ({ caller }) => {
    const pirated = await piratedCertificates(db, caller.scope)
    const ask = { store: deps.store, now: deps.now, zone: deps.settings().zone }
    const { devices, from, to, places } = await piratedDevices(ask, pirated)
    return { devices, apps: pirated.length, from, to, places }
  })

  mount(monitorDevices, async ({ query, caller }) => {
    const task = await findTask(deps.meta, caller, query.id)
    const ask = { store: deps.store, now: deps.now, zone: deps.settings().zone }
    if (query.copy === undefined) {
      return piratedDevices(ask, await piratedCertificates(db, { apps: [task.application_id] }))
    }
    const { copy } = await findCopy(deps.meta, caller, query.copy)
    if (copy.task_id !== task.id) throw new ProductError('data.missing')
    return piratedDevices(ask, [{ app: task.application_id, certificates: await certificateRule(db, copy.id) }])
  })
}
