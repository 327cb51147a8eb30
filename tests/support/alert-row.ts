import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { AlertTables } from '#storage/postgres/alert-tables.ts'

type AlertRow = Insertable<AlertTables['alerts']>

/** A row of `alerts`: 168 attacks in a minute from one province, where 100 were allowed; open, and seen by all. */
export const alertRow = (more: Partial<AlertRow> & Pick<AlertRow, 'rule_id' | 'rule_name'>): AlertRow => ({
  id: randomUUID(),
  severity: 'critical',
  apps: null,
  measure: 'attacks',
  by_field: 'province',
  key: '440000',
  filters: '[]',
  window_ms: 60_000,
  cooldown_ms: 0,
  condition: JSON.stringify({ kind: 'threshold', op: 'at_least', value: 100 }),
  value: 168,
  expected: 100,
  usual: null,
  peak: 168,
  total: 276,
  first_end: 1,
  last_end: 1,
  raised_at: Date.now(),
  resolved_at: null,
  ack_at: null,
  ack_by: null,
  ack_note: null,
  silenced: false,
  late: false,
  version: 1,
  ...more,
})
