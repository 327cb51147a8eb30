import type { Suppression } from '#contracts/http/detection/result.ts'
import { listSuppressions } from '../../detection/list-suppressions.ts'
import type { ExportedList } from '../../jobs/job-rows.ts'
import type { ExportTable } from '../export-tables.ts'
import { type ListSource, listTable } from './list-table.ts'

const STATES = {
  pending: { zh: '待批准', en: 'awaiting approval' },
  active: { zh: '已忽略', en: 'suppressed' },
  expired: { zh: '已到期', en: 'expired' },
} as const

/** Suppressions that the filters leave: what, why, by whom, until when, approved by whom. */
export async function suppressionTable(
  { filters }: Extract<ExportedList, { of: 'suppressions' }>,
  source: ListSource,
): Promise<ExportTable> {
  const { words, language, now } = source
  const { found } = await listSuppressions(source, source, filters, now)
  return listTable<Suppression>(
    [
      ['应用', 'Application', (one) => one.app_name],
      ['包名', 'Package', (one) => one.package_id],
      ['检测项编号', 'Item id', (one) => one.item],
      ['检测项', 'Item', (one) => one.item_name[language]],
      ['问题', 'Finding', (one) => one.fingerprint ?? ''],
      ['理由', 'Reason', (one) => one.reason],
      ['状态', 'State', (one) => STATES[one.state][language]],
      ['期限', 'Until', (one) => words.time(one.until)],
      ['申请人', 'Asked by', (one) => one.by],
      ['申请时间', 'Asked at', (one) => words.time(one.created_at)],
      ['批准人', 'Approved by', (one) => one.approver ?? ''],
      ['批准时间', 'Approved at', (one) => words.time(one.approved_at)],
      ['任务', 'Task', (one) => one.task ?? ''],
    ],
    source,
    found.length,
    [found],
  )
}
