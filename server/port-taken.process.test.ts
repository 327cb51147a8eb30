import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startProgram } from './programs.ts'

test('a port that another program holds ends the start with one clear sentence and exit code 1, before any store is made', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const folder = mkdtempSync(join(tmpdir(), 'appwarden-port-'))
  const env = { ...process.env, PORT: String(port), HOST: '127.0.0.1', APPWARDEN_DATA: folder }
  const child = startProgram('main', [], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  const [code] = await once(child, 'close')
  other.close()
  expect(code).toBe(1)
  const lines = said.trim().split('\n')
  expect(lines.filter((line) => line.includes('Port'))).toEqual([
    expect.stringContaining(
      `Port ${port} is in use: another program listens at 127.0.0.1:${port}. Stop it or set PORT.`,
    ),
  ])
  expect(existsSync(join(folder, 'postgres', 'data'))).toBe(false)
  rmSync(folder, { recursive: true, force: true })
})
