import { sql } from 'kysely'
import pg from 'pg'
import type { DatabaseAddress } from '#storage/postgres/database.ts'
import type { Check, CheckDeps, Found } from './check.ts'
import { nothing } from './event-store-checks.ts'
import { expectedSchema, presentSchema } from './expected-schema.ts'

/** Runs the work with a connection of its own, in a transaction that changes nothing: the extension for it goes again. */
async function withAmcheck<T>(address: DatabaseAddress, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(address)
  await client.connect()
  try {
    await client.query('begin')
    await client.query('create extension if not exists amcheck')
    return await work(client)
  } finally {
    await client.query('rollback').catch(() => {}) // the connection ends anyway
    await client.end()
  }
}

type IndexRow = { name: string; valid: boolean; btree: boolean }
const INDEXES = `select x.indexrelid::regclass::text as name, x.indisvalid and x.indisready as valid, a.amname = 'btree' as btree
  from pg_index x join pg_class i on i.oid = x.indexrelid join pg_am a on a.oid = i.relam
  where i.relnamespace = 'public'::regnamespace order by 1`

/** Indexes agree with their tables (amcheck: order, and an entry for each row) and are in use. */
const indexes: Check = {
  id: 'database.indexes',
  find: ({ database }, signal) =>
    withAmcheck(database, async (client) => {
      const { rows } = await client.query<IndexRow>(INDEXES)
      const found: Found[] = []
      for (const { name, valid, btree } of rows) {
        signal.throwIfAborted()
        if (!valid) found.push({ name, text: 'index_invalid', repairable: true })
        else if (btree) {
          const detail = await problemOf(client, 'select bt_index_check($1::regclass, true)', [name])
          if (detail !== undefined) found.push({ name, text: 'index_damaged', params: { detail }, repairable: true })
        }
      }
      return { checked: rows.length, found }
    }),
  /** The names come from find(): of an index in this database, quoted where need be. */
  async repair({ meta }, { name }) {
    const row = await sql<{ name: string | null }>`select to_regclass(${name})::text as name`.execute(meta.db)
    if (row.rows[0]?.name !== name) throw new Error('there is no such index any more')
    await sql`reindex index ${sql.raw(name)}`.execute(meta.db)
  },
}

/** The message of a statement that fails, without ending the transaction. */
async function problemOf(client: pg.Client, text: string, values: unknown[]): Promise<string | undefined> {
  await client.query('savepoint one')
  try {
    await client.query(text, values)
    return undefined
  } catch (error) {
    await client.query('rollback to savepoint one')
    return (error as Error).message
  }
}

/** Everything that the migrations of this version make is there. */
const schema: Check = {
  id: 'database.schema',
  async find({ database }) {
    const expected = await expectedSchema(database)
    const present = new Map((await presentSchema(database)).map((one) => [`${one.kind} ${one.key}`, one.definition]))
    const found = expected.flatMap(({ kind, key, definition }): Found[] => {
      const name = `${kind} ${key}`
      const there = present.get(name)
      if (there === definition) return []
      if (kind === 'column') return there === undefined ? [{ name, text: 'table_missing', repairable: false }] : []
      return [{ name, text: there === undefined ? 'object_missing' : 'object_differs', repairable: true }]
    })
    return { checked: expected.length, found }
  },
  async repair({ database, meta }, { name, text }) {
    const wanted = (await expectedSchema(database)).find(({ kind, key }) => `${kind} ${key}` === name)
    if (!wanted) throw new Error('this version does not have it')
    const { kind, key, definition } = wanted
    await meta.db.transaction().execute(async (tx) => {
      const run = (statement: string) => sql.raw(statement).execute(tx)
      const [table = '', own = ''] = key.split('.')
      if (text === 'object_differs' && kind === 'index') await run(`drop index ${key}`)
      if (text === 'object_differs' && kind === 'constraint') await run(`alter table ${table} drop constraint ${own}`)
      if (text === 'object_differs' && kind === 'trigger') await run(`drop trigger ${own} on ${table}`)
      await run(definition)
    })
  },
}

/** Pages of the tables (amcheck, verify_heapam): what is wrong there cannot be repaired. */
const pages: Check = {
  id: 'database.pages',
  find: ({ database }, signal) =>
    withAmcheck(database, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        `select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
      )
      const found: Found[] = []
      for (const { name } of rows) {
        signal.throwIfAborted()
        await client.query('savepoint one')
        try {
          const bad = await client.query<{ block: string; detail: string }>(
            'select blkno::text as block, min(msg) as detail from verify_heapam($1::regclass) group by blkno order by blkno limit 20',
            [name],
          )
          for (const { block, detail } of bad.rows)
            found.push({ name, text: 'page_damaged', params: { block, detail }, repairable: false })
        } catch (error) {
          await client.query('rollback to savepoint one')
          const detail = (error as Error).message
          const block = /block (\d+)/.exec(detail)?.[1] ?? '?'
          found.push({ name, text: 'page_damaged', params: { block, detail }, repairable: false })
        }
      }
      return { checked: rows.length, found }
    }),
  repair: nothing,
}

type SequenceRow = { name: string; table: string; column: string }

/** Numbers that are given next are free. */
const sequences: Check = {
  id: 'database.sequences',
  async find(deps) {
    const rows = await listSequences(deps)
    const found: Found[] = []
    for (const { name, table, column } of rows) {
      const { next, most } = await positionOf(deps, { name, table, column })
      if (most >= next)
        found.push({ name: `${table}.${column}`, text: 'sequence_behind', params: { next, most }, repairable: true })
    }
    return { checked: rows.length, found }
  },
  async repair(deps, { name }) {
    const row = (await listSequences(deps)).find(({ table, column }) => `${table}.${column}` === name)
    if (!row) throw new Error('there is no such sequence any more')
    const { most } = await positionOf(deps, row)
    await sql`select setval(${row.name}::regclass, ${most}::bigint)`.execute(deps.meta.db)
  },
}

async function listSequences({ meta }: Pick<CheckDeps, 'meta'>): Promise<SequenceRow[]> {
  const { rows } = await sql<SequenceRow>`
    select s.oid::regclass::text as name, c.oid::regclass::text as table, quote_ident(a.attname) as column
    from pg_class s join pg_depend d on d.objid = s.oid and d.deptype in ('a', 'i') and d.refclassid = 'pg_class'::regclass
      join pg_class c on c.oid = d.refobjid join pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid
    where s.relkind = 'S' and s.relnamespace = 'public'::regnamespace order by 2`.execute(meta.db)
  return rows
}

async function positionOf({ meta }: Pick<CheckDeps, 'meta'>, { name, table, column }: SequenceRow) {
  const { rows } = await sql<{ next: string; most: string }>`
    select (select last_value + is_called::int from ${sql.raw(name)})::text as next,
      (select coalesce(max(${sql.raw(column)}), 0) from ${sql.raw(table)})::text as most`.execute(meta.db)
  return { next: Number(rows[0]?.next), most: Number(rows[0]?.most) }
}

export const DATABASE_CHECKS: readonly Check[] = [indexes, schema, pages, sequences]
