import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeClockWatch } from './clock-watch.ts'
import { productCodeOf, readMacs } from './machine.ts'

const MINUTE = 60_000

function watched() {
  const at = { wall: Date.UTC(2026, 10, 24), steady: 0 }
  const watch = makeClockWatch(
    () => at.wall,
    () => at.steady,
  )
  /** The machine runs so many minutes; its clock shows `jump` more. */
  const run = (minutes: number, jump = 0) => {
    at.wall += minutes * MINUTE + jump
    at.steady += minutes * MINUTE
    return watch.observe()
  }
  return { at, run }
}

test('[LIC-01] a time is believed once the clock has run evenly for ten minutes', () => {
  const { at, run } = watched()
  expect(run(9)).toBe(0)
  expect(run(1)).toBe(at.wall)
})

test('[LIC-01] a jump ahead that is corrected within ten minutes leaves no trace', () => {
  const { at, run } = watched()
  run(10)
  expect(run(1, 400 * 24 * 60 * MINUTE)).toBe(0)
  expect(run(5)).toBe(0)
  expect(run(1, -400 * 24 * 60 * MINUTE)).toBe(0)
  expect(run(10)).toBe(at.wall)
})

test('the small drift of a clock that is kept right is no jump', () => {
  const { at, run } = watched()
  for (let i = 0; i < 12; i++) run(1, i % 2 ? 900 : -900)
  expect(run(1)).toBe(at.wall)
})

test('[LIC-01] hardware addresses are those of adapters with a device, whether up or not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'appwarden-net-'))
  const adapter = (name: string, address: string, hasDevice: boolean) => {
    mkdirSync(join(folder, name, ...(hasDevice ? ['device'] : [])), { recursive: true })
    writeFileSync(join(folder, name, 'address'), `${address}\n`)
  }
  adapter('eno2', '3C:EC:EF:5A:81:D5', true)
  adapter('eno1', '3c:ec:ef:5a:81:d4', true)
  adapter('docker0', '02:42:ac:11:00:02', false)
  adapter('lo', '00:00:00:00:00:00', false)
  adapter('odd', 'none', true)
  expect(readMacs(folder)).toEqual(['3c:ec:ef:5a:81:d4', '3c:ec:ef:5a:81:d5'])
  rmSync(folder, { recursive: true })
})

test('[LIC-01] the product code follows from the master secret alone', () => {
  const secret = () => Buffer.from('00112233445566778899'.padEnd(64, '0'), 'hex')
  expect(productCodeOf(secret)).toBe('AW-008J-4CT4-ANK7-F24S')
  expect(productCodeOf(secret)).toMatch(/^AW(-[0-9A-HJKMNP-TV-Z]{4}){4}$/)
})
