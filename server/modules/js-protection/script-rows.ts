import type { Selectable, Updateable } from 'kysely'
import { ERRORS, type ErrorKey, errorText, type Language } from '#contracts/errors.ts'
import { SCRIPT_REASONS, type Script, type ScriptReason, type ScriptState } from '#contracts/http/js-protection.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { CHANNELS, type Database } from '#storage/postgres/schema.ts'
import { demandAll } from '../../http/demand-all.ts'
import type { Caller } from '../../http/module.ts'
import { notify } from '../../platform/notify.ts'
import { visibleRows } from '../applications/visible-rows.ts'

/**
 * The `script_files` table is the truth about scripts: uploaded -> waiting -> encrypting -> encrypted | failed, and stopped from the two
 * before; every change is one guarded update and is announced on CHANNELS.script. Measuring has a state of its own.
 */
export type ScriptRow = Selectable<Database['script_files']>
export type ListedScript = ScriptRow & { app_name: string | null; username: string | null }

export const LIVE_SCRIPTS: readonly ScriptState[] = ['waiting', 'encrypting']
export const LIVE_MEASURES = ['waiting', 'running'] as const

/** Scripts that the caller may see: those of permitted applications, and the caller's own uploads that belong to no application. */
export function scriptsOf({ db }: MetaStore, caller: Pick<Caller, 'scope' | 'userId'>) {
  return (
    db
      .selectFrom('script_files as script')
      // A deleted application leaves its scripts behind, as scripts of no application.
      .leftJoin('applications', (join) =>
        join.onRef('applications.id', '=', 'script.application_id').on('applications.deleted_at', 'is', null),
      )
      .leftJoin('users', (join) =>
        join.on((on) => on('users.id', '=', on.fn.coalesce('script.operator_id', 'script.by_user'))),
      )
      .where(visibleRows(caller, 'script.by_user'))
  )
}

/** The scripts of these ids; data.missing where one does not exist for the caller. */
export async function findScripts(
  meta: MetaStore,
  caller: Pick<Caller, 'scope' | 'userId'>,
  ids: readonly string[],
): Promise<ListedScript[]> {
  const rows = scriptsOf(meta, caller)
    .selectAll('script')
    .select(['applications.name as app_name', 'users.username'])
    .where('script.id', 'in', ids)
  return demandAll(ids, await rows.execute())
}

export async function findScript(
  meta: MetaStore,
  caller: Pick<Caller, 'scope' | 'userId'>,
  id: string,
): Promise<ListedScript> {
  const [row] = await findScripts(meta, caller, [id])
  return row as ListedScript
}

/** Changes a script that still is in one of `from`; undefined where it is not (stopped meanwhile, ended, gone). */
export async function changeScript(
  meta: MetaStore,
  id: string,
  from: readonly ScriptState[],
  set: Updateable<Database['script_files']>,
): Promise<ScriptRow | undefined> {
  const row = await meta.db
    .updateTable('script_files')
    .set(set)
    .where('id', '=', id)
    .where('state', 'in', from)
    .returningAll()
    .executeTakeFirst()
  if (row && set.state) {
    await meta.notify(CHANNELS.script, { id })
    await tellEnd(meta, row)
  }
  return row
}

/** Notifies who asked for the run how it ended, unless it was cancelled. */
async function tellEnd(meta: MetaStore, row: ScriptRow): Promise<void> {
  const user = row.operator_id ?? row.by_user
  if (user === null || (row.state !== 'encrypted' && row.state !== 'failed')) return
  const isDone = row.state === 'encrypted'
  const odd = row.stepped + row.kept
  await notify(
    meta,
    {
      to: { users: [user] },
      kind: 'job',
      key: `script:${row.id}:${row.started_at ?? 0}`,
      state: !isDone ? 'bad' : odd > 0 ? 'warn' : 'good',
      title: {
        zh: isDone ? 'JS 加密成功' : 'JS 加密失败',
        en: isDone ? 'JS encrypted successfully' : 'JS encryption failed',
      },
      note: {
        zh: [
          row.name,
          odd > 0 ? `${row.stepped} 个降级，${row.kept} 个保留原文件` : '',
          isDone ? '' : noteOf(row, 'zh'),
        ]
          .filter(Boolean)
          .join('，'),
        en: [row.name, odd > 0 ? `${row.stepped} stepped down, ${row.kept} kept` : '', isDone ? '' : noteOf(row, 'en')]
          .filter(Boolean)
          .join(', '),
      },
      path: `/protect/js?id=${row.id}`,
      facts: { script: row.id, state: row.state, stepped: row.stepped, kept: row.kept },
    },
    row.ended_at ?? row.created_at,
  )
}

/** The row in the form of the contract. */
export function toScript(row: ListedScript, language: Language): Script {
  const isDone = row.state === 'encrypted'
  return {
    id: row.id,
    appid: row.app_name === null || row.application_id === null ? '' : String(row.application_id),
    app_name: row.app_name ?? '',
    name: row.name,
    kind: row.kind,
    size: row.size,
    files: row.files,
    scripts: row.scripts,
    state: row.state,
    options: row.options,
    progress: row.progress,
    current: row.current,
    done: row.done,
    stepped: isDone ? row.stepped : 0,
    kept: isDone ? row.kept : 0,
    output_size: isDone ? row.output_size : null,
    has_map: isDone && row.map !== null,
    note: row.state === 'failed' ? noteOf(row, language) : '',
    operator: row.username ?? '',
    created_at: row.created_at,
    started_at: row.started_at,
    ended_at: row.ended_at,
  }
}

function noteOf({ note, note_detail }: Pick<ScriptRow, 'note' | 'note_detail'>, language: Language): string {
  if (note in SCRIPT_REASONS) {
    const reason = SCRIPT_REASONS[note as ScriptReason][language]
    return note_detail ? `${reason}${language === 'zh' ? '：' : ': '}${note_detail}` : reason
  }
  return note in ERRORS ? errorText(note as ErrorKey, language, { detail: note_detail }) : note
}
