import { TASK_STAGES, TASK_STATES } from '#contracts/detection/kinds.ts'
import { errorText, type Language } from '#contracts/errors.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { ListedTask } from './task-rows.ts'
import { toTask } from './task-rows.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/** The log of a task as a text file: what it was, how it ended, then every line. Names come from packages and stay on their line. */
export async function taskLogText({ db }: MetaStore, row: ListedTask, language: Language): Promise<string> {
  const task = toTask(row, language)
  const lines = await db.selectFrom('detection_log').selectAll().where('task_id', '=', row.id).orderBy('id').execute()
  const time = (at: number | null) => (at === null ? '-' : new Date(at).toISOString())
  const head = [
    ...(row.state === 'failed' ? [errorText('detection.failed', language)] : []),
    `task      ${row.id}`,
    `package   ${row.name} ${row.package_id} ${row.version} (${row.package_kind}, ${row.size} bytes)`,
    `sha256    ${row.sha256}`,
    `kinds     ${row.kinds.join(', ')}`,
    `engine    ${row.engine}`,
    `isolation ${row.isolation.join(', ') || '-'}`,
    `state     ${TASK_STATES[row.state][language]}${task.note ? `: ${task.note}` : ''}`,
    `times     ${time(row.created_at)}  ${time(row.started_at)}  ${time(row.ended_at)}`,
    '',
  ]
  const body = lines.map(
    (line) => `${time(line.at)} ${line.level.padEnd(7)} ${TASK_STAGES[line.stage][language]}: ${line[language]}`,
  )
  const clean = (text: string) =>
    text.replace(INVISIBLE, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return `${[...head, ...body].map(clean).join('\n')}\n`
}
