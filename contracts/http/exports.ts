import { z } from 'zod'
import { PartSchema, QuerySchema } from '#domain/query.ts'
import { EXPORT_FILE, JobSchema } from '../jobs.ts'
import { ABNORMAL_LIST } from './abnormal-returns.ts'
import { ALERT_LIST } from './alerts.ts'
import { SUSPICIOUS_LIST } from './devices.ts'
import { endpoint } from './endpoint.ts'
import { GROUP_LIST } from './exceptions.ts'

/** Lists whose lines are no events and no answer of a part: exported whole, as the same jobs as those (exportEvents). */

const ListSchema = z.discriminatedUnion('of', [
  z.strictObject({ of: z.literal('alerts'), ...ALERT_LIST }),
  z.strictObject({ of: z.literal('exception_groups'), ...GROUP_LIST }),
  z.strictObject({ of: z.literal('suspicious_devices'), ...SUSPICIOUS_LIST }),
  z.strictObject({ of: z.literal('abnormal_returns'), ...ABNORMAL_LIST }),
])
export type ExportedList = z.infer<typeof ListSchema>

export const exportList = endpoint({
  method: 'POST',
  path: '/api/lists/export/',
  summary:
    'Export alerts, exception groups, suspicious devices or abnormal returns, all that the filters leave, in a job',
  access: ['events.export'],
  body: z.object({ list: ListSchema, ...EXPORT_FILE }),
  response: z.object({ job: JobSchema }),
  errors: ['task.exists', 'permission.missing', 'server.store_down'],
})

export const exportEvents = endpoint({
  method: 'POST',
  path: '/api/statistics/export/',
  summary: 'Export the whole filtered set as CSV or as an Excel workbook in a job',
  access: ['events.export'],
  body: z.object({ query: QuerySchema, part: PartSchema, ...EXPORT_FILE }),
  response: z.object({ job: JobSchema }),
  errors: ['task.exists', 'server.store_down'],
})
