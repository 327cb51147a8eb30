import { ProductError } from '#contracts/errors.ts'
import type { Part, PartAnswer } from '#contracts/query.ts'
import { answerChange } from './answer-change.ts'
import { answerHeat } from './answer-heat.ts'
import { answerPeriods } from './answer-periods.ts'
import { answerTop } from './answer-top.ts'
import { Asking } from './asking.ts'
import type { Batch } from './batch.ts'
import type { FailedPart, StoreQuery } from './port.ts'

/** Answers a part of a request. Throws ProductError input.invalid where the question is too fine. */
export async function answerPart(query: StoreQuery, part: Part, batch: Batch): Promise<PartAnswer> {
  const { select, dialect } = batch
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
      return answerPeriods(ask.selection(query.span), part, select, dialect)
    case 'entities':
      return ask.entities(part)
    case 'rows':
      return ask.rows(part)
  }
}

/** Answers all parts of a request; each that fails says why. */
export async function answerParts(
  query: StoreQuery,
  parts: Readonly<Record<string, Part>>,
  batch: Batch,
): Promise<Record<string, PartAnswer | FailedPart>> {
  const answers = Object.entries(parts).map(async ([name, part]) => {
    try {
      return [name, await answerPart(query, part, batch)] as const
    } catch (error) {
      const known = error instanceof ProductError
      if (!known) console.error('event store: no answer:', (error as Error).message)
      const { key, params } = known ? error : new ProductError('server.internal')
      return [name, { kind: 'failed', error: key, params }] as const
    }
  })
  return Object.fromEntries(await Promise.all(answers))
}
