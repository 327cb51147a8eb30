import type { compareTasks, detectionResult } from '#contracts/http/detection/result.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import type { Address } from '#src/shared/table/use-address.ts'
import type { TaskAnswer } from './use-task.ts'

type ResultSummary = ResponseOf<typeof detectionResult>['data']
type Comparison = ResponseOf<typeof compareTasks>
/** What every part of a report gets. */
export type PartProps = {
  answer: TaskAnswer
  summary: ResultSummary
  comparison: Comparison | undefined
  address: Address
}
