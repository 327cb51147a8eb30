import { DETECTION_KINDS, TASK_STATES } from '#contracts/detection/kinds.ts'
import type { DetectionTask } from '#contracts/http/detection/tasks.ts'
import { inOrder, ofState, tasksButState } from '../../detection/select-tasks.ts'
import { toTask } from '../../detection/task-rows.ts'
import type { ExportedList } from '../../jobs/job-rows.ts'
import type { ExportTable } from '../export-tables.ts'
import { type ListSource, listTable } from './list-table.ts'

const PAGE = 500

/** Detection tasks that the filters leave, in the list's order. */
export async function taskTable(
  { filters }: Extract<ExportedList, { of: 'detection_tasks' }>,
  source: ListSource,
): Promise<ExportTable> {
  const { words, language } = source
  const matching = () => ofState(tasksButState(source, source, filters), filters.state)
  const { total } = await matching()
    .select(({ fn }) => fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow()
  async function* pages(): AsyncGenerator<DetectionTask[]> {
    for (let offset = 0; ; offset += PAGE) {
      const rows = await inOrder(matching(), filters).limit(PAGE).offset(offset).execute()
      yield rows.map((row) => toTask(row, language))
      if (rows.length < PAGE) return
    }
  }
  return listTable<DetectionTask>(
    [
      ['任务', 'Task', (one) => one.id],
      ['应用', 'Application', (one) => one.app_name],
      ['名称', 'Name', (one) => one.name],
      ['包名', 'Package', (one) => one.package_id],
      ['版本', 'Version', (one) => one.version],
      ['MD5', 'MD5', (one) => one.md5],
      ['检测类型', 'Kinds', (one) => one.kinds.map((kind) => DETECTION_KINDS[kind][language]).join('; ')],
      ['策略', 'Strategy', (one) => one.strategy.name[language]],
      ['状态', 'State', (one) => TASK_STATES[one.state][language]],
      ['说明', 'Note', (one) => one.note],
      ['门禁', 'Gate', (one) => one.gate],
      ['评分', 'Score', (one) => one.score],
      ['高危', 'High', (one) => one.counts?.high ?? null],
      ['中危', 'Middle', (one) => one.counts?.middle ?? null],
      ['低危', 'Low', (one) => one.counts?.low ?? null],
      ['提示', 'Info', (one) => one.counts?.info ?? null],
      ['已忽略', 'Suppressed', (one) => one.suppressed],
      ['未评估', 'Not assessed', (one) => one.not_assessed],
      ['加固壳', 'Packer', (one) => one.packer],
      ['操作员', 'Operator', (one) => one.by],
      ['创建', 'Created', (one) => words.time(one.created_at)],
      ['开始', 'Started', (one) => words.time(one.started_at)],
      ['结束', 'Ended', (one) => words.time(one.ended_at)],
    ],
    source,
    Number(total),
    pages(),
  )
}
