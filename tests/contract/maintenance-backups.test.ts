import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import {
  BackupPlanSchema,
  backups,
  deleteBackups,
  saveBackupPlan,
  startBackup,
} from '#contracts/http/maintenance/backups.ts'
import { nextBackup } from '#server/modules/maintenance/backups/backup-plan.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

let app: HttpApp
let admin: ConsoleClient
const folder = mkdtempSync(join(tmpdir(), 'appwarden-plan-'))
beforeAll(async () => {
  app = await startHttpApp()
  await app.addUser('admin@example.com', 'administrator')
  admin = new ConsoleClient(app.url)
  await admin.signIn('admin@example.com', PASSWORD, CODE)
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})
const show = async () => (await admin.call(backups)).body['data'] as ResponseOf<typeof backups>['data']
const save = async (plan: object) => (await admin.call(saveBackupPlan, { body: plan })).body['code']
const plan = { enabled: true, time: '02:30', zone: 'Asia/Shanghai', folder, keep_days: 30, keep_count: 14 }

test('[MAINT-01] backups are off until a plan is saved, and a folder that cannot be used is refused', async () => {
  expect(await show()).toMatchObject({ plan: { enabled: false, folder: '' }, next_at: null, backups: [], runs: [] })
  expect((await admin.call(startBackup, { body: { confirmed: true } })).body['code']).toBe(501403)
  for (const bad of ['', 'relative/path', join(app.config.dataFolder, 'inside'), '/proc/no-folder'])
    expect(await save({ ...plan, folder: bad }), bad).toBe(501403)
  for (const bad of [{ time: '24:00' }, { zone: 'Nowhere/Town' }, { keep_days: 0 }, { keep_count: 0 }])
    expect(await save({ ...plan, ...bad }), JSON.stringify(bad)).toBe(500001)
  expect(await save(plan)).toBe(0)
  const { next_at: next, free } = await show()
  expect(next).toBe(nextBackup(BackupPlanSchema.parse(plan), Date.now()))
  expect(free).toBeGreaterThan(0)
})

test('[MAINT-01] a failed backup is shown with its reason; one runs at a time; a listed one is deleted by name alone', async () => {
  expect((await admin.call(startBackup, { body: { confirmed: true } })).body['code']).toBe(0)
  expect((await admin.call(startBackup, { body: { confirmed: true } })).body['code']).toBe(500005)
  await app.meta.db.updateTable('maintenance_runs').set({ state: 'failed', error: 'not enough space' }).execute()
  expect((await show()).runs[0]).toMatchObject({ state: 'failed', error: 'not enough space', by: 'admin@example.com' })
  const name = 'backup-20261124T023000Z'
  mkdirSync(join(folder, name))
  const head = { product: 'appwarden', version: '1.5.3', createdAt: 1, expiresAt: 2, metadata: true }
  writeFileSync(
    join(folder, name, 'backup.json'),
    JSON.stringify({ ...head, files: [{ path: 'a', size: 5, sha256: '' }] }),
  )
  expect((await show()).backups).toMatchObject([{ name, bytes: 5, files: 1, verified: false }])
  const remove = async (one: string) => (await admin.call(deleteBackups, { body: { name: one } })).body['code']
  for (const bad of ['..', 'backup-20261124T023000Z/..', '.']) expect(await remove(bad)).toBe(500002)
  expect(await remove(name)).toBe(0)
  expect(existsSync(join(folder, name))).toBe(false)
})

test('[MAINT-01] the next backup keeps its time of day where clocks are changed', () => {
  const berlin = BackupPlanSchema.parse({ ...plan, time: '03:30', zone: 'Europe/Berlin' })
  expect(nextBackup(berlin, Date.UTC(2026, 2, 28, 12))).toBe(Date.UTC(2026, 2, 29, 1, 30))
  expect(nextBackup(berlin, Date.UTC(2026, 2, 29, 12))).toBe(Date.UTC(2026, 2, 30, 1, 30))
  expect(nextBackup({ ...berlin, enabled: false }, 0)).toBeNull()
})
