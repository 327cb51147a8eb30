import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { ProductError } from '#contracts/errors.ts'
import {
  cleanLogs,
  downloadProcessLog,
  downloadProcessLogs,
  maintenanceLogs,
  previewLogCleaning,
} from '#contracts/http/maintenance/logs.ts'
import { listLogFiles } from '#runtime/log-files.ts'
import type { Caller, Module } from '../../http/module.ts'
import { attachment } from '../jobs/attachment-name.ts'
import { countJobLines, oldLogFiles, removeJobLines, removeLogFiles } from './clean-logs.ts'
import { zipFiles } from './zip-files.ts'

const DAY_MS = 86_400_000

/** Logs of the processes: list, download, cleaning. */
export const maintenanceLogsModule: Module = (mount, deps) => {
  const folder = deps.config.paths.logs
  const { meta, now } = deps

  /** A download changes nothing, but takes lines about everybody's requests out of the product. */
  const noteRead = ({ username, role, address }: Caller, target: string) =>
    deps.audit({
      account: username,
      role,
      action: 'maintenance.logs_read',
      target,
      result: 'ok',
      address,
      detail: '',
    })

  mount(maintenanceLogs, async () => ({
    data: {
      files: listLogFiles(folder).map(({ name, process, bytes, firstAt, changedAt, isRotated }) => ({
        ...{ name, process, bytes },
        first_at: firstAt,
        changed_at: changedAt,
        current: !isRotated,
      })),
      jobs: await countJobLines(meta),
    },
  }))

  mount(downloadProcessLog, async ({ query, caller, reply }) => {
    const file = listLogFiles(folder).find(({ name }) => name === query.name)
    if (!file) throw new ProductError('data.missing')
    await noteRead(caller, file.name)
    reply.header('content-type', 'text/plain; charset=utf-8')
    reply.header('content-disposition', attachment(file.name))
    reply.header('x-content-type-options', 'nosniff')
    // It grows meanwhile: as long as it was when it was asked for.
    reply.header('content-length', file.bytes)
    return file.bytes === 0 ? '' : createReadStream(join(folder, file.name), { start: 0, end: file.bytes - 1 })
  })

  mount(downloadProcessLogs, async ({ query, caller, reply }) => {
    const names = query.names?.split(',')
    const files = listLogFiles(folder).filter(({ name }) => !names || names.includes(name))
    if (files.length === 0) throw new ProductError('data.missing')
    await noteRead(caller, names ? files.map(({ name }) => name).join(' ') : `${files.length} files`)
    const day = new Date(now()).toISOString().slice(0, 10)
    reply.header('content-type', 'application/zip')
    reply.header('content-disposition', attachment(`appwarden-logs-${day}.zip`))
    reply.header('x-content-type-options', 'nosniff')
    return zipFiles(
      files.map(({ name, bytes, changedAt }) => ({ path: join(folder, name), name, bytes, at: changedAt })),
    )
  })

  mount(previewLogCleaning, async ({ query }) => {
    const before = now() - query.days * DAY_MS
    const files = oldLogFiles(folder, before)
    const { lines, bytes } = await countJobLines(meta, before)
    return {
      data: {
        before,
        process: { files: files.map(({ name }) => name), bytes: files.reduce((sum, one) => sum + one.bytes, 0) },
        jobs: { lines, bytes },
      },
    }
  })

  mount(cleanLogs, async ({ body, audit }) => {
    const { logs, before } = body
    audit(logs.join(' '), `before ${new Date(before).toISOString()}`)
    if (before > now() - DAY_MS) throw new ProductError('maintenance.too_young')
    const gone = logs.includes('process')
      ? await removeLogFiles(folder, oldLogFiles(folder, before))
      : { files: 0, bytes: 0 }
    const { bytes } = logs.includes('jobs') ? await countJobLines(meta, before) : { bytes: 0 }
    const lines = logs.includes('jobs') ? await removeJobLines(meta, before) : 0
    audit(logs.join(' '), `before ${new Date(before).toISOString()}: ${gone.files} files, ${lines} lines`)
    return { data: { files: gone.files, lines, bytes: gone.bytes + bytes } }
  })
}
