import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { PartSchema } from '#domain/query.ts'
import type { StoreQuery } from '../store-query.ts'
import { AskedBefore } from './asked-before.ts'

const DAY = 86_400_000
const parts = { total: PartSchema.parse({ kind: 'total', measures: ['attacks'] }) }
const folder = mkdtempSync(join(tmpdir(), 'aw-asked-'))
const file = join(folder, 'asked.json')
let clock = Date.UTC(2026, 10, 27)
const week = (): StoreQuery => ({
  span: { from: clock - 7 * DAY, to: clock },
  compared: { from: clock - 14 * DAY, to: clock - 7 * DAY },
  basis: 'occurred',
  filters: [],
  scope: { apps: [3, 4] },
  zone: 'Asia/Shanghai',
})
const open = () => new AskedBefore(folder, () => clock)

afterEach(() => rmSync(file, { force: true }))

test('questions of the time that ends now are asked again of the time that ends now, the newest first, after a restart too', async () => {
  const asked = open()
  asked.add(week(), parts)
  asked.add({ ...week(), span: { from: clock - DAY, to: clock } }, parts)
  await asked.save()
  clock += 3 * DAY
  const [day, sevenDays, ...others] = open().list()
  expect(day?.query.span).toEqual({ from: clock - DAY, to: clock })
  expect(sevenDays).toEqual({ query: week(), parts })
  expect(others).toEqual([])
})

test('the same page a minute later is the same question, and at most 48 questions are kept, the newest', () => {
  const asked = open()
  asked.add(week(), parts)
  clock += 60_000
  asked.add(week(), parts)
  expect(asked.list()).toHaveLength(1)
  for (let app = 1; app <= 60; app++) asked.add({ ...week(), scope: { apps: [app] } }, parts)
  expect(asked.list()).toHaveLength(48)
  expect(asked.list()[0]?.query.scope).toEqual({ apps: [60] })
})

test('single events and periods, which have no aggregates, are not asked again', () => {
  const asked = open()
  const rows = PartSchema.parse({ kind: 'rows', cursor: '1:a' })
  const periods = PartSchema.parse({ kind: 'periods' })
  asked.add(week(), { rows, periods })
  expect(asked.list()).toEqual([])
  asked.add(week(), { rows, ...parts })
  expect(asked.list().map((one) => one.parts)).toEqual([parts])
})

test('no question that names a device, a user, an address or a text of an event reaches the file, nor one of a day in the past', async () => {
  const asked = open()
  for (const field of ['device', 'user', 'address', 'page', 'model', 'version', 'group'] as const)
    asked.add({ ...week(), filters: [{ field, op: 'is', values: ['secret'] }] }, parts)
  const narrowed = PartSchema.parse({
    kind: 'total',
    measures: ['attacks'],
    and: [{ field: 'user', op: 'is', values: ['secret'] }],
  })
  asked.add(week(), { total: narrowed })
  asked.add({ ...week(), span: { from: clock - 2 * DAY, to: clock - DAY } }, parts)
  asked.add({ ...week(), filters: [{ field: 'country', op: 'not', values: ['CN'] }] }, parts)
  asked.add({ ...week(), filters: [{ field: 'page', op: 'not', values: [''] }] }, parts)
  await asked.save()
  expect(open().list()).toHaveLength(2)
  expect(readFileSync(file, 'utf8')).not.toContain('secret')
})

test.each([
  ['torn', '[{"span":{"fro'],
  ['of another version', '[{"question":1}]'],
  ['no list', '{"a":1}'],
  [
    'with an unknown field in a filter',
    '[{"span":{"from":1,"to":0},"basis":"occurred","zone":"UTC","filters":[{"field":"x","op":"is","values":["1"]}],"scope":{"apps":"all"},"parts":{}}]',
  ],
])('a file that is %s counts as empty, and the next question replaces it', async (_what, text) => {
  writeFileSync(file, text)
  const asked = open()
  expect(asked.list()).toEqual([])
  asked.add(week(), parts)
  await asked.save()
  expect(open().list()).toHaveLength(1)
})

test('a folder that cannot be written loses no answer: the questions stay in memory', async () => {
  const asked = new AskedBefore(join(folder, 'missing'), () => clock)
  asked.add(week(), parts)
  await asked.save()
  expect(asked.list()).toHaveLength(1)
})
