import { exportEvents, exportList } from '#contracts/http/exports.ts'
import type { Module } from '../../http/module.ts'
import { refuseAddress } from '../../query/personal.ts'
import { startExport } from '../jobs/start-export.ts'

/** Requests for exports; the jobs process writes the files (export-job.ts). */
export const exportsModule: Module = (mount, deps) => {
  mount(exportEvents, async ({ body, caller, audit }) => {
    refuseAddress(caller, body.query.filters, body.part)
    const answer = await startExport(deps, caller, { query: body.query, part: body.part }, body)
    audit(`export ${body.title}`, `${body.format} ${JSON.stringify(body.query)}`)
    return answer
  })

  mount(exportList, async ({ body, caller, audit }) => {
    const { list } = body
    refuseAddress(caller, 'query' in list ? list.query.filters : 'filters' in list ? list.filters : [])
    // What a device needs to be suspicious is what it was when somebody asked.
    const asked =
      list.of === 'suspicious_devices' ? { ...list, from: list.from ?? deps.settings().suspicious_from } : list
    const answer = await startExport(deps, caller, { list: asked }, body)
    audit(`export ${body.title}`, `${body.format} ${JSON.stringify(list)}`)
    return answer
  })
}
