import { z } from 'zod'
import { DEFAULT_PARTS, type ReportTemplate, reportTemplate } from '#contracts/http/reports/task-reports.ts'
import type { MetaStore } from '#storage/postgres/database.ts'

const KEY = 'report.template'

/** As it is kept; what a later version no longer understands falls back to a report without it. */
export async function readTemplate(meta: MetaStore): Promise<ReportTemplate> {
  const row = await meta.db.selectFrom('settings').select('value').where('key', '=', KEY).executeTakeFirst()
  const kept = z.object({ data: reportTemplate.response.shape.data }).safeParse({ data: row?.value })
  return kept.success ? kept.data.data : { issuer: '', footer: '', logo: null, parts: defaultParts() }
}

function defaultParts(): ReportTemplate['parts'] {
  const { manager, developer, regulator } = DEFAULT_PARTS
  return { manager: [...manager], developer: [...developer], regulator: [...regulator] }
}

export async function writeTemplate(meta: MetaStore, template: ReportTemplate): Promise<void> {
  const value = JSON.stringify(template)
  await meta.db
    .insertInto('settings')
    .values({ key: KEY, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}
