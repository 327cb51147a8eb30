import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ScopeBed, startScopeBed } from '#tests/support/scope-bed.ts'
import { at, idFields, NAMING, READING, withValue } from '#tests/support/scope-calls.ts'

/** What endpoints answer to ids of odd types and shapes. */
let bed: ScopeBed
beforeAll(async () => {
  bed = await startScopeBed()
}, 120_000)
afterAll(() => bed?.close())

/** What is sent in place of an id. */
const ODD_TEXTS = [
  ...[
    '',
    ' ',
    '0',
    '-1',
    '1.5',
    '1e3',
    '0x1',
    '9007199254740992',
    '9'.repeat(40),
    '１２',
    '٣',
    'null',
    '[object Object]',
  ],
  ...['..%2f..%2fetc%2fpasswd', '../..', "' or 1=1 --", '%', '\u0000', '\ud800', '😀', 'a'.repeat(5000)],
  '00000000-0000-0000-0000-000000000000',
]
const ODD_VALUES = [-1, 2 ** 53, 1.5, null, true, [], ['1'], {}, { $ne: '' }]

test('[ROLE-01] ids of odd types and shapes are refused and never fail the server', async () => {
  const { alice, bob } = bed
  const failed: string[] = []
  const before = (await bed.tableRows()).filter((row) => row.includes(alice.marker))
  for (const [name, ask] of [...Object.entries(NAMING), ...Object.entries(READING)]) {
    const fields = idFields(ask(alice), ask(bob))
    for (const path of fields) {
      const others = [bob.caseId, bob.group, bob.device].filter((id) => id !== at(ask(bob), path))
      for (const value of [...ODD_TEXTS, ...others, ...(path[0] === 'body' ? ODD_VALUES : [])]) {
        const reply = await bed.call(bed.clients.bob, name, withValue(ask(bob), path, value))
        if (reply.status >= 500 || reply.body['code'] === 500117 || reply.text.includes(alice.marker))
          failed.push(
            `${name} ${path.join('.')} ${JSON.stringify(value).slice(0, 60)}: ${reply.status} ${reply.text.slice(0, 100)}`,
          )
      }
    }
  }
  expect(failed).toEqual([])
  expect((await bed.tableRows()).filter((row) => row.includes(alice.marker))).toEqual(before)
}, 240_000)
