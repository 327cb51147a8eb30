import { resolve } from 'node:path'
import type { Config } from '#server/config.ts'
import { claimFolder } from '#server/supervisor/claim-folder.ts'
import { repairEventStore, repairLines } from '#storage/events/serve/repair-store.ts'
import { askServer } from './run-on-server.ts'

/** A backup of many gigabytes is copied meanwhile. */
const REPAIR_MS = 3_600_000

/**
 * Replaces a damaged event store: by events.duckdb of a backup where `from` names it, else by an empty one, then replays what the journal
 * still holds. A running server does it for a store that it found damaged; without one it is done here, whatever the store's state.
 * Returns the lines to print. Throws Error with a line for the operator.
 */
export async function repairStore(config: Config, from?: string): Promise<string[]> {
  const restored = from === undefined ? undefined : resolve(from)
  const options: Record<string, string> = restored === undefined ? {} : { from: restored }
  const answer = await askServer(config.paths.adminSocket, { command: 'store.repair', options }, REPAIR_MS)
  if (answer) return answer.lines
  const release = claimFolder(config.dataFolder)
  try {
    const report = await repairEventStore({
      folder: config.paths.events,
      journalFolder: config.paths.journal,
      ...(restored !== undefined && { restored }),
      now: Date.now,
    })
    return [...repairLines(report), 'The next start replays the journal']
  } finally {
    release()
  }
}
