import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { logsCommand } from './logs.ts'

const folder = mkdtempSync(join(tmpdir(), 'logs-'))
afterAll(() => rmSync(folder, { recursive: true }))
const line = (process: string, time: number, level: number, msg: string) =>
  `${JSON.stringify({ level, time, process, pid: 1, msg })}\n`
writeFileSync(join(folder, 'store.1.log'), line('store', 1, 30, 'oldest'))
writeFileSync(join(folder, 'store.log'), `${line('store', 3, 50, 'third')}torn {`)
writeFileSync(join(folder, 'console.log'), line('console', 2, 30, 'second'))

async function run(...args: string[]): Promise<string[]> {
  const lines: string[] = []
  await logsCommand(args, folder, (text) => lines.push(text))
  return lines.map((text) => text.slice(20).replace(/\s+/g, ' '))
}

test('logs of all processes are shown in the order of their times, filtered by level, process and number', async () => {
  expect(await run()).toEqual(['info store oldest', 'info console second', 'error store third'])
  expect(await run('--level', 'warn')).toEqual(['error store third'])
  expect(await run('--process', 'console,relay')).toEqual(['info console second'])
  expect(await run('--lines', '1')).toEqual(['error store third'])
  await expect(run('--level', 'loud')).rejects.toThrow('--level knows trace, debug')
})

test('--process postgres shows the lines that the supervisor logs for PostgreSQL', async () => {
  const text = JSON.stringify({ level: 30, time: 0, process: 'supervisor', child: 'postgres', pid: 1, msg: 'ready' })
  writeFileSync(join(folder, 'supervisor.log'), `${text}\n${line('supervisor', 0, 30, 'starts')}`)
  expect(await run('--process', 'postgres')).toEqual(['info supervisor ready'])
  rmSync(join(folder, 'supervisor.log'))
})

test('--follow shows new lines, also those after a rotation', async () => {
  const stop = new AbortController()
  const shown: string[] = []
  const running = logsCommand(['--follow', '--lines', '0'], folder, (text) => shown.push(text.slice(37)), stop.signal)
  await sleep(50)
  appendFileSync(join(folder, 'console.log'), line('console', 4, 30, 'fresh'))
  await sleep(700)
  renameSync(join(folder, 'console.log'), join(folder, 'console.1.log'))
  writeFileSync(join(folder, 'console.log'), line('console', 5, 30, 'after rotation'))
  await sleep(700)
  stop.abort()
  await running
  expect(shown).toEqual(['fresh', 'after rotation'])
})
