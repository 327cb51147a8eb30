import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arbitraryEvent, madeEvent } from '#tests/support/made-events.ts'
import { fromTuple, type StoredEvent, toTuple } from './stored-event.ts'

test('an event survives the round trip through its tuple, every field at its index', () => {
  // A distinct value for each field, so that swapped fields show.
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

test('an entry of an older, shorter version reads missing fields as unknown', () => {
  expect(fromTuple(['id', 1])).toMatchObject({ id: 'id', app: 1, extra: null })
})
