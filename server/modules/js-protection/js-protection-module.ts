import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { ProductError } from '#contracts/errors.ts'
import {
  cancelScripts,
  deleteScripts,
  downloadScript,
  downloadScriptLog,
  MOST_OUTCOMES,
  measureScript,
  protectScript,
  SCRIPT_REASONS,
  type ScriptOptions,
  type ScriptReason,
  type ScriptState,
  scriptDetail,
  scripts,
  uploadScript,
} from '#contracts/http/js-protection.ts'
import { isScriptName } from '#engines/jsguard/script-archive.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import type { Module, ServerDeps } from '../../http/module.ts'
import { dropUnnamed } from '../../platform/file-references.ts'
import { findApplication } from '../applications/application-access.ts'
import { cleanName } from '../assets/store-package.ts'
import { type Upload, uploadStore } from '../assets/upload-store.ts'
import { attachment } from '../jobs/attachment-name.ts'
import { askScriptWorker, scriptIsolation } from './ask-script-worker.ts'
import { NOTHING_MEASURED } from './measure-job.ts'
import { resultName } from './result-files.ts'
import { scriptLog } from './script-log.ts'
import type { ScriptMessage } from './script-messages.ts'
import { changeScript, findScript, findScripts, LIVE_SCRIPTS, scriptsOf, toScript } from './script-rows.ts'

/** Looking at an upload must answer within a request. */
const LOOK_SECONDS = 12
const ENDED: readonly ScriptState[] = ['uploaded', 'encrypted', 'failed', 'stopped']

/** JS protection: uploads, what measuring found, runs, downloads. Nothing of an upload is read in this process. */
export const jsProtectionModule: Module = (mount, deps) => {
  const { meta } = deps
  const { db } = meta
  const uploads = uploadStore(deps.config.paths.uploads, deps.now)

  mount(scripts, async ({ query, caller }) => {
    let others = scriptsOf(meta, caller)
    if (query.search)
      others = others.where('script.name', 'ilike', `%${query.search.replace(/[\\%_]/g, (one) => `\\${one}`)}%`)
    if (query.appid) others = others.where('script.application_id', '=', Number(query.appid))
    const asked = query.state ? others.where('script.state', '=', query.state) : others
    const [rows, states] = await Promise.all([
      asked
        .selectAll('script')
        .select(['applications.name as app_name', 'users.username'])
        .orderBy('script.created_at', 'desc')
        .orderBy('script.id')
        .limit(query.limit)
        .offset(query.offset)
        .execute(),
      others
        .select(['script.state', (eb) => eb.fn.countAll<number>().as('count')])
        .groupBy('script.state')
        .execute(),
    ])
    const counts = Object.fromEntries(states.map(({ state, count }) => [state, Number(count)]))
    const total = states
      .filter(({ state }) => !query.state || state === query.state)
      .reduce((sum, { count }) => sum + Number(count), 0)
    return { data: rows.map((row) => toScript(row, caller.language)), total, states: counts }
  })

  mount(scriptDetail, async ({ query, caller }) => {
    const row = await findScript(meta, caller, query.id)
    const [, key = '', detail = ''] = /^(\S*) (.*)$/s.exec(row.measure.note) ?? []
    const reason = key in SCRIPT_REASONS ? SCRIPT_REASONS[key as ScriptReason][caller.language] : key
    return {
      data: toScript(row, caller.language),
      measure: {
        ...row.measure,
        state: row.measure_state,
        note: [reason, detail].filter(Boolean).join(caller.language === 'zh' ? '：' : ': '),
      },
      functions: row.functions,
      outcomes: row.outcomes.toSorted((a, b) => rank(a) - rank(b)).slice(0, MOST_OUTCOMES),
    }
  })

  mount(uploadScript, async ({ body, caller, audit }) => {
    if (body.upload === '') throw new ProductError('script.none')
    const upload = await uploads.find(body.upload, caller.userId)
    const name = cleanName(upload.name)
    audit(name)
    if (upload.offset < upload.length) throw new ProductError('asset.incomplete')
    const application = body.appid === undefined ? null : (await findApplication(deps.meta, caller, body.appid)).id
    try {
      const found = await look(deps, upload, name)
      const { sha256, size } = await deps.files.put(createReadStream(upload.path, { highWaterMark: 2 ** 20 }))
      const row = await db
        .insertInto('script_files')
        .values({
          id: randomUUID(),
          measure_id: randomUUID(),
          application_id: application,
          by_user: caller.userId,
          operator_id: caller.userId,
          ...{ name, size, sha256, ...found },
          state: 'uploaded',
          options: null,
          seed: Math.floor(deps.secret('js-protection').readUInt32LE(0) / 2) ^ (deps.now() % 2 ** 30),
          progress: 0,
          current: '',
          ...{ done: 0, stepped: 0, kept: 0, outcomes: '[]', output: null, output_size: null, map: null },
          ...{ note: '', note_detail: '', starts: 0 },
          measure_state: 'waiting',
          measure: JSON.stringify(NOTHING_MEASURED),
          functions: '[]',
          created_at: deps.now(),
          started_at: null,
          ended_at: null,
        })
        .returning(['id', 'measure_id'])
        .executeTakeFirstOrThrow()
      await meta.notify(CHANNELS.script, { id: row.measure_id })
      return { data: toScript(await findScript(meta, caller, row.id), caller.language) }
    } finally {
      await uploads.remove(upload.id)
    }
  })

  mount(measureScript, async ({ body, caller, audit }) => {
    const row = await findScript(meta, caller, body.id)
    audit(row.name)
    const changed = await db
      .updateTable('script_files')
      .set({ measure_state: 'waiting', measure: JSON.stringify(NOTHING_MEASURED), functions: '[]' })
      .where('id', '=', row.id)
      .where('measure_state', 'not in', ['waiting', 'running'])
      .returning('measure_id')
      .executeTakeFirst()
    if (!changed) throw new ProductError('script.busy')
    await meta.notify(CHANNELS.script, { id: changed.measure_id })
    return {}
  })

  mount(protectScript, async ({ body, caller, audit }) => {
    if (body.id === '') throw new ProductError('script.none')
    const row = await findScript(meta, caller, body.id)
    audit(row.name, describeOptions(body.options))
    const { time_lock: lock } = body.options
    if (lock?.until != null && lock.until <= Math.max(deps.now(), lock.from ?? 0)) throw new ProductError('script.lock')
    const begun = await changeScript(meta, row.id, ENDED, {
      state: 'waiting',
      options: JSON.stringify(body.options),
      operator_id: caller.userId,
      progress: 0,
      current: '',
      ...{ done: 0, stepped: 0, kept: 0, outcomes: '[]', note: '', note_detail: '', starts: 0 },
      started_at: null,
      ended_at: null,
    })
    if (!begun) throw new ProductError('script.busy')
    await stopMeasure(deps, [row])
    return { data: toScript(await findScript(meta, caller, row.id), caller.language) }
  })

  mount(cancelScripts, async ({ body, caller, audit }) => {
    const rows = await findScripts(meta, caller, body.ids)
    let stopped = 0
    for (const { id } of rows)
      if (await changeScript(meta, id, LIVE_SCRIPTS, { state: 'stopped', ended_at: deps.now(), current: '' })) stopped++
    audit(rows.map(({ name }) => name).join(', '), `${stopped} stopped`)
    return { stopped }
  })

  mount(deleteScripts, async ({ body, caller, audit }) => {
    const rows = await findScripts(meta, caller, body.ids)
    audit(rows.map(({ name }) => name).join(', '), `${rows.length} scripts`)
    await db
      .deleteFrom('script_files')
      .where(
        'id',
        'in',
        rows.map(({ id }) => id),
      )
      .execute()
    for (const row of rows) {
      await meta.notify(CHANNELS.script, { id: row.id })
      await meta.notify(CHANNELS.script, { id: row.measure_id })
      await dropUnnamed(deps, [row.sha256, row.output, row.map])
    }
    return { deleted: rows.length }
  })

  mount(downloadScript, async ({ query, caller, reply }) => {
    const row = await findScript(meta, caller, query.id)
    const isDone = row.state === 'encrypted'
    const name = query.part === 'source' ? row.sha256 : isDone ? (query.part === 'map' ? row.map : row.output) : null
    if (name === null || !(await deps.files.has(name))) throw new ProductError('data.missing')
    const file = await deps.files.open(name)
    // Never a type that a browser would run in this origin.
    reply.header('content-type', 'application/octet-stream')
    reply.header('content-length', file.size)
    reply.header('content-disposition', attachment(resultName(row.name, query.part, row.kind)))
    reply.header('x-content-type-options', 'nosniff')
    return file.stream()
  })

  mount(downloadScriptLog, async ({ query, caller, reply }) => {
    const row = await findScript(meta, caller, query.id)
    reply.header('content-type', 'text/plain; charset=utf-8')
    reply.header('content-disposition', attachment(`${row.name}.log`))
    reply.header('x-content-type-options', 'nosniff')
    return scriptLog(row, caller.language)
  })
}

/** What has a reason first, originals before steps. */
function rank({ outcome, reason }: { outcome: string; reason: string | null }): number {
  return outcome === 'kept' ? 0 : reason === null ? 2 : 1
}

function describeOptions({ preset, parts, source_map, domain_lock, self_defending, time_lock }: ScriptOptions): string {
  return [
    preset,
    ...Object.entries(parts).map(([part, on]) => `${on ? '+' : '-'}${part}`),
    ...(source_map ? ['source map'] : []),
    ...(domain_lock.length > 0 ? [`domains ${domain_lock.length}`] : []),
    ...(self_defending ? ['self-defending'] : []),
    ...(time_lock ? ['time lock'] : []),
  ].join(', ')
}

/** Measuring gives way to the run. */
async function stopMeasure({ meta }: Pick<ServerDeps, 'meta'>, rows: readonly { measure_id: string }[]): Promise<void> {
  for (const { measure_id } of rows) {
    const stopped = await meta.db
      .updateTable('script_files')
      .set({ measure_state: 'stopped' })
      .where('measure_id', '=', measure_id)
      .where('measure_state', 'in', ['waiting', 'running'])
      .returning('id')
      .executeTakeFirst()
    if (stopped) await meta.notify(CHANNELS.script, { id: measure_id })
  }
}

/** Refuses what is no script and no archive of scripts; the bytes are read in a sandbox. */
async function look(
  { config }: Pick<ServerDeps, 'config'>,
  upload: Upload,
  name: string,
): Promise<{ kind: 'js' | 'zip'; files: number; scripts: number }> {
  const isArchive = /\.zip$/i.test(name)
  if (!isArchive && !isScriptName(name)) throw new ProductError('script.format')
  if (isArchive && !(await beginsAsZip(upload.path))) throw new ProductError('script.format')
  let found: Extract<ScriptMessage, { look: unknown }>['look'] | undefined
  let refused: { key: string; detail: string } | undefined
  const end = await askScriptWorker({
    order: { task: 'look', name, size: upload.length },
    input: createReadStream(upload.path, { highWaterMark: 2 ** 20 }) as AsyncIterable<Buffer>,
    isolation: await scriptIsolation(config.dataFolder),
    limits: { wallSeconds: LOOK_SECONDS },
    signal: new AbortController().signal,
    onMessage(message) {
      if ('look' in message) found = message.look
      else if ('refused' in message) refused = message.refused
    },
  })
  if (found) return found
  // Bytes that are not text and an archive without a script are the wrong kind of file; the rest is a damaged or hostile archive.
  if (refused?.key === 'not-text' || refused?.key === 'no-script') throw new ProductError('script.format')
  const detail = refused?.detail ?? (end.ended === 'limit' ? end.limit : end.ended)
  throw new ProductError('script.archive', { detail })
}

async function beginsAsZip(path: string): Promise<boolean> {
  const handle = await open(path, 'r')
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0)
    return buffer.toString('latin1') === 'PK'
  } finally {
    await handle.close()
  }
}
