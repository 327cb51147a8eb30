import { SCORE_RULES, SCORE_WINDOW_DAYS } from '#domain/device-score.ts'
import { MIN_LISTED_SCORE, type ScoredDevice } from '#storage/events/device-port.ts'
import { knownBuilds } from '../../baselines/baseline-rows.ts'
import type { ExportedList } from '../../jobs/job-rows.ts'
import { deviceVerdictWords } from '../device-verdict-words.ts'
import type { ExportTable } from '../export-tables.ts'
import { type ListSource, listTable } from './list-table.ts'

/** A page adds up all scores again, so pages are long. */
const PAGE = 5000
const DAY_MS = 86_400_000

type Line = ScoredDevice & { verdicts: string }

/** Devices by score, highest first, with what gave the points. */
export async function suspiciousTable(
  list: Extract<ExportedList, { of: 'suspicious_devices' }>,
  source: ListSource,
): Promise<ExportTable> {
  const { meta, store, scope, zone, now, words, language } = source
  const ask = {
    span: { from: now - SCORE_WINDOW_DAYS * DAY_MS, to: now + 1 },
    scope,
    filters: list.filters,
    zone,
    ...(await knownBuilds(meta.db, scope)),
  }
  const from = list.from ?? MIN_LISTED_SCORE
  const page = (offset: number) => store.scores(ask, { from, limit: PAGE, offset })
  const first = await page(0)
  async function* pages(): AsyncGenerator<Line[]> {
    for (let { rows } = first, offset = 0; rows.length > 0; { rows } = await page(offset)) {
      const devices = rows.map(({ device }) => device)
      const verdicts = await deviceVerdictWords(meta, scope, words, language, devices)
      yield rows.map((row) => ({ ...row, verdicts: verdicts.get(row.device) ?? '' }))
      offset += rows.length
      if (offset >= first.total) return
    }
  }
  const reasons = ({ hits }: ScoredDevice) =>
    hits.map(({ rule, count, points }) => {
      const known = SCORE_RULES.find(({ id }) => id === rule)
      return `${known?.[language] ?? rule} ×${count} +${points}`
    })
  return listTable<Line>(
    [
      ['设备', 'Device', (one) => one.device],
      ['评分', 'Score', (one) => one.score],
      ['依据', 'Reasons', (one) => reasons(one).join('; ')],
      ['处置', 'Verdict', (one) => one.verdicts],
      ['最近依据', 'Last reason', (one) => words.time(one.lastAt)],
    ],
    source,
    first.total,
    pages(),
  )
}
