import { actionName } from '#contracts/audit-actions.ts'
import type { NetworkLine } from '#contracts/http/audit-log.ts'
import { allPages, auditRows, networkRows, readAudit, readNetwork } from '../../audit-log/log-rows.ts'
import { refusalName } from '../../audit-log/refusal-name.ts'
import type { ExportedList } from '../../jobs/job-rows.ts'
import type { ExportTable } from '../export-tables.ts'
import { type ListSource, listTable } from './list-table.ts'

/** Audit entries with everything that their hash covers, so that a reader can recompute the chain. */
export async function auditTable(
  { filters }: Extract<ExportedList, { of: 'audit_log' }>,
  source: ListSource,
): Promise<ExportTable> {
  const { words, language, meta } = source
  const { total } = await auditRows(meta.db, filters)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return listTable<Awaited<ReturnType<typeof readAudit>>[number]>(
    [
      ['编号', 'Number', (one) => one.id],
      ['时间', 'Time', (one) => words.time(one.at)],
      ['时间戳', 'Epoch ms', (one) => one.at],
      ['操作账号', 'Account', (one) => one.account],
      ['角色', 'Role', (one) => one[language] ?? one.role],
      ['角色代码', 'Role key', (one) => one.role],
      ['操作', 'Action', (one) => actionName(one.action)[language]],
      ['操作代码', 'Action key', (one) => one.action],
      ['对象', 'Target', (one) => one.target],
      ['结果', 'Result', (one) => resultWords(one.result, language)],
      ['结果代码', 'Result key', (one) => one.result],
      ['地址', 'Address', (one) => one.address],
      ['说明', 'Detail', (one) => one.detail],
      ['修改前后', 'Changes', (one) => one.changes],
      ['最近登录', 'Last sign-in', (one) => words.time(one.last_login_at)],
      ['哈希（SM3）', 'Hash (SM3)', (one) => one.hash],
    ],
    source,
    Number(total),
    allPages((cursor, limit) => readAudit(meta.db, filters, cursor, limit)),
  )
}

export async function networkTable(
  { filters }: Extract<ExportedList, { of: 'network_log' }>,
  source: ListSource,
): Promise<ExportTable> {
  const { words, meta } = source
  const { total } = await networkRows(meta.db, filters)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return listTable<NetworkLine>(
    [
      ['时间', 'Time', (one) => words.time(one.at)],
      ['类型', 'Kind', (one) => one.kind],
      ['账号', 'Account', (one) => one.account],
      ['应用', 'Application', (one) => one.application ?? ''],
      ['地址', 'Address', (one) => one.address],
      ['方法', 'Method', (one) => one.method],
      ['路径', 'Path', (one) => one.path],
      ['状态', 'Status', (one) => one.status],
      ['代码', 'Code', (one) => one.code],
      ['请求字节', 'Request bytes', (one) => one.size],
      ['毫秒', 'Milliseconds', (one) => one.milliseconds],
    ],
    source,
    Number(total),
    allPages((cursor, limit) => readNetwork(meta.db, filters, cursor, limit)),
  )
}

function resultWords(result: string, language: 'zh' | 'en'): string {
  if (result === 'ok') return { zh: '成功', en: 'ok' }[language]
  return refusalName(result)?.[language] ?? result
}
