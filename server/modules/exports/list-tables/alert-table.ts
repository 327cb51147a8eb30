import {
  ALERT_MEASURES,
  ALERT_WINDOWS,
  type Alert,
  type AlertState,
  type Condition,
  isRunMeasure,
  RULE_WINDOWS,
} from '#domain/alerts.ts'
import { LEVELS } from '#domain/vocabulary.ts'
import { toAlert } from '../../alerts/alert-row.ts'
import { selectAlerts } from '../../alerts/select-alerts.ts'
import type { ExportedList } from '../../jobs/job-rows.ts'
import type { ExportTable } from '../export-tables.ts'
import { type ListSource, listTable } from './list-table.ts'

const PAGE = 1000
const STATES: Record<AlertState, { zh: string; en: string }> = {
  firing: { zh: '触发中', en: 'Firing' },
  acknowledged: { zh: '已确认', en: 'Acknowledged' },
  resolved: { zh: '已结束', en: 'Over' },
}

/** Alerts newest first, as the list shows them, with their condition spelt out. */
export async function alertTable(
  list: Extract<ExportedList, { of: 'alerts' }>,
  source: ListSource,
): Promise<ExportTable> {
  const { meta, scope, now, words, language, auth } = source
  const { total } = await selectAlerts(meta, scope, { ...list, auth }, now)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  async function* pages(): AsyncGenerator<Alert[]> {
    for (let after: { at: number; id: string } | undefined; ; ) {
      const rows = await selectAlerts(meta, scope, { ...list, auth, after }, now)
        .selectAll()
        .orderBy('raised_at', 'desc')
        .orderBy('id')
        .limit(PAGE)
        .execute()
      yield rows.map(toAlert)
      const last = rows.at(-1)
      if (!last || rows.length < PAGE) return
      after = { at: last.raised_at, id: last.id }
    }
  }
  return listTable<Alert>(
    [
      ['编号', 'Id', (one) => one.id],
      ['等级', 'Level', (one) => LEVELS[one.severity][language]],
      ['状态', 'State', (one) => STATES[one.state][language]],
      ['规则', 'Rule', (one) => one.rule.name],
      ['拆分', 'Split', (one) => (one.by ? words.dimension(one.by) : '')],
      ['拆分值', 'Value of the split', (one) => (one.by ? words.value(one.by, one.key) : '')],
      ['指标', 'Measure', (one) => ALERT_MEASURES[one.measure][language]],
      ['条件', 'Condition', (one) => conditionText(one.condition)],
      [
        '窗口',
        'Window',
        (one) => (isRunMeasure(one.measure) ? RULE_WINDOWS.run[language] : windowText(one.window_ms, language)),
      ],
      ['最新值', 'Newest', (one) => one.value],
      ['阈值', 'Threshold', (one) => one.expected],
      ['平时', 'Usual level', (one) => one.usual],
      ['最高', 'Highest', (one) => one.peak],
      ['合计', 'Total', (one) => one.total],
      ['开始', 'From', (one) => words.time(one.from)],
      ['到', 'To', (one) => words.time(one.to)],
      ['告警时间', 'Raised at', (one) => words.time(one.raised_at)],
      ['结束时间', 'Over at', (one) => words.time(one.resolved_at)],
      ['确认时间', 'Acknowledged at', (one) => words.time(one.acknowledged?.at ?? null)],
      ['确认人', 'Acknowledged by', (one) => one.acknowledged?.by ?? ''],
      ['确认说明', 'Note', (one) => one.acknowledged?.note ?? ''],
      ['已静默', 'Silenced', (one) => words.yesNo(one.silenced)],
      ['迟到数据触发', 'Late', (one) => words.yesNo(one.late)],
    ],
    source,
    total,
    pages(),
  )
}

/** Short and the same in both languages: the columns beside it name measure and window. */
function conditionText(condition: Condition): string {
  if (condition.kind === 'threshold') return `${condition.op === 'below' ? '<' : '≥'} ${condition.value}`
  const { direction, factor, minimum } = condition
  return direction === 'rise' ? `≥ × ${factor} (≥ ${minimum})` : `≤ ÷ ${factor} (≥ ${minimum})`
}

function windowText(ms: number, language: 'zh' | 'en'): string {
  return Object.values(ALERT_WINDOWS).find((one) => one.ms === ms)?.[language] ?? `${ms / 60_000} min`
}
