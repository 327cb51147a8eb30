import { DETECTION_KINDS, TASK_STATES } from '#contracts/detection.ts'
import type { DetectionTask } from '#contracts/http/detection.ts'
import { csvLine } from '../../jobs/csv.ts'

const HEAD = {
  zh: [
    '任务',
    '应用',
    '名称',
    '包名',
    '版本',
    'MD5',
    '检测类型',
    '策略',
    '状态',
    '说明',
    '门禁',
    '评分',
    '高危',
    '中危',
    '低危',
    '提示',
    '已忽略',
    '未评估',
    '加固壳',
    '操作员',
    '创建',
    '开始',
    '结束',
  ],
  en: [
    'Task',
    'Application',
    'Name',
    'Package',
    'Version',
    'MD5',
    'Kinds',
    'Strategy',
    'State',
    'Note',
    'Gate',
    'Score',
    'High',
    'Middle',
    'Low',
    'Info',
    'Suppressed',
    'Not assessed',
    'Packer',
    'Operator',
    'Created',
    'Started',
    'Ended',
  ],
} as const
/** Without it spreadsheets take Chinese for something else. */
const BYTE_ORDER_MARK = '\ufeff'

/** Tasks as a spreadsheet opens them: words in a language, times in UTC. */
export function tasksCsv(tasks: readonly DetectionTask[], language: 'zh' | 'en'): string {
  const time = (at: number | null) => (at === null ? null : new Date(at).toISOString())
  const lines = tasks.map((task) =>
    csvLine([
      task.id,
      task.app_name,
      task.name,
      task.package_id,
      task.version,
      task.md5,
      task.kinds.map((kind) => DETECTION_KINDS[kind][language]).join('; '),
      task.strategy.name[language],
      TASK_STATES[task.state][language],
      task.note,
      task.gate,
      task.score,
      task.counts?.high ?? null,
      task.counts?.middle ?? null,
      task.counts?.low ?? null,
      task.counts?.info ?? null,
      task.suppressed,
      task.not_assessed,
      task.packer,
      task.by,
      time(task.created_at),
      time(task.started_at),
      time(task.ended_at),
    ]),
  )
  return [BYTE_ORDER_MARK, csvLine(HEAD[language]), ...lines].join('')
}
