import { compareTasks } from '#contracts/http/detection/result.ts'
import { compareResults } from '#engines/detect/result/compare-results.ts'
import type { Module } from '../../http/module.ts'
import { type OpenedResult, openResult } from './result-module.ts'

/** Two detected tasks side by side. */
export const compareModule: Module = (mount, deps) => {
  mount(compareTasks, async ({ query, caller }) => {
    const [before, after] = await Promise.all([
      openResult(deps, caller, query.before),
      openResult(deps, caller, query.after),
    ])
    return { before: side(before), after: side(after), ...compareResults(before.result, after.result) }
  })
}

function side({ task, result, judged }: OpenedResult) {
  return {
    id: task.id,
    name: task.name,
    package_id: task.package_id,
    version: task.version,
    created_at: task.created_at,
    score: judged.score.value,
    counts: judged.counts,
    rules: result.rules,
    size: task.size,
  }
}
