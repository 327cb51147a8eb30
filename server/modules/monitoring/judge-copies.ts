import { randomUUID } from 'node:crypto'
import { judgeCopy } from '#engines/similarity/judge-copy.ts'
import type { PackagePrint } from '#engines/similarity/package-print.ts'
import { log } from '#runtime/log.ts'
import type { AuditEntry } from '../../platform/audit/audit-trail.ts'
import type { TaskRow } from './monitor-rows.ts'
import { type PrintDeps, packagePrint } from './package-prints.ts'
import { certificateRule, ruleChange } from './pirated-certificates.ts'

export interface JudgeDeps extends PrintDeps {
  audit(entry: AuditEntry): Promise<void>
}

/** Prints of the application's own packages. */
export async function readReferences(deps: JudgeDeps, task: TaskRow, signal: AbortSignal): Promise<PackagePrint[]> {
  const files = await referenceFiles(deps, task.application_id)
  const prints: PackagePrint[] = []
  for (const { sha256, file_name } of files) {
    const printed = await packagePrint(deps, sha256, file_name, signal)
    if (printed && 'print' in printed) prints.push(printed.print)
  }
  return prints
}

/** Packages of an application that copies can be compared with, newest first. */
export function referenceFiles({ meta }: Pick<JudgeDeps, 'meta'>, application: number) {
  return meta.db
    .selectFrom('app_files')
    .select(['id', 'sha256', 'file_name', 'name', 'version', 'signers'])
    .where('application_id', '=', application)
    .where('kind', 'in', ['apk', 'apks', 'xapk', 'aab', 'ipa'])
    .orderBy('uploaded_at', 'desc')
    .limit(20)
    .execute()
}

/** A text of a market or a package as it is shown: without control characters and changes of direction. */
export const clean = (text: string): string => text.replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '').slice(0, 300)

async function hasCopy({ meta }: JudgeDeps, task: TaskRow, sha256: string): Promise<boolean> {
  return (
    (await meta.db
      .selectFrom('monitor_copies')
      .select('id')
      .where('task_id', '=', task.id)
      .where('sha256', '=', sha256)
      .executeTakeFirst()) !== undefined
  )
}

/** '' once the copy is judged, a problem where it cannot be read, undefined where the run ended before. */
export async function judgeNew(
  deps: JudgeDeps,
  task: TaskRow,
  sha256: string,
  size: number,
  name: string,
  references: readonly PackagePrint[],
  signal: AbortSignal,
): Promise<string | undefined> {
  if (await hasCopy(deps, task, sha256)) return ''
  const printed = await packagePrint(deps, sha256, name, signal)
  if (!printed) return undefined
  if ('problem' in printed) return printed.problem.slice(0, 300) || 'unreadable'
  const { print } = printed
  const judgement = judgeCopy(references, print, await ownSigners(deps, task))
  const at = deps.now()
  const id = randomUUID()
  await deps.meta.db
    .insertInto('monitor_copies')
    .values({
      id,
      task_id: task.id,
      sha256,
      size: size || print.size,
      label: clean(print.label),
      package_name: clean(print.package),
      version: clean(print.versionName),
      version_code: clean(print.versionCode),
      certificates: [...print.signer.certificates],
      verdict: judgement.verdict,
      confidence: judgement.confidence,
      judgement: JSON.stringify(judgement),
      manual_verdict: null,
      manual_reason: '',
      manual_by: null,
      manual_at: null,
      first_run: task.run,
      gone_run: null,
      first_seen: at,
      last_seen: at,
    })
    .onConflict((on) => on.columns(['task_id', 'sha256']).doNothing())
    .execute()
  await auditRule(deps, id, [])
  return ''
}

/** Judges known copies again: packages of the application may have come since, and prints of an earlier version are made again. */
export async function judgeAgain(
  deps: JudgeDeps,
  task: TaskRow,
  references: readonly PackagePrint[],
  signal: AbortSignal,
): Promise<void> {
  const { db } = deps.meta
  const copies = await db.selectFrom('monitor_copies').select(['id', 'sha256']).where('task_id', '=', task.id).execute()
  const signers = await ownSigners(deps, task)
  for (const { id, sha256 } of copies) {
    const printed = await keptPrint(deps, sha256, signal)
    if (signal.aborted) return
    // What cannot be read any more stays judged as it was.
    if (!printed) continue
    if ('problem' in printed) {
      log.warn({ sha256, problem: printed.problem }, 'a copy is not judged again')
      continue
    }
    const { verdict, confidence, ...rest } = judgeCopy(references, printed.print, signers)
    const before = await certificateRule(db, id)
    await db
      .updateTable('monitor_copies')
      .set({ verdict, confidence, judgement: JSON.stringify({ verdict, confidence, ...rest }) })
      .where('id', '=', id)
      .execute()
    await auditRule(deps, id, before)
  }
}

/** Undefined where its file is gone, which is logged, or the run ended before. */
async function keptPrint(deps: JudgeDeps, sha256: string, signal: AbortSignal) {
  try {
    return await packagePrint(deps, sha256, 'copy.apk', signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    log.warn({ sha256 }, 'the file of a copy is gone: it is not judged again')
    return undefined
  }
}

/** A certificate that becomes a reason of abnormal returns, or ceases to be one, is a line of the audit log. */
async function auditRule({ meta, audit }: JudgeDeps, id: string, before: readonly string[]): Promise<void> {
  const detail = ruleChange(before, await certificateRule(meta.db, id))
  if (!detail) return
  const copy = await meta.db
    .selectFrom('monitor_copies')
    .select(['label', 'package_name', 'version'])
    .where('id', '=', id)
    .executeTakeFirst()
  const target = `${copy?.label || copy?.package_name} ${copy?.version}`.trim()
  const action = 'monitoring.certificate'
  await audit({ ...{ account: 'system', role: '', result: 'ok', address: '' }, action, target, detail })
}

/** Certificates that the application is signed with, beside those of the packages that copies are compared with: its baselines. */
async function ownSigners({ meta }: JudgeDeps, task: TaskRow): Promise<string[]> {
  const files = await meta.db
    .selectFrom('app_files')
    .select('signers')
    .where('application_id', '=', task.application_id)
    .where('signature', '=', 'verified')
    .execute()
  return [...new Set(files.flatMap(({ signers }) => signers))]
}
