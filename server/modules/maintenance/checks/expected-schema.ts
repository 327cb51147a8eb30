import pg from 'pg'
import { type DatabaseAddress, openDatabase } from '#storage/postgres/database.ts'

/** What a table of this version has. `key` is its name in the schema, `definition` the statement that makes it. */
export type SchemaObject = {
  kind: 'column' | 'function' | 'constraint' | 'index' | 'trigger'
  key: string
  definition: string
}

const OBJECTS = `
  select 'column' as kind, format('%I.%I', c.relname, a.attname) as key, format_type(a.atttypid, a.atttypmod) as definition
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
  union all select 'function', p.oid::regprocedure::text, pg_get_functiondef(p.oid) from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
      and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  union all select 'constraint', format('%I.%I', c.relname, o.conname),
      format('alter table %s add constraint %I %s', c.oid::regclass, o.conname, pg_get_constraintdef(o.oid))
    from pg_constraint o join pg_class c on c.oid = o.conrelid
    where o.connamespace = 'public'::regnamespace and o.contype in ('p', 'u', 'f', 'c')
  union all select 'index', i.relname::text, pg_get_indexdef(x.indexrelid)
    from pg_index x join pg_class i on i.oid = x.indexrelid
    where i.relnamespace = 'public'::regnamespace
      and not exists (select 1 from pg_constraint o where o.conindid = x.indexrelid and o.contype in ('p', 'u'))
  union all select 'trigger', format('%I.%I', c.relname, t.tgname), pg_get_triggerdef(t.oid)
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'public'::regnamespace and not t.tgisinternal`

/** Objects of the schema as they are. Functions first, since triggers and indexes name them; primary keys before foreign keys. */
export async function presentSchema(address: DatabaseAddress): Promise<SchemaObject[]> {
  const client = new pg.Client(address)
  await client.connect()
  try {
    const { rows } = await client.query<SchemaObject>(OBJECTS)
    return rows.sort((a, b) => orderOf(a) - orderOf(b))
  } finally {
    await client.end()
  }
}

function orderOf({ kind, definition }: SchemaObject): number {
  if (kind === 'constraint') return / foreign key /i.test(definition) ? 3 : 2
  return { column: 0, function: 1, index: 4, trigger: 5 }[kind]
}

let expected: Promise<SchemaObject[]> | undefined

/** As makeExpectedSchema() has it: made once for each process, since its version has one schema. */
export function expectedSchema(address: DatabaseAddress): Promise<SchemaObject[]> {
  expected ??= makeExpectedSchema(address).catch((error: unknown) => {
    expected = undefined
    throw error
  })
  return expected
}

/**
 * Objects that the migrations of this version make: they run in a database of their own, which is dropped again. Throws where the account
 * may not create one.
 */
async function makeExpectedSchema(address: DatabaseAddress): Promise<SchemaObject[]> {
  const name = `appwarden_schema_${process.pid}`
  const client = new pg.Client(address)
  await client.connect()
  try {
    await client.query(`drop database if exists ${name}`)
    await client.query(`create database ${name} template template0`)
    try {
      const other = inDatabase(address, name)
      const made = await openDatabase(other, { migrate: true, connections: 1 })
      await made.close()
      return await presentSchema(other)
    } finally {
      await client.query(`drop database if exists ${name} with (force)`)
    }
  } finally {
    await client.end()
  }
}

function inDatabase(address: DatabaseAddress, database: string): DatabaseAddress {
  if (!address.connectionString) return { ...address, database }
  const url = new URL(address.connectionString)
  url.pathname = `/${database}`
  return { ...address, connectionString: url.href }
}
