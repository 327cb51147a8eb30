import { ProductError } from '#contracts/errors.ts'
import type { QuarantinedEvent } from '#contracts/telemetry/stored-event.ts'
import type { Select } from '../duckdb/select.ts'
import type { EventStore } from '../port.ts'
import { scopeSql } from '../query/compile-query.ts'
import type { Dialect } from '../query/dialect.ts'

/** One page, newest first, and how many there are by reason (whatever reason the page is narrowed to). */
export async function listQuarantine(
  { scope, reason, cursor, limit }: Parameters<EventStore['quarantined']>[0],
  select: Select,
  dialect: Dialect,
): Promise<Awaited<ReturnType<EventStore['quarantined']>>> {
  const conditions = [scopeSql(scope, dialect)]
  if (reason !== undefined) conditions.push(`reason = ${dialect.lit(reason)}`)
  if (cursor !== undefined) conditions.push(after(cursor))
  const found = await select(
    `SELECT seq, received, app, reason, event_id, device, note, raw FROM quarantine WHERE ${conditions.join(' AND ')} ORDER BY received DESC, seq DESC LIMIT ${limit + 1}`,
  )
  const counts = await select(
    `SELECT reason, count(*) AS c FROM quarantine WHERE ${scopeSql(scope, dialect)} GROUP BY reason ORDER BY c DESC, reason`,
  )
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return {
    rows: page.map(
      ([, receivedAt, app, why, eventId, device, note, raw]) =>
        ({
          receivedAt: Number(receivedAt),
          app: Number(app),
          reason: why,
          eventId,
          device,
          note,
          raw,
        }) as QuarantinedEvent,
    ),
    counts: counts.map(([why, count]) => ({ reason: why as string, count: Number(count) })),
    ...(found.length > limit && last && { nextCursor: `${last[1]}.${last[0]}` }),
  }
}

function after(cursor: string): string {
  const match = /^(\d{1,15})\.(\d{1,15})$/.exec(cursor)
  if (!match) throw new ProductError('input.invalid', { detail: 'cursor' })
  return `(received < ${match[1]} OR (received = ${match[1]} AND seq < ${match[2]}))`
}
