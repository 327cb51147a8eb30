import { mkdirSync } from 'node:fs'
import { log } from '#runtime/log.ts'
import { processOptions, startProcess, stopWith, tellSupervisor } from '#runtime/start-process.ts'
import type { DatabaseAddress } from '#storage/postgres/database.ts'
import packageFile from '../../package.json' with { type: 'json' }
import { readConfig } from '../config.ts'
import { library } from '../modules/knowledge/library.ts'
import { courseLibrary } from '../modules/training/course-library.ts'
import { composeConsole } from './compose-console.ts'

/** Pages and API (role `web`), behind the collector's public port. Its options: {database}. */
startProcess('console')
const { database } = processOptions<{ database: DatabaseAddress }>()
const config = readConfig(process.env, packageFile.version)
mkdirSync(config.paths.keys, { recursive: true, mode: 0o700 })

const app = await composeConsole(config, database)
stopWith(app.close)
tellSupervisor({ ready: true })
// The first search does not wait for the index.
setTimeout(() => {
  try {
    library().warm()
    courseLibrary()
  } catch (error) {
    log.error({ err: error }, 'knowledge: the articles and courses could not be read')
  }
}, 10_000).unref()
