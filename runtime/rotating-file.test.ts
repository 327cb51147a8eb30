import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openRotatingFile } from './rotating-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rotating-'))
  time = Date.now()
})
let unmount: (() => void) | undefined
afterEach(() => {
  unmount?.()
  unmount = undefined
  rmSync(folder, { recursive: true, force: true })
})
let time: number
const open = (at: string, maxBytes = 100) =>
  openRotatingFile({
    path: join(at, 'one.log'),
    maxBytes,
    keep: 2,
    maxAgeMs: 86_400_000,
    now: () => time,
    lostLine: (count, reason) => `${count} lost: ${reason}\n`,
  })

test('a log never takes more than its files times their size, the newest lines stay, and only its owner reads them', () => {
  const file = open(folder)
  for (let n = 0; n < 100; n++) file.write(`line ${String(n).padStart(3, '0')}\n`)
  file.close()
  const names = readdirSync(folder).sort()
  expect(names).toEqual(['one.1.log', 'one.2.log', 'one.log'])
  for (const name of names) {
    const { size, mode } = statSync(join(folder, name))
    expect(size).toBeLessThanOrEqual(100)
    expect(mode & 0o777).toBe(0o600)
  }
  expect(readFileSync(join(folder, 'one.log'), 'utf8')).toMatch(/line 099\n$/)
})

test('a log is continued after a restart and rotated when its first line is a day old; old rotated files are removed', () => {
  writeFileSync(join(folder, 'one.1.log'), '', { flag: 'a' })
  utimesSync(join(folder, 'one.1.log'), new Date(time - 3 * 86_400_000), new Date(time - 3 * 86_400_000))
  open(folder).write('first\n')
  expect(readdirSync(folder)).toEqual(['one.log'])
  const file = open(folder)
  file.write('second\n')
  expect(readFileSync(join(folder, 'one.log'), 'utf8')).toBe('first\nsecond\n')
  time += 86_400_000 + 60_000 // the file was made a little after `time`
  file.write('third\n')
  expect(readFileSync(join(folder, 'one.log'), 'utf8')).toBe('third\n')
  expect(readFileSync(join(folder, 'one.1.log'), 'utf8')).toBe('first\nsecond\n')
})

test('a full disk costs log lines and throws nothing; the next line that fits reports how many were lost', ({
  skip,
}) => {
  try {
    writeFileSync(join(folder, 'x'), '')
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'pipe' })
    unmount = () => execFileSync('umount', ['-l', folder])
  } catch {
    skip('mounting a small file system is not permitted here')
  }
  const file = open(folder, 1024 * 1024)
  file.write('begin\n')
  let fill = 0
  for (;;)
    try {
      writeFileSync(join(folder, `fill${fill}`), Buffer.alloc(4096))
      fill++
    } catch {
      break
    }
  for (let n = 0; n < 1000; n++) file.write(`${'x'.repeat(100)}\n`)
  expect(file.lost()).toBeGreaterThan(900)
  rmSync(join(folder, 'fill0'))
  time += 2000
  file.write('end\n')
  expect(file.lost()).toBe(0)
  expect(readFileSync(join(folder, 'one.log'), 'utf8')).toMatch(/\n\d+ lost: ENOSPC\nend\n$/)
})

test('lines are lost for a second at most after the clock was set back', () => {
  const file = open(join(folder, 'missing'))
  writeFileSync(join(folder, 'missing'), 'a file where the folder should be')
  file.write('one\n')
  expect(file.lost()).toBe(1)
  rmSync(join(folder, 'missing'))
  time -= 3_600_000
  file.write('two\n')
  expect(file.lost()).toBe(0)
  expect(readFileSync(join(folder, 'missing', 'one.log'), 'utf8')).toBe('1 lost: EEXIST\ntwo\n')
})
