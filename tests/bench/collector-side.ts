import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCollector, testDatabase } from '#tests/support/collector.ts'

/**
 * One collector in a process of its own, for compare.ts: sends its port and a server key to its parent and ends with it. compare.ts copies
 * this file into the checkout of the other revision.
 */
const folder = await mkdtemp(join(tmpdir(), 'aw-side-'))
const database = await testDatabase(folder)
const app = await database.makeApp()
const { text: key } = await database.makeKey(app, 'server')
const collector = await openCollector({
  meta: database.meta,
  folder: join(folder, 'journal'),
  now: Date.now,
  maxBacklogBytes: 1e12,
  keep: false,
})
await collector.app.listen({ host: '127.0.0.1', port: 0 })
process.once('disconnect', async () => {
  await collector.close()
  await database.close()
  await rm(folder, { recursive: true, force: true })
  process.exit()
})
process.send?.({ port: (collector.app.server.address() as AddressInfo).port, key })
