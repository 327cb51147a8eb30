import { ProductError } from '#contracts/errors.ts'
import type { Part, PartAnswer } from '#domain/query.ts'
import { log } from '#runtime/log.ts'
import type { FailedPart, StoreQuery } from '../port.ts'
import { answerChange } from './answer-change.ts'
import { answerHeat } from './answer-heat.ts'
import { answerPeriods } from './answer-periods.ts'
import { answerTop } from './answer-top.ts'
import type { Batch } from './batch.ts'
import { QueryPartRunner } from './query-part-runner.ts'

/** Answers a part of a request. Throws ProductError input.invalid where the question is too fine. */
export async function answerPart(query: StoreQuery, part: Part, batch: Batch): Promise<PartAnswer> {
  const { dialect } = batch
  const runner = new QueryPartRunner(query, part.and, batch)
  switch (part.kind) {
    case 'total':
      return runner.total(part)
    case 'series':
      return runner.series(part)
    case 'top':
      return answerTop(runner, part)
    case 'heat':
      return answerHeat(runner, part)
    case 'change':
      return answerChange(runner, part)
    case 'periods':
      return batch.reading((select, scan) => answerPeriods(runner.selection(query.span), part, select, scan, dialect))
    case 'entities':
      return runner.entities(part)
    case 'rows':
      return runner.rows(part)
  }
}

/** Runs a task with a batch in one transaction. */
type Batched = <T>(task: (batch: Batch) => Promise<T>) => Promise<T>

/**
 * Answers all parts of a request; a failed part contains its error. An SQL error aborts the transaction and fails other parts with it: parts
 * that failed this way are retried, each in its own transaction.
 */
export async function answerParts(
  query: StoreQuery,
  parts: Readonly<Record<string, Part>>,
  batched: Batched,
): Promise<Record<string, PartAnswer | FailedPart>> {
  const attempt = (ask: () => Promise<PartAnswer>) => ask().catch((error: Error) => error)
  const together = await batched((batch) =>
    Promise.all(
      Object.entries(parts).map(async ([name, part]) => {
        return { name, part, answer: await attempt(() => answerPart(query, part, batch)) }
      }),
    ),
  )
  const answers: Record<string, PartAnswer | FailedPart> = {}
  for (const { name, part, answer } of together) {
    const again = answer instanceof Error && !(answer instanceof ProductError)
    const last = again ? await attempt(() => batched((batch) => answerPart(query, part, batch))) : answer
    answers[name] = last instanceof Error ? failed(last) : last
  }
  return answers
}

function failed(error: Error): FailedPart {
  const known = error instanceof ProductError
  if (!known) log.error({ err: error }, 'event store: a query failed')
  const { key, params } = known ? error : new ProductError('server.internal')
  return { kind: 'failed', error: key, params }
}
