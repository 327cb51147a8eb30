import { ProductError } from '#contracts/errors.ts'

/** Within the 15 s of a request. */
const ANSWER_MS = 10_000
/** How long an answer is kept for a caller that asks again. */
const KEPT_MS = 60_000
const MOST = 32
const MOST_OF_ONE = 4

type Work<T> = { user: number; answer: Promise<T>; stop: AbortController }

/**
 * Questions that may take longer than a request. The first call begins one; where it is not answered in time the caller gets asset.busy and
 * asks again with the same key. `finish` runs once, however it ended: it removes what was uploaded for it.
 */
export function toolWorks<T>() {
  const works = new Map<string, Work<T>>()

  return {
    /** Throws request.rate where too much runs, data.missing for the work of another account. */
    async answer(
      key: string,
      user: number,
      begin: () => Promise<{ run(signal: AbortSignal): Promise<T>; finish(): Promise<void> }>,
      /** The caller went away before the answer: the work is stopped. */
      gone: AbortSignal,
    ): Promise<T> {
      const work = works.get(key) ?? (await start(key, user, begin))
      if (work.user !== user) throw new ProductError('data.missing')
      const leave = () => work.stop.abort()
      gone.addEventListener('abort', leave, { once: true })
      try {
        const answer = await withinTime(work.answer)
        works.delete(key)
        return answer
      } catch (error) {
        if (!(error instanceof ProductError && error.key === 'asset.busy')) works.delete(key)
        throw error
      } finally {
        gone.removeEventListener('abort', leave)
      }
    },
  }

  async function start(
    key: string,
    user: number,
    begin: () => Promise<{ run(signal: AbortSignal): Promise<T>; finish(): Promise<void> }>,
  ): Promise<Work<T>> {
    const own = [...works.values()].filter((one) => one.user === user).length
    if (works.size >= MOST || own >= MOST_OF_ONE) throw new ProductError('request.rate')
    const { run, finish } = await begin()
    const begun = works.get(key) // by a call that came meanwhile
    if (begun) return begun
    const stop = new AbortController()
    const answer = run(stop.signal).finally(finish)
    const work = { user, answer, stop }
    works.set(key, work)
    const forget = () => {
      if (works.get(key) === work) works.delete(key)
    }
    answer.then(
      () => setTimeout(forget, KEPT_MS).unref(),
      () => setTimeout(forget, KEPT_MS).unref(),
    )
    return work
  }
}

async function withinTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new ProductError('asset.busy')), ANSWER_MS)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
