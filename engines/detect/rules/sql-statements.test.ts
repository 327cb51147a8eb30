import { describe, expect, test } from 'vitest'
import { type Argument, type Body, method } from '#tests/support/code-body.ts'
import type { WrittenDexClass } from '#tests/support/dex-writer.ts'
import { judgeOne } from '#tests/support/judge-item.ts'

const STORE = 'Lorg/maker/app/Store;'
const SCREEN = 'Lorg/maker/app/Screen;'
const DATABASE = 'Landroid/database/sqlite/SQLiteDatabase;'
const BUILDER = 'Ljava/lang/StringBuilder;'
const STRING = 'Ljava/lang/String;'
const ASK = `ask(${STRING})V`

const joined = (body: Body, ...parts: Argument[]) => {
  const builder = body.make(BUILDER)
  for (const part of parts) body.virtual(`${BUILDER}->append(${STRING})${BUILDER}`, builder, part)
  return body.virtual(`${BUILDER}->toString()${STRING}`, builder)
}
const run = (body: Body, statement: Argument) => void body.virtual(`${DATABASE}->execSQL(${STRING})V`, null, statement)
const typed = (body: Body) =>
  body.virtual(
    'Ljava/lang/Object;->toString()Ljava/lang/String;',
    body.virtual('Landroid/widget/EditText;->getText()Landroid/text/Editable;', null),
  )
const element = (body: Body) =>
  body.virtual(
    'Ljava/lang/Object;->toString()Ljava/lang/String;',
    body.interface('Ljava/util/List;->get(I)Ljava/lang/Object;', null, 0),
  )

type Statement = (body: Body) => Argument
/** A method that runs its parameter, and callers that hand these statements to it. */
const handing = (...statements: Statement[]) => [
  { name: STORE, methods: [method(`static ${ASK}`, (body) => run(body, body.parameter(0)))] },
  callers(...statements),
]
const callers = (...statements: Statement[]): WrittenDexClass => ({
  name: SCREEN,
  methods: statements.map((statement, n) =>
    method(`static click${n}(I${STRING})V`, (body) => void body.static(`${STORE}->${ASK}`, statement(body))),
  ),
})
const found = (classes: readonly WrittenDexClass[]) =>
  judgeOne('android-sql-injection-local', { classes }).findings.map(
    ({ evidence, detail }) => `${evidence.method?.replace(/\(.*/, '')}: ${detail.en}`,
  )
const PARTS = 'puts an SQL statement together from parts'
const WHOLE = 'runs an SQL statement that comes from outside as a whole'

describe('[DET-05] SQL statements that a method takes from its callers', () => {
  test('a statement that the user types, or another application asks a provider for, is a finding where it is run', () => {
    expect(found(handing(typed))).toEqual([`ask: ${WHOLE}`])
    const path: Statement = (body) => body.virtual(`Landroid/net/Uri;->getLastPathSegment()${STRING}`, null)
    expect(found(handing(path))).toEqual([`ask: ${WHOLE}`])
    const direct = { name: STORE, methods: [method('static ask()V', (body) => run(body, typed(body)))] }
    expect(found([direct])).toEqual([`ask: ${WHOLE}`])
  })

  test('a statement that a caller joins with a text that is no constant is a finding', () => {
    const named: Statement = (body) => joined(body, "select * from users where name='", body.parameter(1), "'")
    expect(found(handing(named))).toEqual([`ask: ${PARTS}`])
    expect(found(handing((body) => joined(body, 'delete from t where a=', element(body))))).toEqual([`ask: ${PARTS}`])
    expect(found(handing(() => 'select 1', named))).toEqual([`ask: ${PARTS}`])
  })

  test('a method that callers hand constants to is no finding, and a method without callers is not either', () => {
    expect(
      found(
        handing(
          () => 'select * from t',
          () => 'delete from t',
        ),
      ),
    ).toEqual([])
    expect(found(handing((body) => joined(body, 'select * from ', 'users')))).toEqual([])
    expect(found(handing())).toEqual([])
  })

  test('a caller that makes a table does not hide one that asks for a name', () => {
    const create: Statement = (body) => joined(body, 'CREATE TABLE ', body.parameter(1))
    expect(found(handing(create))).toEqual([])
    expect(found(handing(create, (body) => joined(body, 'select * from t where a=', typed(body))))).toEqual([
      `ask: ${PARTS}`,
    ])
  })

  test('numbers in any form are no way to write SQL', () => {
    for (const text of [
      (body: Body) => body.static(`Ljava/lang/Integer;->toString(I)${STRING}`, body.parameter(0)),
      (body: Body) => body.static(`Ljava/lang/Long;->toHexString(J)${STRING}`, 5),
      (body: Body) =>
        body.static(
          `${STRING}->valueOf(Ljava/lang/Object;)${STRING}`,
          body.static('Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;', body.parameter(0)),
        ),
    ])
      expect(found(handing((body) => joined(body, 'select * from t where id=', text(body))))).toEqual([])
  })

  test('a part that is a parameter counts as what all callers give for it', () => {
    const store = {
      name: STORE,
      methods: [
        method(`static ${ASK}`, (body) => run(body, joined(body, 'select * from t where name=', body.parameter(0)))),
      ],
    }
    expect(
      found([
        store,
        callers(
          () => 'users',
          () => 'orders',
        ),
      ]),
    ).toEqual([])
    expect(found([store, callers(() => 'users', element)])).toEqual([`ask: ${PARTS}`])
    expect(found([store])).toEqual([`ask: ${PARTS}`])
  })

  test('a field that initialisers alone write is a constant', () => {
    const table = `${STORE}->table:${STRING}`
    const store = (write: (body: Body) => void, ...more: ReturnType<typeof method>[]) => ({
      name: STORE,
      staticFields: [{ name: `table:${STRING}`, flags: 0x08 }],
      methods: [
        method('static <clinit>()V', (body) => body.put(table, 'users')),
        method(`static ${ASK}`, (body) => run(body, body.parameter(0))),
        method('static all()V', write),
        ...more,
      ],
    })
    const all = (body: Body) =>
      void body.static(`${STORE}->${ASK}`, joined(body, 'select * from t where name=', body.field(table)))
    expect(found([store(all)])).toEqual([])
    const set = method(`static set(${STRING})V`, (body) => body.put(table, body.parameter(0)))
    expect(found([store(all, set)])).toEqual([`ask: ${PARTS}`])
  })

  test('the name of a table cannot be bound: put in by code alone it is a low finding', () => {
    const store = (...parts: readonly (string | null)[]) => ({
      name: STORE,
      methods: [
        method(`static ${ASK}`, (body) => run(body, joined(body, ...parts.map((part) => part ?? body.parameter(0))))),
      ],
    })
    const level = (made: WrittenDexClass) => judgeOne('android-sql-injection-local', { classes: [made] }).level
    expect(level(store('DELETE FROM ', null))).toBe('low')
    expect(level(store('DELETE FROM ', null, ' WHERE name=', null))).toBe('middle')
  })

  test('libraries that run statements, and statements that a library hands to a wrapper, are no finding of own code', () => {
    const run1 = method(ASK, (body) => run(body, body.parameter(1)))
    const library = 'Landroidx/sqlite/db/framework/FrameworkSQLiteDatabase;'
    const calling = (name: string, of: string, statement: Statement): WrittenDexClass => ({
      name,
      methods: [
        method(`static click(${STRING})V`, (body) => void body.virtual(`${of}->${ASK}`, null, statement(body))),
      ],
    })
    expect(found([{ name: library, methods: [run1] }, calling(SCREEN, library, typed)])).toEqual([])
    const wrapper = {
      name: STORE,
      interfaces: ['Landroidx/sqlite/db/SupportSQLiteDatabase;'],
      methods: [run1],
    }
    const room = calling('Landroidx/room/RoomDatabase;', STORE, (body) =>
      joined(body, 'delete from ', body.parameter(0)),
    )
    expect(found([wrapper, room])).toEqual([])
    expect(found([wrapper, calling(SCREEN, STORE, typed)])).toEqual([`ask: ${WHOLE}`])
  })
})
