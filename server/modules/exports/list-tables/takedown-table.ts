import {
  TAKEDOWN_STATES,
  TAKEDOWN_WAYS,
  type Takedown,
  type TakedownState,
} from '#contracts/http/monitoring/takedowns.ts'
import { COPY_VERDICTS } from '#contracts/http/monitoring/tasks.ts'
import type { ExportedList } from '../../jobs/job-rows.ts'
import { findTask } from '../../monitoring/monitor-rows.ts'
import { listTakedowns, takedownsOf } from '../../monitoring/takedown-rows.ts'
import type { ExportTable } from '../export-tables.ts'
import { type ListSource, listTable } from './list-table.ts'

const PAGE = 200

/** Takedown requests that the filters leave, in the list's order, with the day of each state. */
export async function takedownTable(
  { filters }: Extract<ExportedList, { of: 'takedowns' }>,
  source: ListSource,
): Promise<ExportTable> {
  const { meta, words, language } = source
  await findTask(meta, source, filters.id)
  const { total } = await takedownsOf(meta, filters)
    .select(({ fn }) => fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow()
  async function* pages(): AsyncGenerator<Takedown[]> {
    for (let offset = 0; ; offset += PAGE) {
      const rows = await listTakedowns(meta, takedownsOf(meta, filters), language, { limit: PAGE, offset })
      yield rows
      if (rows.length < PAGE) return
    }
  }
  const last = (one: Takedown, ...states: TakedownState[]) => one.steps.findLast(({ state }) => states.includes(state))
  const time = (one: Takedown, ...states: TakedownState[]) => words.time(last(one, ...states)?.at ?? null)
  return listTable<Takedown>(
    [
      ['名称', 'Name', (one) => one.label || one.package],
      ['包名', 'Package', (one) => one.package],
      ['版本', 'Version', (one) => one.version],
      ['SHA-256', 'SHA-256', (one) => one.sha256],
      ['判定', 'Verdict', (one) => COPY_VERDICTS[one.verdict][language]],
      ['渠道', 'Channel', (one) => one.market_name],
      ['状态', 'State', (one) => TAKEDOWN_STATES[one.state][language]],
      ['起草时间', 'Drafted at', (one) => words.time(one.created_at)],
      ['起草人', 'Drafted by', (one) => last(one, 'drafted')?.by ?? ''],
      ['发送时间', 'Sent at', (one) => time(one, 'sent')],
      ['发送方式', 'Sent by way of', (one) => wayOf(last(one, 'sent')?.way ?? null)],
      ['发送人', 'Sent by', (one) => last(one, 'sent')?.by ?? ''],
      ['答复时间', 'Answered at', (one) => time(one, 'answered', 'refused')],
      ['下架时间', 'Removed at', (one) => time(one, 'removed')],
      ['重新上架时间', 'Back on offer at', (one) => time(one, 'returned')],
      ['备注', 'Note', (one) => one.steps.findLast(({ note }) => note)?.note ?? ''],
    ],
    source,
    Number(total),
    pages(),
  )

  function wayOf(way: Takedown['steps'][number]['way']): string {
    return way === null ? '' : TAKEDOWN_WAYS[way][language]
  }
}
