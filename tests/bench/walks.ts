import { performance } from 'node:perf_hooks'
import { walkFromSpike } from '../support/spike-walk.ts'
import { type BenchLine, line } from './bench-line.ts'
import { startDemoBrowser } from './demo-browser.ts'

const MOST_ACTIONS = 8
/** The newest hours of history are there, and the first attack in one province has begun. */
const WARM_MS = 90_000

/** `npm run bench -- walks`: the walk from a spike to a report on the demo while it imports: its actions, and how long it takes. */
export async function run(): Promise<BenchLine[]> {
  const demo = await startDemoBrowser()
  try {
    await demo.page.waitForTimeout(WARM_MS)
    await demo.page.goto('/statistics/attack_analyzer')
    const started = performance.now()
    const actions: { what: string; at: number }[] = []
    await walkFromSpike(demo.page, async (what, click) => {
      actions.push({ what, at: performance.now() - started })
      await click()
    })
    const all = performance.now() - started
    const steps = actions.map(({ what, at }, index) =>
      line(`  until ${what}`, at - (actions[index - 1]?.at ?? 0), 'ms', null, null, '', true),
    )
    return [
      ...steps,
      line(
        'spike to report, actions',
        actions.length,
        '',
        null,
        null,
        `value <= ${MOST_ACTIONS}`,
        actions.length <= MOST_ACTIONS,
      ),
      line('spike to report, time', all, 'ms', null, null, '', true),
    ]
  } finally {
    await demo.close()
  }
}
