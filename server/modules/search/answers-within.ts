import type { SearchHit } from '#contracts/http/search.ts'

export type KindAnswer =
  | { state: 'found'; hits: SearchHit[] }
  | { state: 'failed'; error: unknown }
  /** Its work may still go on; what it says then is dropped. */
  | { state: 'slow' }

/** The hits, or why there are none after `ms` at the latest. Never throws. */
export async function answersWithin(ms: number, find: () => Promise<SearchHit[]>): Promise<KindAnswer> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<KindAnswer>((resolve) => {
    timer = setTimeout(() => resolve({ state: 'slow' }), ms)
  })
  const work = find().then(
    (hits): KindAnswer => ({ state: 'found', hits }),
    (error: unknown): KindAnswer => ({ state: 'failed', error }),
  )
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
