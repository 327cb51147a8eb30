import type { EventStore } from '#storage/events/port.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { type AlertRow, tellAlert, tellOpened, writeTotal } from './alert-row.ts'
import { countSpan, type Usual } from './count-window.ts'
import { onlyGrows } from './judge.ts'
import { judgeWindow } from './judge-window.ts'
import { recordWindow, setProgress } from './record-window.ts'
import { countsEvents, type EventRule, windowOf } from './rule-row.ts'
import { closedUpTo, dueWindows, endAtOrBefore, LATE_MS, runningEnd } from './windows.ts'

/** Usual levels of windows that may be judged again; oldest leave first. */
const USUALS = 600

export type EvaluatorDeps = {
  meta: MetaStore
  store: Pick<EventStore, 'answer' | 'status'>
  zone(): string
  /** Epoch ms. */
  now(): number
}
export type Evaluator = {
  /** Judges every window that came due. Rejects with server.store_down while the store is away: nothing is skipped, the next round goes on. */
  round(): Promise<{ windows: number; changed: number }>
}

/**
 * Judges the windows of all enabled rules over stored rows. What it knows lies in the metadata store, so it may end at any point and
 * another process may go on; one at a time works in a cluster (server/modules/alerts/alerts-job.ts holds the lock).
 */
export function createEvaluator({ meta, store, zone, now }: EvaluatorDeps): Evaluator {
  const usuals = new Map<string, Promise<Usual>>()
  function usualFor(rule: EventRule, end: number, work: () => Promise<Usual>): Promise<Usual> {
    const key = `${rule.id} ${rule.version} ${end}`
    const known = usuals.get(key) ?? work()
    usuals.set(key, known)
    known.catch(() => usuals.delete(key)) // who awaits it sees the error; asked again next time
    for (const oldest of usuals.keys()) {
      if (usuals.size <= USUALS) break
      usuals.delete(oldest)
    }
    return known
  }

  async function judge(rule: EventRule, end: number, pass: number | null): Promise<number | undefined> {
    const { ms, step } = windowOf(rule)
    const span = { from: end - ms, to: end }
    const hits = await judgeWindow(store, rule, span, zone(), (work) => usualFor(rule, end, work))
    if (pass === null && hits.length === 0) return 0
    const changed = await recordWindow(meta, rule, { from: span.from, end, step, pass, hits }, now())
    if (!changed) return undefined
    for (const row of changed) {
      const whole = await withTotal(rule, row)
      await tellAlert(meta, whole)
      await tellOpened(meta, whole, now())
    }
    return changed.length
  }

  /** The exact count from the alert's beginning to its end. */
  async function withTotal(rule: EventRule, row: AlertRow): Promise<AlertRow> {
    const span = { from: row.first_end - row.window_ms, to: row.last_end }
    const and = row.filters.filter(({ field }) => field === 'origin' || field === row.by_field)
    const whole = { ...rule, by_field: null }
    const total = (await countSpan(store, whole, span, zone(), and)).get('') ?? 0
    return writeTotal(meta, row, total)
  }

  async function roundOf(rule: EventRule, closedTo: number): Promise<{ windows: number; changed: number }> {
    const progress = await meta.db.selectFrom('alert_progress').selectAll().where('rule_id', '=', rule.id).execute()
    let [windows, changed] = [0, 0]
    for (const pass of LATE_MS.keys()) {
      const before = progress.find((one) => one.pass === pass)?.upto
      if (before === undefined) {
        await setProgress(meta.db, rule.id, pass, endAtOrBefore(closedTo, rule.time_window))
        continue
      }
      const due = dueWindows(rule.time_window, pass, before, closedTo)
      for (const end of due.ends) {
        const found = await judge(rule, end, pass)
        if (found === undefined) return { windows, changed }
        windows++
        changed += found
      }
      if (due.ends.length === 0 && due.upto !== before) await setProgress(meta.db, rule.id, pass, due.upto)
    }
    if (onlyGrows(rule.condition)) changed += (await judge(rule, runningEnd(rule.time_window, closedTo), null)) ?? 0
    return { windows, changed }
  }

  return {
    async round() {
      const at = now()
      const closedTo = closedUpTo(at, await store.status())
      const rules = await meta.db
        .selectFrom('alert_rules')
        .selectAll()
        .where('enabled', '=', true)
        .where('deleted_at', 'is', null)
        .orderBy('id')
        .execute()
      let [windows, changed] = [0, 0]
      for (const rule of rules.filter(countsEvents)) {
        const done = await roundOf(rule, closedTo)
        windows += done.windows
        changed += done.changed
      }
      return { windows, changed }
    },
  }
}
