import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { openLocalFiles } from '#storage/files/local-files.ts'
import { fileStoreSuite } from './file-store.ts'

const root = mkdtempSync(join(tmpdir(), 'appwarden-files-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let folders = 0

fileStoreSuite('local folder', () => openLocalFiles(join(root, String(++folders))))

test('unfinished files of a crash are removed a day later, files being written stay, and finished files are readable by their owner only', async () => {
  const folder = join(root, 'again')
  const files = await openLocalFiles(folder)
  const { sha256 } = await files.put(Readable.from(['kept']))
  for (const name of ['half', 'being-written']) writeFileSync(join(folder, 'unfinished', name), 'half')
  const twoDaysAgo = Date.now() / 1000 - 2 * 86_400
  utimesSync(join(folder, 'unfinished', 'half'), twoDaysAgo, twoDaysAgo)
  const again = await openLocalFiles(folder)
  expect(readdirSync(join(folder, 'unfinished'))).toEqual(['being-written'])
  expect(await again.has(sha256)).toBe(true)
  expect(statSync(join(folder, sha256.slice(0, 2), sha256)).mode & 0o077).toBe(0)
})
