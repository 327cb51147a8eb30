import type { ServerDeps } from '../../http/module.ts'
import type { UpdateJournal } from '../../platform/updates/update-journal.ts'

/** Calls come from every poll of the page: one at a time. */
let turn: Promise<void> = Promise.resolve()

/**
 * Writes into the audit trail what updates did since the last call: most of it happened while no console and no database ran. How far it
 * came is kept beside the journal, so that nothing is missing; after a crash an entry may stand there twice.
 */
export function auditUpdates({ audit }: Pick<ServerDeps, 'audit'>, journal: UpdateJournal): Promise<void> {
  const work = turn.then(async () => {
    for (const record of journal.all().reverse()) {
      const { id, from, to, by, steps, ended_at, state, problem } = record
      const ended = steps.filter((step) => step.ended_at !== null)
      const count = ended.length + (ended_at === null ? 0 : 1)
      const known = journal.audited(id)
      if (count <= known) continue
      const entry = { account: by, role: '', address: 'local', target: to }
      for (const { name, detail } of ended.slice(known))
        await audit({
          ...entry,
          action: 'update.step',
          result: 'ok',
          detail: [name, detail].filter(Boolean).join(': '),
        })
      if (ended_at !== null)
        await audit({
          ...entry,
          action: 'update.end',
          result: state === 'updated' || state === 'returned' ? 'ok' : (problem?.key ?? state),
          detail: `${from} -> ${to}: ${state}`,
        })
      journal.setAudited(id, count)
    }
  })
  turn = work.catch(() => {}) // the caller sees the error
  return work
}
