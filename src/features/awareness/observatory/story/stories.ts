import type { TopAnswer } from '#domain/query.ts'

/** Fields that stories are about, in this order. */
export const STORY_FIELDS = ['city', 'risk', 'app'] as const
export type StoryField = (typeof STORY_FIELDS)[number]
/** One value that rose most within the last hour against the hour before, with the counts that say so. */
export type Story = { field: StoryField; key: string; now: number; before: number; blocked: number }

export const STORY_MS = 20_000
const EVERY_MS = 60_000
/** Fewer attacks more than in the hour before are no story. */
const LEAST_RISE = 10
const LEAST_FACTOR = 1.2

/** The strongest rise of each field; none where nothing rose. Unknown places are no story. */
export function storiesOf(answers: ReadonlyMap<StoryField, TopAnswer>): Story[] {
  return STORY_FIELDS.flatMap((field) => {
    const rises = (answers.get(field)?.groups ?? [])
      .filter(({ key }) => key !== '' && key !== '0')
      .map(({ key, row, previous }) => ({
        field,
        key,
        now: row.attacks ?? 0,
        before: previous?.attacks ?? 0,
        blocked: row.blocked ?? 0,
      }))
      .filter(({ now, before }) => now - before >= LEAST_RISE && now >= before * LEAST_FACTOR)
      .sort((a, b) => b.now - b.before - (a.now - a.before))
    return rises.slice(0, 1)
  })
}

/** Which story has its turn: the first third of each minute, one after the other. Null in between. */
export function storyAt(stories: readonly Story[], now: number): Story | null {
  if (stories.length === 0 || now % EVERY_MS >= STORY_MS) return null
  return stories[Math.floor(now / EVERY_MS) % stories.length] ?? null
}
