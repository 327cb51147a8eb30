import { mkdirSync } from 'node:fs'
import { processOptions, startProcess, stopWith, tellSupervisor } from '#runtime/start-process.ts'
import type { DatabaseAddress } from '#storage/postgres/database.ts'
import packageFile from '../../package.json' with { type: 'json' }
import { readConfig } from '../config.ts'
import { composeCollector } from './compose-collector.ts'
import { portProblem } from './port-problem.ts'

/** Owner of the public port and of the journal; takes events in (role `ingest`). Its options: {database}. */
startProcess('collector')
const { database } = processOptions<{ database: DatabaseAddress }>()
const config = readConfig(process.env, packageFile.version)
mkdirSync(config.paths.keys, { recursive: true, mode: 0o700 })

try {
  const collector = await composeCollector(config, database)
  stopWith(collector.close)
  await collector.ready
  tellSupervisor({ ready: true })
} catch (error) {
  const problem = portProblem(error, config)
  if (!problem) throw error
  process.send?.({ hopeless: problem }, () => process.exit(1))
}
