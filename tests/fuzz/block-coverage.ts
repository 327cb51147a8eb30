import { type Profiler, Session } from 'node:inspector'

/** Which blocks of the engines ran, by V8's own counters: no build step, and the code under test is what ships. */
export class BlockCoverage {
  private readonly session = new Session()
  private readonly seen = new Set<string>()

  start(): void {
    this.session.connect()
    this.session.post('Profiler.enable')
    this.session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
    this.take()
  }

  stop(): void {
    this.session.post('Profiler.stopPreciseCoverage')
    this.session.disconnect()
  }

  /** How many blocks have run at all. */
  get size(): number {
    return this.seen.size
  }

  /** Blocks that have run since the last call and never before it. */
  take(): Set<string> {
    const fresh = new Set<string>()
    for (const block of this.ran())
      if (!this.seen.has(block)) {
        this.seen.add(block)
        fresh.add(block)
      }
    return fresh
  }

  /** Blocks that have run since the last call. */
  ran(): string[] {
    let result: Profiler.ScriptCoverage[] = []
    this.session.post('Profiler.takePreciseCoverage', (_error, answer) => {
      result = answer?.result ?? []
    })
    return result
      .filter(({ url }) => url.includes('/engines/'))
      .flatMap(({ scriptId, functions }) =>
        functions.flatMap(({ ranges }) =>
          ranges
            .filter(({ count }) => count > 0)
            .map(({ startOffset, endOffset }) => `${scriptId} ${startOffset} ${endOffset}`),
        ),
      )
  }
}
