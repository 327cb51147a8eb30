import { ProductError } from '#contracts/errors.ts'
import { monitorDevices } from '#contracts/http/monitoring/tasks.ts'
import type { Module } from '../../http/module.ts'
import { findCopy, findTask } from './monitor-rows.ts'
import { certificateRule, piratedCertificates } from './pirated-certificates.ts'
import { piratedDevices } from './pirated-devices.ts'

/** Devices that report pirated copies; asked apart from the record, which is there without the event store too. */
export const monitorDevicesModule: Module = (mount, deps) => {
  const { db } = deps.meta

  mount(monitorDevices, async ({ query, caller }) => {
    const task = await findTask(deps.meta, caller, query.id)
    const ask = { store: deps.store, now: deps.now, zone: deps.settings().zone }
    if (query.copy === undefined) {
      const [known] = await piratedCertificates(db, { apps: [task.application_id] })
      return piratedDevices(ask, task.application_id, known?.certificates ?? [])
    }
    const { copy } = await findCopy(deps.meta, caller, query.copy)
    if (copy.task_id !== task.id) throw new ProductError('data.missing')
    const certificate = await certificateRule(db, copy.id)
    return piratedDevices(ask, task.application_id, certificate === '' ? [] : [certificate])
  })
}
