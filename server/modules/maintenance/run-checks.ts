import type { CheckOutcome, FoundItem } from '#contracts/http/maintenance/checks.ts'
import { CHECK_IDS, type CheckId } from '#contracts/maintenance-checks.ts'
import { log } from '#runtime/log.ts'
import { ALL_CHECKS } from './checks/all-checks.ts'
import type { Check, CheckDeps, Found } from './checks/check.ts'

/** So many of what a check found are kept by name; all are counted. */
const EXAMPLES = 50

export type CheckProgress = (done: number, total: number, check: CheckId) => Promise<void>

/** Looks at everything and changes nothing. A check that cannot look says why; the others go on. Ends early where the signal aborts. */
export async function findDamage(
  deps: CheckDeps,
  ids: readonly CheckId[],
  signal: AbortSignal,
  progress: CheckProgress,
): Promise<CheckOutcome[]> {
  return eachCheck(ids, signal, progress, async (check) => {
    const { checked, found } = await check.find(deps, signal)
    return outcomeOf(check, checked, found)
  })
}

/** Looks, repairs what can be repaired, and looks again: only what is gone then counts as repaired. */
export async function repairDamage(
  deps: CheckDeps,
  ids: readonly CheckId[],
  signal: AbortSignal,
  progress: CheckProgress,
): Promise<CheckOutcome[]> {
  return eachCheck(ids, signal, progress, async (check) => {
    const before = await check.find(deps, signal)
    const reasons = new Map<string, string>()
    const tried = before.found.filter(({ repairable }) => repairable)
    for (const one of tried) {
      if (signal.aborted) break
      await check.repair(deps, one).catch((err: Error) => {
        log.error({ err, check: check.id, name: one.name }, 'maintenance: repair failed')
        reasons.set(keyOf(one), err.message)
      })
    }
    if (tried.length === 0) return outcomeOf(check, before.checked, before.found)
    if (check.id.startsWith('events.')) await deps.store.ready(60_000)
    const after = await check.find(deps, signal)
    const left = new Set(after.found.map(keyOf))
    const gone = tried.filter((one) => !left.has(keyOf(one)))
    return {
      ...outcomeOf(check, after.checked, [...after.found, ...gone]),
      repaired: countOf(gone),
      items: [
        ...after.found.map((one) =>
          itemOf(one, { ...(reasons.has(keyOf(one)) && { reason: reasons.get(keyOf(one)) as string }) }),
        ),
        ...gone.map((one) => itemOf(one, { repaired: true })),
      ].slice(0, EXAMPLES),
    }
  })
}

async function eachCheck(
  ids: readonly CheckId[],
  signal: AbortSignal,
  progress: CheckProgress,
  work: (check: Check) => Promise<CheckOutcome>,
): Promise<CheckOutcome[]> {
  const wanted = ALL_CHECKS.filter(({ id }) => ids.includes(id))
  const outcomes: CheckOutcome[] = []
  for (const [index, check] of wanted.entries()) {
    if (signal.aborted) break
    await progress(index, wanted.length, check.id)
    try {
      outcomes.push(await work(check))
    } catch (err) {
      if (signal.aborted) break
      log.warn({ err, check: check.id }, 'maintenance: a check could not look')
      const reason = (err as Error).message.slice(0, 500)
      outcomes.push({ check: check.id, checked: 0, count: 0, repairable: 0, repaired: 0, reason, items: [] })
    }
  }
  return outcomes
}

const keyOf = ({ name, text }: Found) => `${text} ${name}`
const countOf = (found: readonly Found[]) => found.reduce((sum, { count = 1 }) => sum + count, 0)

function outcomeOf({ id }: Check, checked: number, found: readonly Found[]): CheckOutcome {
  return {
    check: id,
    checked,
    count: countOf(found),
    repairable: countOf(found.filter(({ repairable }) => repairable)),
    repaired: 0,
    reason: null,
    items: found.slice(0, EXAMPLES).map((one) => itemOf(one)),
  }
}

function itemOf(
  { name, text, params = {}, repairable }: Found,
  more: { repaired?: true; reason?: string } = {},
): FoundItem {
  return { name, text, params, repairable, repaired: more.repaired ?? false, reason: more.reason ?? null }
}

/** The ids that were asked for, each once, in the order of the list; all where none were named. */
export function chosenChecks(ids: readonly CheckId[]): CheckId[] {
  return CHECK_IDS.filter((id) => ids.length === 0 || ids.includes(id))
}
