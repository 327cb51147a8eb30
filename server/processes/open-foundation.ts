import type { Settings } from '#contracts/http/settings.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Config } from '../config.ts'
import type { AuditEntry } from '../platform/audit/audit-trail.ts'
import { makeAudit } from '../platform/audit/audit-trail.ts'
import { seedRoles } from '../platform/roles.ts'
import { openSecrets } from '../platform/secrets.ts'
import { openSettings } from '../platform/settings.ts'

/** What every process needs of the metadata store before it can do anything: settings, secrets, audit. */
export type Foundation = {
  settings(): Settings
  /** What was written before is in the settings when the promise is kept. */
  refreshSettings(): Promise<void>
  secret(name: string): Buffer
  audit(entry: AuditEntry): Promise<void>
  close(): void
}

/** `kek` is APPWARDEN_KEK. The store must be migrated. */
export async function openFoundation(options: {
  config: Config
  meta: MetaStore
  now(): number
  kek?: string | undefined
}): Promise<Foundation> {
  const { config, meta, now, kek } = options
  await seedRoles(meta)
  const secret = await openSecrets({ meta, keyFolder: config.paths.keys, now, kek })
  const settings = await openSettings(meta)
  return {
    settings: settings.current,
    refreshSettings: settings.refresh,
    secret,
    audit: makeAudit(meta, now),
    close: settings.close,
  }
}
