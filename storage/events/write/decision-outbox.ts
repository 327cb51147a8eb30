import type { JournalPendingDecisions } from '#contracts/telemetry/stored-event.ts'
import { log } from '#runtime/log.ts'
import type { JournalLink } from '../../journal/journal-reader.ts'
import type { DuckFile } from '../duckdb/duck-file.ts'

/** Decisions read from the outbox at a time: bounds memory, however many wait for a journal that cannot write. */
const READ_DECISIONS = 64

/** Sends the decisions of the outbox table to the journal, in order of their batches, one at a time. */
export type DecisionOutbox = {
  /** The table has rows that were not sent. */
  wake(): void
  /** Positions of batches whose decision is in the journal, while their outbox row is still there. */
  sent(): readonly number[]
  /** The outbox rows of these positions were deleted. */
  forget(positions: readonly number[]): void
  /** Resolves once nothing is being sent any more; call after the pause was made to answer false. */
  close(): Promise<void>
}

/** `pause` waits before the next attempt and answers false once the outbox is closed: what was not sent is sent by the next start. */
export function decisionOutbox(
  file: Pick<DuckFile, 'read'>,
  journal: Pick<JournalLink, 'appendDecisions'>,
  pause: () => Promise<boolean>,
): DecisionOutbox {
  const sent = new Set<number>()
  let isAwake = false
  let failing = false
  let sending: Promise<void> | undefined

  async function send(): Promise<void> {
    while (isAwake) {
      isAwake = false
      try {
        for (;;) {
          const decisions = await unsent()
          for (const one of decisions) {
            await journal.appendDecisions(one)
            sent.add(one.position)
            failing = false
          }
          if (decisions.length === 0) break
        }
      } catch (err) {
        // The rows stay in the outbox until the journal has them.
        if (!failing) log.warn({ err }, 'event store: cannot journal decisions, trying again')
        failing = true
        isAwake = await pause()
      }
    }
    sending = undefined
  }

  async function unsent(): Promise<JournalPendingDecisions[]> {
    const except = sent.size > 0 ? `WHERE position NOT IN (${[...sent].join(', ')})` : ''
    const rows = await file.read((select) =>
      select(`SELECT body FROM verdicts ${except} ORDER BY position LIMIT ${READ_DECISIONS}`),
    )
    return rows.map(([body]) => JSON.parse(body as string) as JournalPendingDecisions)
  }

  return {
    wake() {
      isAwake = true
      sending ??= send()
    },
    sent: () => [...sent],
    forget(positions) {
      for (const position of positions) sent.delete(position)
    },
    async close() {
      while (sending) await sending
    },
  }
}
