import { setVerdict, verdictsOf } from '#contracts/http/devices.ts'
import type { Module } from '../../http/module.ts'
import { findApplication } from '../applications/application-access.ts'
import { currentDeviceVerdicts } from './device-records.ts'
import { changeDeviceVerdict } from './device-verdicts.ts'

/** Verdicts of analysts on devices. A verdict belongs to an application: banned in one is not banned in the next. */
export const deviceVerdictsModule: Module = (mount, deps) => {
  const { meta } = deps

  mount(verdictsOf, async ({ body, caller }) => {
    const found = await currentDeviceVerdicts(meta.db, caller.scope, body.devices)
    return { data: found.map(({ device, appid, verdict }) => ({ device, appid, verdict })) }
  })

  mount(setVerdict, async ({ body, caller, audit }) => {
    const { device, verdict, note } = body
    const applications = []
    for (const appid of new Set(body.appids)) applications.push(await findApplication(meta, caller, appid))
    const apps = applications.map(({ id }) => id)
    const earlier = await currentDeviceVerdicts(meta.db, caller.scope, [device])
    const before = apps.map((app) => {
      const found = earlier.find(({ appid }) => appid === String(app))
      return { appid: String(app), verdict: found?.verdict ?? null, note: found?.note ?? '' }
    })
    const was = [...new Set(before.map((one) => one.verdict ?? 'none'))].join(', ')
    audit(
      `device ${device}`,
      `${verdict ?? 'none'} (was ${was}) in ${applications.map(({ name }) => name).join(', ')}: ${note}`,
    )
    await changeDeviceVerdict(meta, { apps, device, verdict, userId: caller.userId, note, at: deps.now() })
    const verdicts = await currentDeviceVerdicts(meta.db, caller.scope, [device])
    return { verdicts: verdicts.map(({ device: _device, ...entry }) => entry), before }
  })
}
