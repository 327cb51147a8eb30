import { mkdirSync } from 'node:fs'
import type { DatabaseAddress } from '#storage/postgres/database.ts'
import packageFile from '../../package.json' with { type: 'json' }
import { readConfig } from '../config.ts'
import { composeApp } from './compose-app.ts'

/** Web, collector and relay in one process (APPWARDEN_ROLES picks among them); the only writer of the journal. */
const { database } = JSON.parse(process.argv[2] ?? '{}') as { database: DatabaseAddress }
const config = readConfig(process.env, packageFile.version)
mkdirSync(config.paths.keys, { recursive: true, mode: 0o700 })

const app = await composeApp(config, database)
process.send?.({ ready: true })

let stopping = false
const stop = async () => {
  if (stopping) return
  stopping = true
  await app.close()
  process.exit(0)
}
process.on('SIGTERM', stop)
process.on('SIGINT', () => {}) // a Ctrl+C reaches the whole group; the supervisor tells us in its order
process.on('disconnect', stop) // the supervisor is gone: nobody would stop us later
