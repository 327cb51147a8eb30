import { expect, test } from 'vitest'
import { optionOrder } from './option-order.ts'

const secret = Buffer.alloc(32, 7)
const of = { user: 1, course: 'a', lesson: 'b', question: 'c', attempt: 1 }

test('an order has each option once, is the same for one attempt, and puts the right one at every place about as often', () => {
  expect(optionOrder(secret, of)).toEqual(optionOrder(secret, of))
  const places = [0, 0, 0, 0]
  for (let user = 0; user < 4000; user++) {
    const order = optionOrder(secret, { ...of, user })
    expect(order.toSorted()).toEqual([0, 1, 2, 3])
    places[order.indexOf(0)] = (places[order.indexOf(0)] ?? 0) + 1
  }
  for (const count of places) expect(count).toBeGreaterThan(850)
})

test('another secret, account, question or attempt gives another order somewhere', () => {
  const many = (change: object, key = secret) =>
    JSON.stringify(Array.from({ length: 20 }, (_, at) => optionOrder(key, { ...of, question: `q${at}`, ...change })))
  const same = many({})
  expect(many({ user: 2 })).not.toBe(same)
  expect(many({ attempt: 2 })).not.toBe(same)
  expect(many({ lesson: 'd' })).not.toBe(same)
  expect(many({}, Buffer.alloc(32, 8))).not.toBe(same)
})
