import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arbitraryEvent, madeEvent } from '#tests/support/made-events.ts'
import { fromTuple, type StoredEvent, toTuple } from './stored-event.ts'

test('an event comes back from its tuple as it was, every field in its place', () => {
  // A value of its own for each field: two that changed places would show.
  const event = Object.fromEntries(
    Object.keys(madeEvent()).map((field, index) => [field, index]),
  ) as unknown as StoredEvent
  expect(fromTuple(JSON.parse(JSON.stringify(toTuple(event))))).toEqual(event)
  fc.assert(
    fc.property(arbitraryEvent(0, 2e12), (one) => {
      expect(fromTuple(JSON.parse(JSON.stringify(toTuple(one))))).toEqual(one)
    }),
  )
})

test('an entry of an older version, shorter than ours, reads as unknown', () => {
  expect(fromTuple(['id', 1])).toMatchObject({ id: 'id', app: 1, extra: null })
})
