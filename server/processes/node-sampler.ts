import { hostname } from 'node:os'
import type { Settings } from '#contracts/http/settings.ts'
import type { IngestStatus } from '#realtime/collect/collector.ts'
import type { RelayStatus } from '#realtime/relay/relay.ts'
import { supervisedProcesses } from '#runtime/start-process.ts'
import type { StoreStatus } from '#storage/events/port.ts'
import type { DiskJournal } from '#storage/journal/open-journal.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Config } from '../config.ts'
import type { Health } from '../http/http-deps.ts'
import { folderSize } from '../modules/environment/folder-size.ts'
import { measureDatabase } from '../modules/environment/measure-database.ts'
import { createMachineMeter, machineSource } from '../modules/environment/measure-machine.ts'
import { createProcessMeter, processSource } from '../modules/environment/measure-processes.ts'
import { createSampler, type Sampler } from '../modules/environment/sampler.ts'

/** The sampler of this node, in the collector: every node has one, and most figures are there already. */
export function nodeSampler(parts: {
  config: Config
  meta: MetaStore
  journal: DiskJournal
  settings(): Settings
  now(): number
  /** Undefined where the node has not the role, or the process is away. */
  ingest(): IngestStatus | undefined
  relay(): Promise<RelayStatus | undefined>
  store(): StoreStatus & { known: boolean }
  health(): Promise<Health>
}): Sampler {
  const { config, meta, journal, now } = parts
  const measureProcesses = createProcessMeter(processSource(now))
  return createSampler({
    meta,
    node: `${hostname()}:${config.port}`,
    version: config.version,
    roles: config.roles,
    settings: () => parts.settings().environment,
    machine: createMachineMeter(machineSource(config.dataFolder, now)),
    processes: () => measureProcesses(supervisedProcesses()),
    database: (at) => measureDatabase(meta, at),
    async figures() {
      const [{ stores, backlog }, relay, journalSize] = await Promise.all([
        parts.health(),
        parts.relay(),
        folderSize(config.paths.journal),
      ])
      const store = parts.store()
      return {
        stores: { events: stores.events, journal: stores.journal },
        values: {
          lag: backlog.seconds,
          journal: journal.backlogBytes(),
          clients: relay?.clients ?? null,
          events: parts.ingest()?.per_second ?? null,
          size_events: store.known ? store.bytes : null,
          size_journal: journalSize,
        },
      }
    },
    async sizes() {
      const [files, logs] = await Promise.all([folderSize(config.paths.files), folderSize(config.paths.logs)])
      return { size_files: files, size_logs: logs }
    },
    endsSince: (at) =>
      supervisedProcesses().reduce((sum, { ends }) => sum + ends.filter((end) => end.at >= at).length, 0),
    now,
  })
}
