import type { Checkpoint } from '#contracts/http/audit-log.ts'
import { chainBegin } from '../../../platform/audit/audit-trail.ts'
import { isSigned, readCopies, verifyAudit, writeCopies } from '../../../platform/audit/checkpoints.ts'
import type { Check, CheckDeps, Found } from './check.ts'
import { nothing } from './event-store-checks.ts'

const verify = ({ meta, secret, config }: CheckDeps) =>
  verifyAudit({ meta, secret, file: config.paths.auditCheckpoints })

const chain: Check = {
  id: 'audit.chain',
  async find(deps) {
    const { entries, broken_at: id } = await verify(deps)
    if (id === null) return { checked: entries, found: [] }
    return { checked: entries, found: [{ name: String(id), text: 'chain_broken', params: { id }, repairable: false }] }
  },
  repair: nothing,
}

const tail: Check = {
  id: 'audit.tail',
  async find(deps) {
    const { checkpoints, missing } = await verify(deps)
    if (!missing) return { checked: checkpoints, found: [] }
    const { from, to } = missing
    const found: Found = {
      name: `${from}-${to}`,
      text: 'tail_missing',
      params: { from, to },
      count: to - from + 1,
      repairable: false,
    }
    return { checked: checkpoints, found: [found] }
  },
  repair: nothing,
}

/** Checkpoints and their copies outside the database prove each other: what one side lost comes from the other, where its signature is good. */
const checkpoints: Check = {
  id: 'audit.checkpoints',
  async find(deps) {
    const { bad_checkpoint: bad, checkpoints: checked } = await verify(deps)
    const { torn, uncopied, unstored } = await compare(deps)
    const found: Found[] = []
    if (bad !== null) found.push({ name: String(bad), text: 'checkpoint_bad', params: { id: bad }, repairable: false })
    if (uncopied.length > 0) {
      const name = `${uncopied[0]?.id}-${uncopied.at(-1)?.id}`
      const count = uncopied.length
      found.push({ name, text: 'checkpoint_uncopied', params: { count }, count, repairable: true })
    }
    for (const { id } of unstored)
      found.push({ name: String(id), text: 'checkpoint_unstored', params: { id }, repairable: true })
    if (torn > 0)
      found.push({
        name: 'audit-checkpoints.jsonl',
        text: 'copies_torn',
        params: { count: torn },
        count: torn,
        repairable: true,
      })
    return { checked, found }
  },
  async repair(deps, { text, name }) {
    const { file, copies, uncopied, unstored } = await compare(deps)
    if (text !== 'checkpoint_unstored')
      return writeCopies(
        file,
        [...copies, ...uncopied].sort((a, b) => a.id - b.id),
      )
    const row = unstored.find(({ id }) => String(id) === name)
    if (row) await deps.meta.db.insertInto('audit_checkpoints').values(row).execute()
  },
}

async function compare(deps: CheckDeps) {
  const { meta, config } = deps
  const file = config.paths.auditCheckpoints
  const { copies, torn } = await readCopies(file)
  const stored = await meta.db.selectFrom('audit_checkpoints').selectAll().orderBy('id').execute()
  const begin = await chainBegin(meta.db)
  // The file is cut from time to time: rows of before it begins have lost their copy in order.
  const first = copies[0]?.id ?? 0
  const copied = new Set(copies.map(({ id }) => id))
  const kept = new Set(stored.map(({ id }) => id))
  const isStillProof = (one: Checkpoint) => one.entry_id > begin.id
  return {
    file,
    copies,
    torn,
    uncopied: stored.filter((one) => one.id > first && !copied.has(one.id) && isSigned(deps, one)),
    unstored: copies.filter((one) => !kept.has(one.id) && isStillProof(one) && isSigned(deps, one)),
  }
}

export const AUDIT_CHECKS: readonly Check[] = [chain, tail, checkpoints]
