import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SearchHit } from '#contracts/http/search.ts'
import { answersWithin } from './answers-within.ts'
import { hit, holding, holdsAll, inRank, joined, plain } from './search-source.ts'

const named = (id: string, exact = false): SearchHit => hit({ kind: 'case', id, title: plain(id), to: '/', exact })

test('a source that takes too long is slow, one that throws has failed, and neither throws', async () => {
  const began = performance.now()
  const slow = await answersWithin(20, async () => {
    await sleep(300)
    return []
  })
  expect(slow).toEqual({ state: 'slow' })
  expect(performance.now() - began).toBeLessThan(250)
  expect(await answersWithin(20, async () => [named('a')])).toEqual({ state: 'found', hits: [named('a')] })
  const error = new Error('away')
  expect(await answersWithin(20, () => Promise.reject(error))).toEqual({ state: 'failed', error })
})

test('exact hits come first, then those that begin with the text, the rest keeps its order', () => {
  const hits = [named('my bank'), named('bank'), named('other'), named('the id', true)]
  expect(inRank(hits, 'BANK').map(({ id }) => id)).toEqual(['the id', 'bank', 'my bank', 'other'])
})

test('a word is found as it is written, wildcards of SQL included', () => {
  expect(holding('50%_a\\b')).toBe('%50\\%\\_a\\\\b%')
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, word) => {
      expect(holdsAll(before + word, [word.toLowerCase()])).toBe(
        (before + word).toLowerCase().includes(word.toLowerCase()),
      )
    }),
  )
})

test('a note joins what is there, with the comma of each language', () => {
  expect(joined('a', '', { zh: '乙', en: 'b' })).toEqual({ zh: 'a，乙', en: 'a, b' })
})
