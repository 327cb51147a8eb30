import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { entryBytes } from '#engines/zip/entry-bytes.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import { writeZip } from '#tests/support/zip-writer.ts'
import { jsguardCommand } from './jsguard.ts'

let folder: string
const at = (name: string) => join(folder, name)
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'jsguard-'))
  mkdirSync(at('web/js'), { recursive: true })
  writeFileSync(at('web/js/pay.js'), 'function pay(amount) { return "secret words " + amount }')
  writeFileSync(at('web/js/bad.js'), 'var a = 1\nfunction broken( {')
  writeFileSync(at('web/index.html'), '<script src="js/pay.js"></script>')
  writeFileSync(at('one.js'), 'function pay(amount) { return "secret words " + amount }')
})
afterAll(() => rmSync(folder, { recursive: true }))

async function run(args: string[], scriptSeconds?: number) {
  let text = ''
  const code = await jsguardCommand(
    args,
    (line) => {
      text += `${line}\n`
    },
    scriptSeconds,
  )
  return { code, text }
}

test('[JS-01] one script: 0 and the protected script, its map apart', async () => {
  const { code, text } = await run([at('one.js'), '--out', at('out/one.js'), '--preset', 'high', '--maps', at('maps')])
  expect([code, text]).toEqual([0, expect.stringContaining('high')])
  expect(readFileSync(at('out/one.js'), 'utf8')).not.toContain('secret words')
  expect(JSON.parse(readFileSync(at('maps/one.js.map'), 'utf8'))).toMatchObject({ version: 3 })
})

test('a folder: 1 where a file keeps its original, which is named with line and column; other files are copied', async () => {
  const { code, text } = await run([at('web'), '--out', at('out/web'), '--preset', 'low', '--format', 'json'])
  const { files } = JSON.parse(text) as { files: { file: string; outcome: string; line: number; column: number }[] }
  expect(code).toBe(1)
  expect(files).toMatchObject([
    { file: 'js/bad.js', outcome: 'kept', line: 2, column: 19 },
    { file: 'js/pay.js', outcome: 'protected' },
  ])
  expect(readFileSync(at('out/web/js/bad.js'), 'utf8')).toBe('var a = 1\nfunction broken( {')
  expect(readFileSync(at('out/web/index.html'), 'utf8')).toBe('<script src="js/pay.js"></script>')
  expect(readFileSync(at('out/web/js/pay.js'), 'utf8')).toMatch(/^function pay\(|function pay\(/)
})

test('an archive keeps its order and its other entries', async () => {
  const entries = [
    { name: 'z.js', data: 'var secret = "text of z"' },
    { name: 'a.txt', data: 'text' },
  ]
  writeFileSync(at('in.zip'), writeZip(entries))
  expect((await run([at('in.zip'), '--out', at('out/in.zip')])).code).toBe(0)
  const zip = readZip(readFileSync(at('out/in.zip')))
  expect(zip.entries.map(({ name }) => name)).toEqual(['z.js', 'a.txt'])
  expect(Buffer.from(entryBytes(zip, zip.entries[1]!)).toString()).toBe('text')
  expect(Buffer.from(entryBytes(zip, zip.entries[0]!)).toString()).not.toContain('text of z')
})

test('2 and nothing written for what is not understood, unreadable or refused', async () => {
  writeFileSync(at('bomb.zip'), writeZip([{ name: '../a.js', data: 'var a' }]))
  writeFileSync(at('a.txt'), 'text')
  const wrong = [
    [],
    [at('one.js')],
    [at('one.js'), '--out', at('one.js')],
    [at('one.js'), '--out', at('x.js'), '--preset', 'extreme'],
    [at('one.js'), '--out', at('x.js'), '--until', 'tomorrow'],
    [at('one.js'), '--out', at('x.js'), '--from', '2027-01-02', '--until', '2027-01-01'],
    [at('one.js'), '--out', at('x.js'), '--domains', 'http://a'],
    [at('one.js'), '--out', at('x.js'), '--wrong'],
    [at('none.js'), '--out', at('x.js')],
    [at('a.txt'), '--out', at('x.js')],
    [at('web/js/bad.js'), '--out', at('x.js')],
    [at('bomb.zip'), '--out', at('x.js')],
  ]
  for (const args of wrong) expect((await run(args)).code, args.join(' ')).toBe(2)
  expect(existsSync(at('x.js'))).toBe(false)
  expect((await run([at('a.txt'), '--out', at('x.js')])).text).toContain('JS format!')
})

test('a script over the time limit is stopped: it keeps its original, the others of its folder are protected', async () => {
  mkdirSync(at('slow'))
  const slow = Array.from({ length: 20_000 }, (_one, n) => `function f${n}(a){return 'text number ${n}'+a*${n}}`).join(
    '\n',
  )
  writeFileSync(at('slow/a.js'), slow)
  writeFileSync(at('slow/b.js'), 'var b = "text"')
  const { code, text } = await run([at('slow'), '--out', at('out/slow'), '--preset', 'low', '--format', 'json'], 1.5)
  const { files } = JSON.parse(text) as { files: { reason: string }[] }
  expect(code).toBe(1)
  expect(files).toMatchObject([
    { file: 'a.js', outcome: 'kept', reason: 'over the time limit' },
    { file: 'b.js', outcome: 'protected', strength: 'low' },
  ])
  expect(readFileSync(at('out/slow/a.js'), 'utf8')).toBe(slow)
  expect(readFileSync(at('out/slow/b.js'), 'utf8')).not.toBe('var b = "text"')
}, 60_000)
