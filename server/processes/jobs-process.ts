import { statfs } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { PHONE_RUNS } from '#contracts/detection/kinds.ts'
import type { PlaceLookup } from '#engines/geo/place.ts'
import { cityByCode, provinceByCode } from '#engines/geo/place-table.ts'
import { openPlaceLookup } from '#realtime/collect/read/place-lookup.ts'
import { processOptions, startProcess, stopWith, tellSupervisor } from '#runtime/start-process.ts'
import { connectEventStore } from '#storage/events/serve/connect-event-store.ts'
import { openLocalFiles } from '#storage/files/local-files.ts'
import { type DatabaseAddress, openDatabase } from '#storage/postgres/database.ts'
import packageFile from '../../package.json' with { type: 'json' }
import { readConfig } from '../config.ts'
import { startAlerts } from '../modules/alerts/alerts-job.ts'
import { readKeyNames } from '../modules/alerts/key-names.ts'
import { startLogOutputs } from '../modules/audit-log/deliver-logs.ts'
import { lookAfterKeys } from '../modules/communication/look-after-keys.ts'
import { runDetection } from '../modules/detection/detect-job.ts'
import { keepMissingComponents } from '../modules/detection/keep-components.ts'
import type { TaskRow } from '../modules/detection/task-rows.ts'
import { type EraseDeps, runErasure } from '../modules/erasures/erase-job.ts'
import { recordIn } from '../modules/erasures/erasure-ledger.ts'
import { runExport } from '../modules/exports/export-job.ts'
import { scriptIsolation } from '../modules/js-protection/ask-script-worker.ts'
import { runMeasure } from '../modules/js-protection/measure-job.ts'
import { runProtection } from '../modules/js-protection/protect-job.ts'
import { recheckDirectory } from '../modules/ldap/recheck-directory.ts'
import { runBackup } from '../modules/maintenance/backups/backup-job.ts'
import { readPlan, scheduleBackup } from '../modules/maintenance/backups/backup-plan.ts'
import { listBackups } from '../modules/maintenance/backups/make-backup.ts'
import { type CheckJobDeps, runChecks } from '../modules/maintenance/check-job.ts'
import { CopySpace, MOST_COPIES } from '../modules/monitoring/copy-space.ts'
import { MARKET_LIMITS } from '../modules/monitoring/market-fetcher.ts'
import { runMonitoring, startDueTasks } from '../modules/monitoring/monitor-job.ts'
import { printIsolation } from '../modules/monitoring/package-prints.ts'
import { sendDigests } from '../modules/notifications/send-digests.ts'
import { dropUnnamedImages } from '../modules/own-articles/drop-unnamed-images.ts'
import { stopBadRollOuts } from '../modules/policies/stop-roll-out.ts'
import { lookAfterSignatures } from '../modules/reinforce-signatures/look-after-signatures.ts'
import { type ReinforceDeps, runReinforcement } from '../modules/reinforce-tasks/reinforce-job.ts'
import { runReport } from '../modules/reports/report-job.ts'
import { runSchedules } from '../modules/reports/run-schedules.ts'
import { sendReportMails } from '../modules/reports/send-report-mails.ts'
import { lookAfterRequests } from '../modules/service/look-after-requests.ts'
import { sendServiceMails } from '../modules/service/send-service-mails.ts'
import { noticeTask } from '../modules/vulnerabilities/notices.ts'
import { makeAudit } from '../platform/audit/audit-trail.ts'
import { hasFreeDisk } from '../platform/free-disk.ts'
import { platformName } from '../platform/platform-info/own-texts.ts'
import { aloneInCluster } from '../platform/queue/alone-in-cluster.ts'
import { startJobQueue } from '../platform/queue/job-queue.ts'
import { repeat } from '../platform/queue/repeat.ts'
import { applyRetention } from '../platform/retention.ts'
import { boundedProgram, findIsolation, type Isolation, SCAN_LIMITS } from '../platform/sandbox/isolation.ts'
import { openSecrets } from '../platform/secrets.ts'
import { openSettings } from '../platform/settings.ts'
import type { PlaceNames } from '../query/export-words.ts'
import {
  detectionQueue,
  jobsQueue,
  maintenanceQueue,
  measureQueue,
  monitorQueue,
  phoneQueue,
  reinforceQueue,
  scriptQueue,
} from './work-queues.ts'

/** Long work, away from the processes that answer and take in: exports, alerts, watched roll-outs and retention. */
startProcess('jobs')
const { database } = processOptions<{ database: DatabaseAddress }>()
const config = readConfig(process.env, packageFile.version)

const placeName: PlaceNames = (code, language) => (cityByCode(Number(code)) ?? provinceByCode(Number(code)))?.[language]

/** Roll-outs are judged this often. */
const GUARD_MS = 30_000
/** Digests are sent within a minute of their time. */
const NOTICES_MS = 60_000
/** A backup begins so long after its time at most. */
const BACKUP_LOOK_MS = 20_000
/** Removed groups end access within a quarter of an hour, slow directories included. */
const DIRECTORY_MS = 600_000
const REPORT_MAIL_MS = 5000
const SCHEDULE_MS = 15_000
const KEYS_MS = 3_600_000
const SERVICE_MAIL_MS = 15_000
const SERVICE_REQUESTS_MS = 60_000
const COMPONENTS_MS = 30_000

const meta = await openDatabase(database, { migrate: false, connections: 12 })
const settings = await openSettings(meta)
const store = connectEventStore(config.paths.storeSocket)
const files = await openLocalFiles(config.paths.files)
const now = () => Date.now()

let isolation: Promise<Isolation> | undefined
let places: PlaceLookup | undefined
const detectDeps = {
  meta,
  files,
  phones: {
    adb: config.adb,
    lengths: PHONE_RUNS,
    /** 11 MB, for those who run packages on phones. */
    get places() {
      places ??= openPlaceLookup(2000)
      return places
    },
  },
  limits: SCAN_LIMITS,
  now,
  isolation: () =>
    (isolation ??= findIsolation(boundedProgram(SCAN_LIMITS), SCAN_LIMITS, { hidden: config.dataFolder })),
  afterwards: (task: TaskRow) => noticeTask(meta, task, now()),
}

const scriptDeps = { meta, files, now, isolation: () => scriptIsolation(config.dataFolder) }

const monitorDeps = {
  ...{ meta, files, now, origins: config.marketOrigins, proxy: config.marketProxy },
  space: new CopySpace(meta, { bytes: config.copyBytes, copies: MOST_COPIES }, () =>
    hasFreeDisk(config.paths.files, MARKET_LIMITS.fileBytes),
  ),
  isolation: () => printIsolation(config.dataFolder),
  audit: makeAudit(meta, now),
}

const erasing: EraseDeps = {
  ...{ meta, store, files, now, sleep, record: recordIn(config.paths.erasureLedger) },
  freeBytes: config.databaseUrl === undefined ? () => freeBytesOf(config.paths.postgres) : undefined,
}
async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

const secret = await openSecrets({ meta, keyFolder: config.paths.keys, now, kek: process.env['APPWARDEN_KEK'] })
const reinforceDeps: ReinforceDeps = {
  ...{ meta, files, secret, now, dataFolder: config.dataFolder },
  ...{ scriptIsolation: scriptDeps.isolation, scanIsolation: detectDeps.isolation },
  createdBy: `AppWarden ${packageFile.version}`,
  hasFreeDisk: (bytes) => hasFreeDisk(config.paths.files, bytes),
}
const maintaining: CheckJobDeps = {
  ...{ config, meta, database, files, store, secret, now },
  audit: makeAudit(meta, now),
  async backups() {
    const { folder } = await readPlan(meta)
    return folder === '' ? [] : (await listBackups(folder)).map(({ path }) => path)
  },
}

const queue = await startJobQueue({
  meta,
  database,
  zone: settings.current().zone,
  queues: [
    jobsQueue(
      meta,
      async (id, signals) => {
        const { quit } = signals
        const job = await meta.db.selectFrom('jobs').select('kind').where('id', '=', id).executeTakeFirst()
        if (job?.kind === 'erase') return runErasure(erasing, id, quit)
        if (job?.kind === 'report')
          return runReport({ meta, files, store, settings: () => settings.current(), now }, id, signals)
        return runExport({ meta, store, files, zone: () => settings.current().zone, placeName, now }, id, quit)
      },
      now,
    ),
    // Half of the machine at most: collector and screens go first.
    detectionQueue(meta, Math.min(4, Math.max(1, Math.floor(availableParallelism() / 2))), (id, signals) =>
      runDetection(detectDeps, id, signals),
    ),
    phoneQueue(meta, (id, signals) => runDetection(detectDeps, id, signals)),
    scriptQueue(meta, (id, signals) => runProtection(scriptDeps, id, signals), now),
    measureQueue(meta, (id, signals) => runMeasure(scriptDeps, id, signals)),
    reinforceQueue(meta, (id, signals) => runReinforcement(reinforceDeps, id, signals), now),
    monitorQueue(meta, (id, signals) => runMonitoring(monitorDeps, id, signals), now),
    maintenanceQueue(
      meta,
      async (id, signals) => {
        const row = await meta.db.selectFrom('maintenance_runs').selectAll().where('id', '=', id).executeTakeFirst()
        if (row?.kind === 'backup') await runBackup(maintaining, row, signals)
        else if (row) await runChecks(maintaining, row, signals)
      },
      now,
    ),
  ],
  async retain() {
    await store.ready(60_000)
    await applyRetention({ meta, store, files }, settings.current(), now())
  },
})
const internal = () => settings.current().webhook_private
const alerts = startAlerts({
  meta,
  store,
  zone: () => settings.current().zone,
  now,
  secret,
  internal,
  smtpUrl: config.smtpUrl,
  names: () => readKeyNames(meta),
})
const logOutputs = startLogOutputs({ meta, secret, internal, now, file: config.paths.auditCheckpoints })
const guard = repeat('roll-out guard', GUARD_MS, () =>
  aloneInCluster(meta, 'roll-out-guard', () =>
    stopBadRollOuts({ meta, store, zone: () => settings.current().zone, now, audit: makeAudit(meta, now) }),
  ),
)
const reportMails = repeat('report mails', REPORT_MAIL_MS, () =>
  sendReportMails({
    meta,
    files,
    now,
    settings: settings.current,
    smtpUrl: config.smtpUrl,
    audit: makeAudit(meta, now),
  }),
)
const schedules = repeat('report schedules', SCHEDULE_MS, () =>
  aloneInCluster(meta, 'report-schedules', () =>
    runSchedules({ meta, files, settings: () => settings.current(), now, audit: makeAudit(meta, now) }),
  ),
)
const directory = repeat('directory', DIRECTORY_MS, () =>
  aloneInCluster(meta, 'directory', () =>
    recheckDirectory({ meta, settings: () => settings.current(), secret, now, audit: makeAudit(meta, now) }),
  ),
)
const notices = repeat('notifications', NOTICES_MS, () =>
  aloneInCluster(meta, 'notifications', async () => {
    await sendDigests({ meta, smtpUrl: config.smtpUrl, now, product: platformName(settings.current(), 'en') })
  }),
)
const communicationKeys = repeat('communication keys', KEYS_MS, () =>
  aloneInCluster(meta, 'communication-keys', () => lookAfterKeys(meta, now())),
)
const serviceMails = repeat('service mails', SERVICE_MAIL_MS, () =>
  sendServiceMails({ meta, smtpUrl: config.smtpUrl, now }),
)
const serviceRequests = repeat('service requests', SERVICE_REQUESTS_MS, () =>
  aloneInCluster(meta, 'service-requests', () =>
    lookAfterRequests({ meta, files, settings: () => settings.current(), now, audit: makeAudit(meta, now) }),
  ),
)
const components = repeat('components', COMPONENTS_MS, () =>
  aloneInCluster(meta, 'components', () => keepMissingComponents({ meta, files })),
)
const signatures = repeat('signature files', KEYS_MS, () =>
  aloneInCluster(meta, 'signature-files', () => lookAfterSignatures(meta, now())),
)
const articleImages = repeat('images of own articles', KEYS_MS, () =>
  aloneInCluster(meta, 'article-images', () => dropUnnamedImages(meta, files, now())),
)
const monitoring = repeat('monitoring schedules', SCHEDULE_MS, () =>
  aloneInCluster(meta, 'monitoring-schedules', () => startDueTasks({ meta, files, now })),
)
const began = now()
const backups = repeat('backups', BACKUP_LOOK_MS, () =>
  aloneInCluster(meta, 'backups', () => scheduleBackup(meta, now(), began)),
)
stopWith(async () => {
  await Promise.all([
    backups.stop(),
    communicationKeys.stop(),
    components.stop(),
    signatures.stop(),
    articleImages.stop(),
    monitoring.stop(),
    serviceMails.stop(),
    serviceRequests.stop(),
    notices.stop(),
    alerts.stop(),
    guard.stop(),
    directory.stop(),
    reportMails.stop(),
    schedules.stop(),
    logOutputs.stop(),
  ])
  await queue.stop()
  settings.close()
  await store.close()
  await meta.close()
})
tellSupervisor({ ready: true })
