import { chooseGroups, kindQuery, type ListedGroup, listGroups } from '../../exceptions/list-groups.ts'
import type { ExportedList } from '../../jobs/job-rows.ts'
import type { ExportTable } from '../export-tables.ts'
import { type ListSource, listTable } from './list-table.ts'

const STATES = {
  open: { zh: '未解决', en: 'Open' },
  resolved: { zh: '已解决', en: 'Resolved' },
  ignored: { zh: '已忽略', en: 'Ignored' },
} as const
/** As long as a page of the list's trend query: blocks tell the progress. */
const BLOCK = 500

/** Groups of one kind that mark, assignee and search leave, in the order asked for. */
export async function groupTable(
  list: Extract<ExportedList, { of: 'exception_groups' }>,
  source: ListSource,
): Promise<ExportTable> {
  const { meta, store, files, scope, now, zone, words, language } = source
  const query = await kindQuery({ meta }, list.query, list.kind, scope, now, zone)
  const { groups } = await listGroups({ meta, store, files, now: () => now }, query)
  const { passing } = chooseGroups(groups, list)
  return listTable<ListedGroup>(
    [
      ['分组', 'Group', (one) => one.group],
      ['应用', 'Application', (one) => words.value('app', one.appid)],
      ['类型', 'Type', (one) => one.type],
      ['位置', 'First own frame', (one) => one.culprit],
      ['平台', 'Platform', (one) => (one.platform === '' ? '' : words.value('platform', one.platform))],
      ['状态', 'State', (one) => STATES[one.triage.state][language]],
      ['新出现', 'New', (one) => words.yesNo(one.is_new)],
      ['复发于版本', 'Regressed in', (one) => one.triage.regressed?.version ?? ''],
      ['解决于版本', 'Resolved in', (one) => one.triage.resolved_version ?? ''],
      ['忽略至', 'Ignored until', (one) => words.time(one.triage.ignored_until)],
      ['负责人', 'Assignee', (one) => one.triage.assignee ?? ''],
      ['事件数', 'Events', (one) => one.events],
      ['设备', 'Devices', (one) => one.devices],
      ['用户', 'Users', (one) => one.users],
      ['版本', 'Versions', (one) => one.versions.join(' ')],
      ['首次版本', 'First version', (one) => one.first_version],
      ['首次出现', 'First seen', (one) => words.time(one.first_at)],
      ['最近出现', 'Last seen', (one) => words.time(one.last_at)],
    ],
    source,
    passing.length,
    blocksOf(passing, BLOCK),
  )
}

function* blocksOf<T>(rows: readonly T[], length: number): Generator<readonly T[]> {
  for (let at = 0; at < rows.length; at += length) yield rows.slice(at, at + length)
}
