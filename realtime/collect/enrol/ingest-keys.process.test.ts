import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testDatabase } from '#tests/support/collector.ts'
import { openIngestKeys } from './ingest-keys.ts'

test('a key is known at its first use although no notification came; unknown keys cause five reads a second at most', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'appwarden-keys-'))
  const database = await testDatabase(folder)
  let now = 1_000_000
  // No notification ever arrives.
  const meta = { ...database.meta, listen: async () => () => {} }
  const keys = await openIngestKeys(meta, () => now)
  try {
    const app = await database.makeApp()
    for (let made = 0; made < 3; made++) {
      const { text } = await database.makeKey(app, 'server')
      expect(await keys.byText(text)).toMatchObject({ app, kind: 'server' })
    }
    const before = keys.generation()
    for (let tries = 0; tries < 20; tries++) expect(await keys.byText(`aw_sk_unknown${tries}`)).toBeUndefined()
    expect(keys.generation() - before).toBe(2)
    now += 1000
    const { text } = await database.makeKey(app, 'server')
    expect(await keys.byText(text)).toMatchObject({ app })
  } finally {
    keys.close()
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
