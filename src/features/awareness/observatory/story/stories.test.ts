import { expect, test } from 'vitest'
import type { TopAnswer } from '#domain/query.ts'
import { STORY_MS, type StoryField, storiesOf, storyAt } from './stories.ts'

const top = (rows: Record<string, [now: number, before: number]>): TopAnswer => ({
  kind: 'top',
  groups: Object.entries(rows).map(([key, [now, before]]) => ({
    key,
    row: { attacks: now, blocked: Math.floor(now / 2) },
    previous: { attacks: before },
  })),
  groupCount: 3,
  others: {},
})

test('[OBS-01] a story is the strongest rise of a field, with its stored counts; nothing that fell or hardly rose is one', () => {
  const answers = new Map<StoryField, TopAnswer>([
    ['city', top({ '410100': [744, 120], '440300': [300, 290], '': [900, 10] })],
    ['risk', top({ hook: [50, 80], root: [12, 9] })],
    ['app', top({ '1': [60, 20] })],
  ])
  expect(storiesOf(answers)).toEqual([
    { field: 'city', key: '410100', now: 744, before: 120, blocked: 372 },
    { field: 'app', key: '1', now: 60, before: 20, blocked: 30 },
  ])
  expect(storiesOf(new Map())).toEqual([])
})

test('[OBS-01] stories take turns of twenty seconds at the start of each minute', () => {
  const stories = storiesOf(
    new Map([
      ['city', top({ '410100': [744, 120] })],
      ['app', top({ '1': [60, 20] })],
    ]),
  )
  expect(storyAt(stories, 0)?.field).toBe('city')
  expect(storyAt(stories, 60_000)?.field).toBe('app')
  expect(storyAt(stories, STORY_MS)).toBeNull()
  expect(storyAt([], 0)).toBeNull()
})
