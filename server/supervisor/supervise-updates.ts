import { setTimeout as sleep } from 'node:timers/promises'
import { RETURN_DAYS } from '#contracts/http/updates.ts'
import { log } from '#runtime/log.ts'
import type { Config } from '../config.ts'
import type { Health } from '../http/http-deps.ts'
import { removeExpiredCopies } from '../platform/updates/data-copy.ts'
import type { JournalRecord } from '../platform/updates/update-journal.ts'
import {
  atStart,
  checkCancelled,
  failed,
  goBack,
  type Next,
  proved,
  refuse,
  runUpdate,
  started,
  UpdateFailure,
} from '../platform/updates/update-machine.ts'
import { openUpdateWorld, removeOldReleases, within } from '../platform/updates/update-world.ts'

/** Exit code upon which the launcher starts the current release (scripts/package/appwarden.sh). */
export const RESTART = 75

const LOOK_MS = 500
/** The new version has to be well for so many looks in a row. */
const LOOKS = 6
const EXPIRY_MS = 6 * 3_600_000
const DAY_MS = 86_400_000

export type UpdateSupervisor = {
  /** First thing of a start: continues or undoes what was under way. */
  atStart(): Promise<Next>
  /**
   * Follows the start of the product where a version has to prove itself; otherwise simply waits for it. Rejects as `starting` does where
   * no version is left to go to.
   */
  prove(starting: Promise<void>, health: () => Promise<Health>): Promise<Next>
  /** The console has written a record: installs it, or goes back. `restart` is called when this process has to end. */
  run(restart: () => void): void
  close(): void
}

/** Of a packaged product: its installation lies in `home`. `stop` ends all processes of the product but this one. */
export function superviseUpdates(config: Config, home: string, stop: () => Promise<void>): UpdateSupervisor {
  const world = openUpdateWorld(config, home, stop)
  const { journal } = world
  const expiry = setInterval(() => void expire(), EXPIRY_MS)
  expiry.unref()
  let running = false

  async function expire(): Promise<void> {
    if (journal.active()) return
    await removeExpiredCopies(config.paths.updates, Date.now() - RETURN_DAYS * DAY_MS).catch((err: unknown) =>
      log.error({ err }, 'copies of an update that have expired cannot be deleted'),
    )
  }

  async function proveRecord(record: JournalRecord, starting: Promise<void>, health: () => Promise<Health>) {
    await starting
    started(world, record)
    for (let well = 0; well < LOOKS; ) {
      checkCancelled(world, record)
      well = isWell(await health().catch(() => undefined)) ? well + 1 : 0 // no answer is not well
      await sleep(LOOK_MS)
    }
  }

  return {
    async atStart() {
      const before = journal.active()
      const next = await atStart(world)
      if (before) log.warn(`an update from ${before.from} to ${before.to} was under way: ${next}`)
      return next
    },
    async prove(starting, health) {
      const record = journal.active()
      if (!record) {
        await starting
        void expire()
        return 'start'
      }
      try {
        await within(config.updateLimitSeconds * 1000, proveRecord(record, starting, health))
      } catch (err) {
        log.error({ err }, `version ${config.version} does not work after the update`)
        const next = await failed(
          world,
          record,
          err instanceof UpdateFailure ? err : new UpdateFailure('start', text(err)),
        )
        if (next === 'start') await starting
        return next
      }
      proved(world, record)
      removeOldReleases(home, [record.from, record.to])
      log.info(`version ${config.version} works: ${record.state}`)
      return 'start'
    },
    run(restart) {
      const record = journal.active()
      if (!record || running) return
      running = true
      const work = async () => {
        // Only the launcher can start the other version.
        if (process.env['APPWARDEN_LAUNCHER'] !== String(process.ppid))
          return refuse(world, record, new UpdateFailure('launcher', ''))
        const next = record.kind === 'rollback' ? await goBack(world, record) : await runUpdate(world, record)
        if (next !== 'go on') restart()
      }
      work()
        .catch((err: unknown) => {
          // The journal cannot be written: the next start undoes what was begun.
          log.error({ err }, 'the update cannot go on')
          restart()
        })
        .finally(() => {
          running = false
        })
    },
    close: () => clearInterval(expiry),
  }
}

/** A store that converts its file answers later and is well; one that is away is not. */
function isWell(health: Health | undefined): boolean {
  if (!health) return false
  const { metadata, events, journal } = health.stores
  const hasStore = events !== 'down' || health.problem?.kind === 'converting'
  return (
    metadata === 'ok' &&
    journal === 'ok' &&
    hasStore &&
    health.processes.console !== 'down' &&
    health.processes.relay !== 'down'
  )
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
