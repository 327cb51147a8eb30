import { randomUUID } from 'node:crypto'
import { ProductError } from '#contracts/errors.ts'
import {
  addEntry,
  type Case,
  type CaseEntry,
  caseById,
  cases,
  deleteCase,
  type EntryBody,
  removeEntry,
  saveCase,
} from '#contracts/http/investigation.ts'
import { truncateAddress } from '#domain/truncate-address.ts'
import type { Caller, Module } from '../../http/module.ts'
import { mayReveal } from '../../query/personal.ts'
import { findCase, listCases, readEntries, toEntry } from './case-store.ts'
import { gatherEvidence } from './evidence.ts'

const MOST_ENTRIES = 500

/** Cases: what analysts pin and note, by whom and when; and their report. */
export const casesModule: Module = (mount, deps) => {
  const { db } = deps.meta

  mount(cases, async ({ query, caller }) => ({ data: await listCases(db, caller, query) }))

  mount(caseById, async ({ query, caller }) => {
    const data = await findCase(db, caller, query.id)
    const { entries, withheld } = await readEntries(db, caller, data.id)
    return { data, entries: entries.map((entry) => revealed(caller, entry)), withheld }
  })

  mount(saveCase, async ({ body, caller, audit }) => {
    const now = deps.now()
    const id = body.id ?? randomUUID()
    const values = { title: body.title, state: body.state, updated_at: now }
    audit(`case ${body.title}`, body.id ? `${body.state}${body.take ? ', taken over' : ''}` : 'opened')
    if (body.id === undefined) {
      const fresh = { id, owner_id: caller.userId, version: 1, created_at: now, closed_at: null, ...values }
      await db.insertInto('cases').values(fresh).execute()
      return { data: await findCase(db, caller, id) }
    }
    const found = await findCase(db, caller, id)
    const wanted = body.version ?? found.version
    const closedAt = body.state === 'closed' ? (found.closed_at ?? now) : null
    const { numUpdatedRows } = await db
      .updateTable('cases')
      .set({
        ...values,
        closed_at: closedAt,
        version: wanted + 1,
        ...(body.take && { owner_id: caller.userId }),
      })
      .where('id', '=', id)
      .where('version', '=', wanted)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new ProductError('data.conflict')
    return { data: await findCase(db, caller, id) }
  })

  mount(deleteCase, async ({ body, caller, audit }) => {
    const found = await findCase(db, caller, body.id)
    if (!found.own) throw new ProductError('data.missing')
    await db.deleteFrom('cases').where('id', '=', found.id).execute()
    audit(`case ${found.title}`, `${found.entries} entries`)
    return {}
  })

  mount(addEntry, async ({ body, caller, audit }) => {
    const into = openCase(await findCase(db, caller, body.case_id))
    if (into.entries >= MOST_ENTRIES) throw new ProductError('quota.reached', { detail: String(MOST_ENTRIES) })
    const { body: frozen, rows, ...evidence } = await gatherEvidence(deps, caller, body.entry)
    audit(`case ${into.title}`, `${frozen.kind} ${evidence.subject}`.trim())
    const same = await alreadyIn(into.id, frozen.kind, evidence.subject)
    if (same) return { data: revealed(caller, same) }
    const entry: CaseEntry = {
      id: randomUUID(),
      body: frozen,
      note: body.entry.note,
      author: caller.username,
      at: deps.now(),
      hash: evidence.hash,
      rows,
    }
    await db.transaction().execute(async (transaction) => {
      const { apps, subject, device, person, hash } = evidence
      await transaction
        .insertInto('case_entries')
        .values({
          id: entry.id,
          case_id: into.id,
          kind: frozen.kind,
          apps,
          subject,
          device,
          person,
          body: JSON.stringify(frozen),
          note: entry.note,
          author: entry.author,
          at: entry.at,
          hash,
          row_count: rows,
        })
        .execute()
      await transaction.updateTable('cases').set({ updated_at: entry.at }).where('id', '=', into.id).execute()
    })
    return { data: revealed(caller, entry) }
  })

  /** What is pinned twice stays one entry; notes may be alike. */
  async function alreadyIn(caseId: string, kind: EntryBody['kind'], subject: string): Promise<CaseEntry | undefined> {
    if (kind === 'note') return undefined
    const row = await db
      .selectFrom('case_entries')
      .selectAll()
      .where('case_id', '=', caseId)
      .where('kind', '=', kind)
      .where('subject', '=', subject)
      .executeTakeFirst()
    return row && toEntry(row)
  }

  mount(removeEntry, async ({ body, caller, audit }) => {
    const row = await db
      .selectFrom('case_entries')
      .select(['case_id', 'kind', 'subject'])
      .where('id', '=', body.id)
      .executeTakeFirst()
    if (!row) throw new ProductError('data.missing')
    const from = openCase(await findCase(db, caller, row.case_id))
    const { entries } = await readEntries(db, caller, from.id)
    if (!entries.some(({ id }) => id === body.id)) throw new ProductError('data.missing')
    await db.deleteFrom('case_entries').where('id', '=', body.id).execute()
    await db.updateTable('cases').set({ updated_at: deps.now() }).where('id', '=', from.id).execute()
    audit(`case ${from.title}`, `${row.kind} ${row.subject}`.trim())
    return {}
  })
}

function openCase(one: Case): Case {
  if (one.state === 'closed') throw new ProductError('case.closed')
  return one
}

/** An address that was pinned is as personal as in the rows. */
function revealed(caller: Caller, entry: CaseEntry): CaseEntry {
  const { body } = entry
  if (mayReveal(caller) || !('subject' in body) || body.subject.kind !== 'address') return entry
  return { ...entry, body: { ...body, subject: { kind: 'address', key: truncateAddress(body.subject.key) } } }
}
