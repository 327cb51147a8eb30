import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { AuditChange } from '#contracts/audit-change.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Database } from '#storage/postgres/schema.ts'

export type AuditEntry = {
  account: string
  role: string
  action: string
  target: string
  result: string
  address: string
  detail: string
  /** Values before and after of what was changed. */
  changes?: readonly AuditChange[]
}
type Row = Omit<AuditEntry, 'changes'> & { at: number; changes: string }

/**
 * The audit trail: each entry contains SM3 over itself and the hash of the entry before it, so a changed, removed or inserted entry
 * breaks the chain from there on. Retention removes a prefix and keeps its last hash as the anchor that the rest starts from.
 */
const ANCHOR = 'audit.anchor'
/** Advisory lock: one writer at a time over all processes. */
export const AUDIT_LOCK = 0x61_75_64_69
const BLOCK = 2000

export function makeAudit(meta: MetaStore, now: () => number): (entry: AuditEntry) => Promise<void> {
  return (entry) =>
    meta.db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${AUDIT_LOCK})`.execute(tx)
      const last = await tx.selectFrom('audit_log').select('hash').orderBy('id', 'desc').limit(1).executeTakeFirst()
      const previous = last?.hash ?? (await chainBegin(tx)).hash
      const row = { at: now(), ...clean(entry) }
      await tx
        .insertInto('audit_log')
        .values({ ...row, hash: chain(previous, row) })
        .execute()
    })
}

/** Entries in the order of the chain, in blocks; `fits` is false where the stored hash is not the recomputed one. */
export async function* chainBlocks(
  meta: MetaStore,
): AsyncGenerator<readonly { id: number; hash: string; fits: boolean }[]> {
  let { id, hash } = await chainBegin(meta.db)
  for (;;) {
    const rows = await meta.db
      .selectFrom('audit_log')
      .selectAll()
      .where('id', '>', id)
      .orderBy('id')
      .limit(BLOCK)
      .execute()
    if (rows.length === 0) return
    yield rows.map((row) => {
      const fits = chain(hash, row) === row.hash
      ;({ id, hash } = row)
      return { id, hash, fits }
    })
  }
}

/** Whether the stored hash of an entry is the one that follows from it and the hash before it. */
export async function entryFits(meta: MetaStore, id: number): Promise<boolean> {
  const row = await meta.db.selectFrom('audit_log').selectAll().where('id', '=', id).executeTakeFirst()
  const before = await meta.db
    .selectFrom('audit_log')
    .select('hash')
    .where('id', '<', id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined && chain(before?.hash ?? (await chainBegin(meta.db)).hash, row) === row.hash
}

/**
 * Removes the oldest entries up to the first that is not older than `before` (epoch ms), and moves the anchor in the same transaction:
 * the chain keeps whole, and a clock that once went wrong never takes a younger entry along. Answers how many.
 */
export async function retainAudit(meta: MetaStore, before: number): Promise<number> {
  return meta.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${AUDIT_LOCK})`.execute(tx)
    const kept = await tx
      .selectFrom('audit_log')
      .select('id')
      .where('at', '>=', before)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    const last = await tx
      .selectFrom('audit_log')
      .select(['id', 'hash'])
      .$if(kept !== undefined, (query) => query.where('id', '<', kept?.id ?? 0))
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (!last) return 0
    await sql`select set_config('appwarden.retention', 'on', true)`.execute(tx)
    const removed = await tx.deleteFrom('audit_log').where('id', '<=', last.id).executeTakeFirst()
    const newest = tx.selectFrom('audit_checkpoints').select((eb) => eb.fn.max('id').as('id'))
    await tx.deleteFrom('audit_checkpoints').where('entry_id', '<=', last.id).where('id', '<', newest).execute()
    const value = JSON.stringify(last)
    await tx
      .insertInto('settings')
      .values({ key: ANCHOR, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute()
    return Number(removed.numDeletedRows)
  })
}

/** The last entry that retention removed: the chain goes on from its hash. */
export async function chainBegin(db: Kysely<Database>): Promise<{ id: number; hash: string }> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', ANCHOR).executeTakeFirst()
  return (row?.value as { id: number; hash: string } | undefined) ?? { id: 0, hash: '' }
}

function chain(previous: string, row: Row): string {
  const { at, account, role, action, target, result, address, detail, changes } = row
  const fields = [previous, at, account, role, action, target, result, address, detail]
  // Entries of earlier versions have no changes: without them the text is what it was then.
  const text = JSON.stringify(changes === '' ? fields : [...fields, changes])
  return createHash('sm3').update(text).digest('hex')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g
const escapeCharacter = (one: string) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Control and direction characters become visible, long texts are cut: a log line is one line and means what it shows. */
function clean({ changes, ...entry }: AuditEntry): Omit<Row, 'at'> {
  const tidy = (text: string) => text.replace(INVISIBLE, escapeCharacter).slice(0, 500)
  return {
    account: tidy(entry.account),
    role: tidy(entry.role),
    action: tidy(entry.action),
    target: tidy(entry.target),
    result: tidy(entry.result),
    address: tidy(entry.address),
    detail: tidy(entry.detail),
    changes: changes && changes.length > 0 ? JSON.stringify(changes).replace(INVISIBLE, escapeCharacter) : '',
  }
}
