import { ProductError } from '#contracts/errors.ts'
import type { Part, PartAnswer } from '#domain/query.ts'
import type { FailedPart, StoreQuery } from '../port.ts'
import { answerChange } from './answer-change.ts'
import { answerHeat } from './answer-heat.ts'
import { answerPeriods } from './answer-periods.ts'
import { answerTop } from './answer-top.ts'
import { Asking } from './asking.ts'
import type { Batch } from './batch.ts'

/** Answers a part of a request. Throws ProductError input.invalid where the question is too fine. */
export async function answerPart(query: StoreQuery, part: Part, batch: Batch): Promise<PartAnswer> {
  const { dialect } = batch
  const ask = new Asking(query, part.and, batch)
  switch (part.kind) {
    case 'total':
      return ask.total(part)
    case 'series':
      return ask.series(part)
    case 'top':
      return answerTop(ask, part)
    case 'heat':
      return answerHeat(ask, part)
    case 'change':
      return answerChange(ask, part)
    case 'periods':
      return batch.reading((select, scan) => answerPeriods(ask.selection(query.span), part, select, scan, dialect))
    case 'entities':
      return ask.entities(part)
    case 'rows':
      return ask.rows(part)
  }
}

/** Runs a task with the questions of one transaction. */
type Batched = <T>(task: (batch: Batch) => Promise<T>) => Promise<T>

/**
 * Answers all parts of a request; each that fails says why. A question that the database cannot answer ends its transaction and takes
 * other parts along: those that failed so are asked again, each in a transaction of its own.
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
  if (!known) console.error('event store: no answer:', error.message)
  const { key, params } = known ? error : new ProductError('server.internal')
  return { kind: 'failed', error: key, params }
}
