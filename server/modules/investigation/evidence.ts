import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { ProductError } from '#contracts/errors.ts'
import type { EntryBody, NewEntrySchema } from '#contracts/http/investigation.ts'
import type { EventRow } from '#domain/query.ts'
import { subjectText, type TrailStep } from '#domain/trail.ts'
import type { Caller, ServerDeps } from '../../http/module.ts'
import { redactRow } from '../../query/personal.ts'
import { readTrail } from './read-trail.ts'

type NewEntry = z.infer<typeof NewEntrySchema>

/** What an entry freezes of the store: enough to be read when the rows are gone, and the hash of those rows. */
export type Evidence = {
  body: EntryBody
  apps: number[]
  subject: string
  device: string | null
  person: string | null
  hash: string
  rows: number
}

/** Reads what the entry is about, within the caller's scope. Throws data.missing where that finds nothing. */
export async function gatherEvidence(deps: ServerDeps, caller: Caller, entry: NewEntry): Promise<Evidence> {
  if (entry.kind === 'note')
    return { body: { kind: 'note' }, apps: [], subject: '', device: null, person: null, hash: '', rows: 0 }
  if (entry.kind === 'event') return eventEvidence(deps, caller, entry.appid, entry.id)
  const { trail, stops } = await readTrail(deps, caller, entry)
  const { subject } = entry
  const base = {
    subject: subjectText(subject),
    device: subject.kind === 'device' ? subject.key : null,
    person: subject.kind === 'user' ? subject.key : null,
  }
  if (entry.kind === 'subject') {
    const rows = stops.flatMap((stop) => stop.rows)
    const [first, last] = [stops[0], stops.at(-1)]
    if (!first || !last) throw new ProductError('data.missing')
    const { events, attacks } = trail
    const body: EntryBody = { kind: 'subject', subject, events, attacks, first_at: first.from, last_at: last.to }
    return { ...base, body, apps: appsOf(rows), hash: evidenceHash(rows), rows: rows.length }
  }
  if (entry.kind === 'step') {
    const { from, to, type, risk, app, device } = entry
    const same = (one: TrailStep) =>
      one.from === from &&
      one.to === to &&
      one.type === type &&
      one.risk === risk &&
      one.app === app &&
      one.device === device
    const at = stops.find(({ steps }) => steps.some(same))
    const step = at?.steps.find(same)
    if (!at || !step) throw new ProductError('data.missing')
    const rows = at.rows.filter(
      (row) =>
        row.occurredAt >= from &&
        row.occurredAt <= to &&
        row.type === type &&
        row.risk === risk &&
        row.app === app &&
        (device === '' || row.device === device),
    )
    const { country, province, city } = at.place
    const { level, count } = step
    return {
      ...base,
      subject: `${base.subject}@${from}-${to}.${app}.${risk || type}`,
      body: {
        kind: 'step',
        subject,
        place: { country, province, city },
        step: { type, risk, level, app, device, from, to, count },
      },
      apps: appsOf(rows),
      hash: evidenceHash(rows),
      rows: rows.length,
    }
  }
  const stop = stops.find(({ from, to }) => from === entry.from && to === entry.to)
  if (!stop) throw new ProductError('data.missing')
  const { number, place, from, to, events, attacks, move } = stop
  const { country, province, city } = place
  const body: EntryBody = {
    kind: 'stop',
    subject,
    number,
    place: { country, province, city },
    from,
    to,
    events,
    attacks,
    move: move && { km: move.km, ms: move.ms, kmh: move.kmh, impossible: move.impossible },
  }
  return {
    ...base,
    // Another stop of the same subject is another entry.
    subject: `${base.subject}@${from}-${to}`,
    body,
    apps: appsOf(stop.rows),
    hash: evidenceHash(stop.rows),
    rows: stop.rows.length,
  }
}

async function eventEvidence(deps: ServerDeps, caller: Caller, appid: string, id: string): Promise<Evidence> {
  const app = Number(appid)
  const { apps } = caller.scope
  const row = apps === 'all' || apps.includes(app) ? await deps.store.event(app, id) : undefined
  if (!row) throw new ProductError('data.missing')
  return {
    // A copy outlives retention: it never holds more of an address than retention would leave.
    body: { kind: 'event', event: redactRow(row) },
    apps: [app],
    subject: `event:${app}:${row.id}`,
    device: row.device,
    person: row.user || null,
    hash: evidenceHash([row]),
    rows: 1,
  }
}

function appsOf(rows: readonly EventRow[]): number[] {
  return [...new Set(rows.map(({ app }) => Number(app)))].sort((a, b) => a - b)
}

/**
 * SHA-256, hex, over one line a row in order of time and id: what the evidence was, for a holder of the rows. Addresses take no part:
 * retention shortens them.
 */
export function evidenceHash(rows: readonly EventRow[]): string {
  const lines = rows.map((row) =>
    JSON.stringify([
      row.app,
      row.id,
      row.type,
      row.risk,
      row.level,
      row.action,
      row.occurredAt,
      row.receivedAt,
      row.device,
      row.user,
      row.version,
      row.country,
      row.province,
      row.city,
    ]),
  )
  const hash = createHash('sha256')
  for (const line of lines.sort()) hash.update(`${line}\n`)
  return hash.digest('hex')
}
