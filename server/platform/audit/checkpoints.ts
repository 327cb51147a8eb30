import { createHash, randomBytes } from 'node:crypto'
import { appendFile, readFile, rename, writeFile } from 'node:fs/promises'
import { setImmediate as yieldTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Checkpoint, checkpointText, type Verification } from '#contracts/http/audit-log.ts'
import { fromHex, toHex, utf8 } from '#engines/gm/bytes.ts'
import { publicKeyOf, sm2PrivateKey, sm2Sign, sm2Verify } from '#engines/gm/sm2-signature.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { AUDIT_LOCK, chainBegin, chainBlocks } from './audit-trail.ts'

/**
 * A checkpoint signs the hash of the newest entry, and with it every entry before: who rewrites the chain cannot sign again, and who
 * cuts its tail leaves a checkpoint without its entry. Copies go to a file beside the database and to the outputs of the log.
 */
const EVERY_MS = 3_600_000
const EVERY_ENTRIES = 1000
/** Lines of the file; half of them go when it is full. */
const FILE_LINES = 20_000

export type CheckpointDeps = { meta: MetaStore; secret(name: string): Buffer; now(): number; file: string }

const gm = { sm3: (data: Uint8Array) => createHash('sm3').update(data).digest() }
const privateKey = ({ secret }: Pick<CheckpointDeps, 'secret'>) => sm2PrivateKey(secret('audit.checkpoints'))

/** Uncompressed point in hexadecimal. */
export function checkpointKey(deps: Pick<CheckpointDeps, 'secret'>): string {
  return toHex(publicKeyOf(privateKey(deps)))
}

/** Makes a checkpoint if there are new entries and the last is an hour or 1000 entries old; undefined if none was due. */
export async function makeCheckpoint(deps: CheckpointDeps): Promise<Checkpoint | undefined> {
  const { meta, now } = deps
  const made = await meta.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${AUDIT_LOCK})`.execute(tx)
    const entry = await tx
      .selectFrom('audit_log')
      .select(['id', 'hash'])
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    const last = await tx
      .selectFrom('audit_checkpoints')
      .select(['id', 'at', 'entry_id'])
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (!entry || (last && entry.id <= last.entry_id)) return undefined
    const at = now()
    // The clock may have been set back: a distance, not an age.
    const isDue = !last || Math.abs(at - last.at) >= EVERY_MS || entry.id - last.entry_id >= EVERY_ENTRIES
    if (!isDue) return undefined
    const unsigned = { id: (last?.id ?? 0) + 1, at, entry_id: entry.id, hash: entry.hash }
    const signature = toHex(sm2Sign(gm, privateKey(deps), utf8(checkpointText(unsigned)), randomBytes))
    await tx
      .insertInto('audit_checkpoints')
      .values({ ...unsigned, signature })
      .execute()
    return { ...unsigned, signature }
  })
  if (made) await keepCopy(deps.file, made)
  return made
}

async function keepCopy(file: string, checkpoint: Checkpoint): Promise<void> {
  await appendFile(file, `${JSON.stringify(checkpoint)}\n`, { mode: 0o600, flush: true })
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
  if (lines.length <= FILE_LINES) return
  await writeFile(`${file}.new`, `${lines.slice(-FILE_LINES / 2).join('\n')}\n`, { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
}

/** Checkpoints of the file, and lines of it that cannot be read; a missing file has none of either. */
export async function readCopies(file: string): Promise<{ copies: Checkpoint[]; torn: number }> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const lines = text.split('\n').filter((line) => line !== '')
  const copies = lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as Checkpoint]
    } catch {
      return [] // torn: the database has it too
    }
  })
  return { copies, torn: lines.length - copies.length }
}

/** Replaces the copies of the file. */
export async function writeCopies(file: string, copies: readonly Checkpoint[]): Promise<void> {
  const text = copies.map((one) => `${JSON.stringify(one)}\n`).join('')
  await writeFile(`${file}.new`, text, { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
}

/** Whether this installation signed the checkpoint. */
export function isSigned(deps: Pick<CheckpointDeps, 'secret'>, checkpoint: Checkpoint): boolean {
  const publicKey = fromHex(checkpointKey(deps))
  return sm2Verify(gm, publicKey, utf8(checkpointText(checkpoint)), fromHex(checkpoint.signature))
}

/**
 * Recomputes the chain and checks every checkpoint of the database and of the file: its signature, the hash of its entry, and that the
 * entry exists. Entries that retention removed are before the beginning of the chain and are not missing.
 */
export async function verifyAudit(
  deps: Pick<CheckpointDeps, 'meta' | 'secret' | 'file'>,
): Promise<Omit<Verification, 'at' | 'by'>> {
  const { meta } = deps
  const stored = await meta.db.selectFrom('audit_checkpoints').selectAll().orderBy('id').execute()
  const { copies } = await readCopies(deps.file)
  // A copy proves the same as its row; one that differs from it is checked by itself.
  const rows = new Map(stored.map((one) => [one.id, one.signature]))
  const checkpoints = [...stored, ...copies.filter(({ id, signature }) => rows.get(id) !== signature)]
  const begin = await chainBegin(meta.db)
  const hashes = new Map<number, string>()
  const wanted = new Set(checkpoints.map(({ entry_id }) => entry_id))
  let [entries, last] = [0, begin.id]
  let broken: number | null = null
  for await (const block of chainBlocks(meta))
    for (const { id, hash, fits } of block) {
      entries++
      last = id
      if (!fits) broken ??= id
      if (wanted.has(id)) hashes.set(id, hash)
    }

  let bad: number | null = null
  let end = last
  for (const checkpoint of checkpoints.sort((x, y) => x.id - y.id)) {
    const { id, entry_id, hash } = checkpoint
    const isGood = isSigned(deps, checkpoint)
    if (isGood && entry_id > last) end = Math.max(end, entry_id)
    const isGone = entry_id <= begin.id || entry_id > last
    if (!isGood || (!isGone && hashes.get(entry_id) !== hash)) bad ??= id
    await yieldTurn()
  }
  return {
    entries,
    broken_at: broken,
    checkpoints: checkpoints.length,
    bad_checkpoint: bad,
    missing: end > last ? { from: last + 1, to: end } : null,
  }
}
