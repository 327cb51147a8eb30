import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { closeLog, log, openLog } from './log.ts'
import { humanLine, parseLogLine } from './log-line.ts'
import { redactText } from './redact.ts'

const folder = mkdtempSync(join(tmpdir(), 'log-'))
afterEach(() => {
  closeLog()
  rmSync(folder, { recursive: true, force: true })
})

test('a log line has level, process, request id and cause, and no secret of its fields or texts', () => {
  openLog({ process: 'console', folder, terminal: 'fatal' })
  const cause = new Error('connect postgres://appwarden:hunter2@db/x failed', {
    cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED', parameters: ['secret person'] }),
  })
  log
    .child({ request: 'r1' })
    .error(
      { err: cause, headers: { cookie: 'sid=abc', authorization: 'x' }, password: 'p1', key: 'aw_sk_0123456789abcdef' },
      'cannot answer: Authorization: Bearer abcdef.ghi token=t0ken',
    )
  log.debug('not written')
  const text = readFileSync(join(folder, 'console.log'), 'utf8')
  const line = parseLogLine(text)
  expect(line).toMatchObject({
    level: 50,
    process: 'console',
    pid: process.pid,
    request: 'r1',
    err: { type: 'Error', cause: { code: 'ECONNREFUSED', message: 'refused' } },
  })
  for (const secret of ['hunter2', 'sid=abc', 'p1"', '0123456789abcdef', 'abcdef.ghi', 't0ken', 'secret person'])
    expect(text).not.toContain(secret)
  expect(text).toContain('aw_sk_[redacted]')
  expect(text.trim().split('\n')).toHaveLength(1)
})

test('texts without secrets are not changed', () => {
  for (const text of ['the token of the journal', 'see https://example.com/a@b', 'password rule', '/api/x?page=2'])
    expect(redactText(text)).toBe(text)
})

test('the short form of a line fits a terminal: one line, no control characters', () => {
  const line = { level: 50, time: 0, process: 'store', msg: 'a\u001b[2Jb\nc', err: { code: 'EIO', message: 'x' } }
  expect(humanLine(line)).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d error store {6}a \[2Jb c: EIO: x$/)
})
