import { statistics } from '#contracts/http/statistics.ts'
import type { RowsAnswer, TotalAnswer } from '#domain/query.ts'
import type { Api } from '../support/api.ts'
import { waitFor } from '../support/running-server.ts'
import type { Sent } from './sender.ts'
import type { watchWall } from './wall-watch.ts'

type Check = (name: string, ok: boolean, note?: string) => void

/** Nothing acknowledged is lost, nothing counts twice: rows, counters and the wall against what was sent. */
export async function checkEvents(check: Check, api: Api, sent: Sent): Promise<void> {
  const counts = `${sent.ids.size} events, ${sent.retries} retries, ${sent.duplicates} answered as duplicates`
  check('every event was acknowledged in the end', sent.unacknowledged === 0, counts)
  const hasAll = async () => (await total(api, 'received')) === sent.ids.size
  await waitFor(hasAll, 30_000, 'the store to hold all').catch(() => {})
  const stored = await allIds(api)
  const missing = [...sent.ids].filter((id) => !stored.ids.has(id)).length
  check('every acknowledged event is in the store', missing === 0, `${missing} missing`)
  check('no event is there twice', stored.rows === stored.ids.size, `${stored.rows} rows, ${stored.ids.size} ids`)
  const [received, occurred] = [await total(api, 'received'), await total(api, 'occurred')]
  const equal = received === stored.rows && occurred === stored.rows
  check('counters equal rows', equal, `${received} / ${occurred} / ${stored.rows}`)
}

/** The wall counts today's: fewer than were sent where midnight of the platform's zone, or a clock set back behind it, came in between. */
export async function checkWall(check: Check, api: Api, wall: ReturnType<typeof watchWall>, sent: Sent): Promise<void> {
  const stored = await total(api, 'received', 'attacks')
  check('every attack counts as one', stored === sent.attacks, `${stored} of ${sent.attacks}`)
  const today = await total(api, 'received', 'attacks', 'today')
  await waitFor(() => wall.attacksToday() === today, 10_000, 'the wall to count all').catch(() => {})
  check("the wall counts today's attacks", wall.attacksToday() === today, `${wall.attacksToday()} of ${today}`)
  const [gaps, caughtUp] = [wall.gaps(), wall.caughtUp()]
  check('each interruption of the wall ended in a snapshot', caughtUp >= gaps, `${gaps} gaps, ${caughtUp} snapshots`)
}

/** Counts once the store answers again: after a kill it first reads back what it had not checkpointed. */
async function total(
  api: Api,
  timeBasis: 'received' | 'occurred',
  measure: 'events' | 'attacks' = 'events',
  range: '-24h' | 'today' = '-24h',
): Promise<number> {
  const answer = await patiently(api, {
    body: { query: { range, timeBasis }, parts: { all: { kind: 'total', measures: [measure] } } },
  })
  return (answer.parts['all'] as TotalAnswer).row[measure] ?? 0
}

async function allIds(api: Api): Promise<{ rows: number; ids: Set<string> }> {
  const ids = new Set<string>()
  let rows = 0
  for (let cursor: string | undefined; ; ) {
    const part = { kind: 'rows' as const, limit: 200, ...(cursor && { cursor }) }
    const answer = await api(statistics, {
      body: { query: { range: '-24h', timeBasis: 'received' }, parts: { page: part } },
    })
    const page = answer.parts['page'] as RowsAnswer
    for (const row of page.rows) ids.add(row.id)
    rows += page.rows.length
    cursor = page.nextCursor
    if (!cursor) return { rows, ids }
  }
}

async function patiently(api: Api, input: Parameters<typeof api<typeof statistics>>[1]) {
  for (const end = Date.now() + 60_000; ; ) {
    try {
      return await api(statistics, input)
    } catch (error) {
      if (Date.now() > end) throw error
      await new Promise((wake) => setTimeout(wake, 200))
    }
  }
}
