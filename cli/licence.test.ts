import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { licenceCommand } from './licence.ts'

const NOW = Date.UTC(2026, 10, 24, 3)
const DAY = 86_400_000
const REQUEST = 'AWR1/AW-0123-4567-89AB-CDEF/3CECEF5A81D4'
const env = { APPWARDEN_LICENCE_PASSWORD: 'a long enough password' }
let folder: string
let key: string
let publicKey: string

async function run(args: readonly string[], now = NOW, given: NodeJS.ProcessEnv = env) {
  const lines: string[] = []
  const code = await licenceCommand(args, given, now, (line) => lines.push(line))
  return { code, text: lines.join('\n') }
}
const issue = (...more: string[]) =>
  run(['issue', '--key', key, '--request', REQUEST, '--customer', '示例银行', ...more])

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'appwarden-licence-'))
  key = join(folder, 'vendor.json')
  const made = await run(['new-key', '--out', key])
  expect(made.code).toBe(0)
  publicKey = made.text.split('\n').at(-1) as string
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('[LIC-01] a new key is a file of mode 0600 that does not hold the key in the clear, and replaces no other', async () => {
  expect(statSync(key).mode & 0o777).toBe(0o600)
  expect(publicKey).toMatch(/^04[0-9a-f]{128}$/)
  expect(Object.keys(JSON.parse(readFileSync(key, 'utf8')))).toEqual([
    'format',
    'public_key',
    'salt',
    'iv',
    'sealed',
    'tag',
  ])
  expect((await run(['new-key', '--out', key])).code).toBe(2)
  expect(
    (await run(['new-key', '--out', join(folder, 'x')], NOW, { APPWARDEN_LICENCE_PASSWORD: 'short' })).text,
  ).toContain('12 characters')
})

test('[LIC-01] an issued licence holds (0), a day later than its end it does not (1), and nor does a changed one', async () => {
  const out = join(folder, 'one.awl')
  const issued = await issue(
    '--until',
    '2027-11-24',
    '--applications',
    '20',
    '--modules',
    'detection,script',
    '--out',
    out,
  )
  expect(issued).toMatchObject({ code: 0 })
  const check = (now: number, ...more: string[]) => run(['check', out, '--public-key', publicKey, ...more], now)
  expect((await check(NOW)).text).toMatch(/^valid[\s\S]*applications {2}20[\s\S]*users +no limit/)
  expect((await check(NOW)).code).toBe(0)
  const json = JSON.parse((await check(NOW, '--format', 'json')).text)
  expect(json).toMatchObject({
    valid: true,
    terms: { applications: 20, users: null, modules: ['detection', 'script'], macs: ['3c:ec:ef:5a:81:d4'] },
  })
  // The days are those of Shanghai: the last moment is before midnight there.
  expect(new Date(json.terms.not_after).toISOString()).toBe('2027-11-24T15:59:59.999Z')
  expect(await check(json.terms.not_after + 1)).toMatchObject({ code: 1, text: expect.stringContaining('expired') })
  expect(await check(json.terms.not_before - 1)).toMatchObject({
    code: 1,
    text: expect.stringContaining('not valid yet'),
  })
  expect(await check(NOW, '--product', 'AW-FFFF-FFFF-FFFF-FFFF')).toMatchObject({ code: 1 })
  expect(await check(NOW, '--here')).toMatchObject({ code: 1, text: expect.stringContaining('another machine') })
  const text = readFileSync(out, 'utf8')
  const at = text.indexOf('AWL1.') + 40
  writeFileSync(join(folder, 'changed.awl'), text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1))
  expect(await run(['check', join(folder, 'changed.awl'), '--public-key', publicKey])).toMatchObject({
    code: 1,
    text: expect.stringContaining('changed'),
  })
  expect((await issue('--until', '2027-11-24', '--out', out)).code).toBe(2)
})

test('what is not understood is exit code 2, with the reason', async () => {
  const other = await run(['new-key', '--out', join(folder, 'other.json')])
  writeFileSync(join(folder, 'text.awl'), 'hello')
  const cases: [string[], RegExp][] = [
    [[], /check FILE, new-key or issue/],
    [['check', join(folder, 'missing.awl'), '--public-key', publicKey], /ENOENT/],
    [['check', join(folder, 'text.awl')], /no vendor key/],
    [['check', join(folder, 'text.awl'), '--public-key', '04ab'], /130 hexadecimal/],
    [['check', 'a', 'b'], /Too many/],
    [['check', '--nothing'], /--nothing/],
    [['issue', '--key', key, '--request', 'x', '--customer', 'A', '--until', '2027-01-01'], /AWR1/],
    [['issue', '--key', key, '--request', REQUEST, '--until', '2027-01-01'], /--customer/],
    [['issue', '--key', key, '--request', REQUEST, '--customer', 'A', '--until', '2027-02-30'], /No such date/],
    [['issue', '--key', key, '--request', REQUEST, '--customer', 'A', '--until', '2025-02-03'], /past/],
    [
      ['issue', '--key', key, '--request', REQUEST, '--customer', 'A', '--until', '2027-02-03', '--from', '2027-03-01'],
      /before --from/,
    ],
    [
      ['issue', '--key', key, '--request', REQUEST, '--customer', 'A', '--until', '2027-02-03', '--modules', 'x'],
      /Unknown module/,
    ],
    [
      ['issue', '--key', key, '--request', REQUEST, '--customer', 'A', '--until', '2027-02-03', '--users', '-1'],
      /--users/,
    ],
    [
      ['issue', '--key', key, '--product', 'AW-1', '--mac', '00', '--customer', 'A', '--until', '2027-02-03'],
      /--product/,
    ],
    [
      ['issue', '--key', key, '--request', REQUEST, '--customer', 'A', '--until', '2027-02-03', '--zone', 'Moon'],
      /No such zone/,
    ],
  ]
  for (const [args, reason] of cases) {
    const { code, text } = await run(args)
    expect(code, args.join(' ')).toBe(2)
    expect(text).toMatch(reason)
  }
  expect(other.code).toBe(0)
  const wrong = await run(
    ['issue', '--key', key, '--request', REQUEST, '--customer', 'A', '--until', '2027-01-01'],
    NOW,
    { APPWARDEN_LICENCE_PASSWORD: 'another long password' },
  )
  expect(wrong).toMatchObject({ code: 2, text: expect.stringContaining('password is wrong') })
  expect(await run(['check', join(folder, 'text.awl'), '--public-key', publicKey], NOW + DAY)).toMatchObject({
    code: 1,
    text: expect.stringContaining('no licence'),
  })
})
