import { randomBytes } from 'node:crypto'
import { errorText, ProductError } from '#contracts/errors.ts'
import {
  appendUpdateUpload,
  beginRollback,
  beginUpdate,
  checkUpdate,
  createUpdateUpload,
  dropUpdateUpload,
  RETURN_DAYS,
  showUpdates,
  UPDATE_PACKAGE_BYTES,
  UPDATE_STATUS,
  type UpdatePackageAnswer,
  type UpdateRecord,
  type UpdateState,
  type UpdatesAnswer,
  updateUploadState,
} from '#contracts/http/updates.ts'
import { log } from '#runtime/log.ts'
import { tellSupervisor } from '#runtime/start-process.ts'
import { FORMAT } from '#storage/events/duckdb/event-format.ts'
import { BUNDLED_MAJOR } from '#storage/postgres/bundled.ts'
import { MIGRATIONS } from '#storage/postgres/database.ts'
import type { Module } from '../../http/module.ts'
import { vendorKeyTexts } from '../../platform/licence/vendor-keys.ts'
import { hasRelease } from '../../platform/updates/installation.ts'
import { type JournalRecord, openUpdateJournal } from '../../platform/updates/update-journal.ts'
import { checkUploaded, uploadedFile } from '../../platform/updates/update-world.ts'
import { mountResumable } from '../assets/resumable-uploads.ts'
import { type Upload, uploadStore } from '../assets/upload-store.ts'
import { auditUpdates } from './audit-updates.ts'

const RECORDS = 50
const DAY_MS = 86_400_000

/** Platform update (UPD-01, UPD-02). The supervisor performs what is asked for here, since it ends this process. */
export const updatesModule: Module = async (mount, deps) => {
  const { config, now } = deps
  const journal = openUpdateJournal(config.paths.updates)
  const uploads = uploadStore(`${config.paths.updates}/uploads`, now)
  /** The last package that was examined. */
  let checked: UpdatePackageAnswer | undefined
  // Steps happened while no console ran.
  await auditUpdates(deps, journal).catch((err: unknown) =>
    log.error({ err }, 'steps of updates are not in the audit trail yet'),
  )

  mountResumable(
    mount,
    { create: createUpdateUpload, state: updateUploadState, append: appendUpdateUpload, drop: dropUpdateUpload },
    uploads,
    ({ name, length }) => {
      demandPackaged()
      demandIdle()
      if (!/\.zip$/i.test(name)) throw new ProductError('update.only_zip')
      if (length > UPDATE_PACKAGE_BYTES) throw new ProductError('update.too_large')
    },
  )

  mount(showUpdates, async ({ caller }) => {
    await auditUpdates(deps, journal)
    const records = journal.all()
    const active = records.find(({ ended_at }) => ended_at === null)
    const uploaded = checked && checked.expires_at > now() ? checked : null
    const point = returnPoint(records)
    const status = statusOf(active ?? records[0], checked, now())
    const data: UpdatesAnswer = {
      packaged: config.home !== undefined,
      version: config.version,
      status,
      message:
        status === UPDATE_STATUS.failed || status === UPDATE_STATUS.close_failed
          ? errorText('update.failed', caller.language)
          : status === UPDATE_STATUS.fallback_failed
            ? errorText('update.fallback', caller.language)
            : '',
      current: {
        version: config.version,
        migrations: Object.keys(MIGRATIONS).length,
        events_format: FORMAT,
        postgres: BUNDLED_MAJOR,
      },
      has_keys: vendorKeyTexts(config.licenceKeys).length > 0,
      limit_bytes: UPDATE_PACKAGE_BYTES,
      uploaded,
      active: active ? shown(active) : null,
      return_point: point,
      records: records.slice(0, RECORDS).map(shown),
    }
    return { data }
  })

  mount(checkUpdate, async ({ body, caller, audit }) => {
    demandPackaged()
    demandIdle()
    const upload = await findUpload(body.upload_id, caller.userId)
    const found = await checkUploaded(config, uploadedFile(config, upload.id))
    checked = {
      ...found,
      id: upload.id,
      name: upload.name,
      bytes: upload.length,
      uploaded_at: now(),
      expires_at: upload.expiresAt,
    }
    audit(upload.name, [found.facts?.version, found.problem?.key].filter(Boolean).join(', '))
    return { data: checked }
  })

  mount(beginUpdate, async ({ body, caller, audit }) => {
    demandPackaged()
    demandIdle()
    const upload = await findUpload(body.upload_id, caller.userId)
    const found = checked?.id === upload.id ? checked : undefined
    if (!found?.facts || found.problem)
      throw new ProductError('update.refused', {}, { reason: found?.problem?.key ?? null })
    const record: JournalRecord = {
      ...newRecord('update', caller.username),
      from: config.version,
      to: found.facts.version,
      upload: upload.id,
      migrations: Object.keys(MIGRATIONS),
    }
    record.point = record.id
    audit(record.to, `${record.from} -> ${record.to}, ${upload.name}`)
    hand(record)
    return { data: shown(record) }
  })

  mount(beginRollback, async ({ body, caller, audit }) => {
    demandPackaged()
    const active = journal.active()
    if (active && active.id === body.id && active.kind === 'update' && active.state === 'updating') {
      audit(active.from, `${active.to} -> ${active.from}`)
      journal.cancel(active.id)
      return { data: shown(active) }
    }
    demandIdle()
    const records = journal.all()
    const point = returnPoint(records)
    const source = records.find(({ id }) => id === body.id)
    if (!point || !source || point.id !== source.id) throw new ProductError('update.no_return')
    if (point.expired) throw new ProductError('update.expired')
    const record: JournalRecord = {
      ...newRecord('rollback', caller.username),
      from: config.version,
      to: source.from,
      state: 'returning',
      migrations: source.migrations,
      point: source.id,
    }
    audit(record.to, `${record.from} -> ${record.to}`)
    hand(record)
    return { data: shown(record) }
  })

  /** Durable before the supervisor hears of it: a start after a crash finds it. */
  function hand(record: JournalRecord): void {
    journal.write(record)
    tellSupervisor({ update: true })
  }

  function newRecord(kind: JournalRecord['kind'], by: string): JournalRecord {
    return {
      id: `u-${now()}-${randomBytes(3).toString('hex')}`,
      kind,
      from: '',
      to: '',
      by,
      began_at: now(),
      ended_at: null,
      state: 'updating',
      problem: null,
      steps: [],
      log: [],
      upload: '',
      migrations: [],
      point: '',
      attempts: 0,
    }
  }

  function demandPackaged(): void {
    if (config.home === undefined) throw new ProductError('update.source')
  }
  function demandIdle(): void {
    if (journal.active()) throw new ProductError('update.running')
  }

  async function findUpload(id: string, userId: number): Promise<Upload> {
    const upload = await uploads.find(id, userId).catch(() => undefined) // expired or another account's
    if (!upload || upload.expiresAt <= now()) throw new ProductError('update.expired')
    if (upload.offset < upload.length) throw new ProductError('update.incomplete')
    return upload
  }

  /** The update that made this version current, where its old release is still there. */
  function returnPoint(records: readonly JournalRecord[]): UpdatesAnswer['return_point'] {
    const { home, version } = config
    const last = records.find(({ state }) => state === 'updated' || state === 'returned')
    if (home === undefined || last?.kind !== 'update' || last.state !== 'updated' || last.to !== version) return null
    if (!hasRelease(home, last.from)) return null
    const later = Object.keys(MIGRATIONS).filter((name) => !last.migrations.includes(name))
    const made = last.ended_at ?? last.began_at
    return {
      id: last.id,
      version: last.from,
      made_at: made,
      expires_at: made + RETURN_DAYS * DAY_MS,
      expired: now() > made + RETURN_DAYS * DAY_MS,
      lossless: later.every((name) => MIGRATIONS[name]?.down !== undefined),
      migrations: later.length,
    }
  }
}

const STATUS_OF: Record<UpdateState, (typeof UPDATE_STATUS)[keyof typeof UPDATE_STATUS]> = {
  updating: UPDATE_STATUS.running,
  returning: UPDATE_STATUS.running,
  updated: UPDATE_STATUS.success,
  returned: UPDATE_STATUS.success,
  failed: UPDATE_STATUS.failed,
  fallback_failed: UPDATE_STATUS.fallback_failed,
  close_failed: UPDATE_STATUS.close_failed,
}

/** The status number: of what runs, else of the package that waits, else of what ended last. */
export function statusOf(
  last: Pick<JournalRecord, 'kind' | 'state' | 'began_at' | 'ended_at'> | undefined,
  uploaded: Pick<UpdatePackageAnswer, 'problem' | 'uploaded_at' | 'expires_at'> | undefined,
  now: number,
): (typeof UPDATE_STATUS)[keyof typeof UPDATE_STATUS] {
  if (last && last.ended_at === null) return UPDATE_STATUS.running
  // One that cannot be installed waits for nothing.
  if (uploaded && !uploaded.problem && uploaded.uploaded_at > (last?.began_at ?? 0))
    return uploaded.expires_at > now ? UPDATE_STATUS.uploaded : UPDATE_STATUS.expired
  // An update that was undone by itself has failed, though the version before runs again.
  if (last?.kind === 'update' && last.state === 'returned') return UPDATE_STATUS.failed
  return last ? STATUS_OF[last.state] : UPDATE_STATUS.success
}

function shown(record: JournalRecord): UpdateRecord {
  const { id, kind, from, to, by, began_at, ended_at, state, problem, steps, log } = record
  return { id, kind, from, to, by, began_at, ended_at, state, problem, steps, log }
}
