import { expect, test } from 'vitest'
import { certificateNumber, normalNumber } from './certificate-number.ts'
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

test('a number of a certificate is read back however it is typed, and nothing else is one', () => {
  const number = certificateNumber(secret, { user: 1, course: 'a', issuedAt: 5 })
  expect(number).toMatch(/^AWT(-[0-9A-HJKMNP-TV-Z]{4}){3}$/)
  expect(certificateNumber(secret, { user: 2, course: 'a', issuedAt: 5 })).not.toBe(number)
  for (const text of [number, number.toLowerCase(), number.slice(4), ` ${number.replaceAll('-', '')} `])
    expect(normalNumber(text)).toBe(number)
  expect(normalNumber('awt-oil0-0000-0000')).toBe('AWT-0110-0000-0000')
  for (const text of ['', 'AWT', `${number}1`, number.slice(0, -1), 'AWT-UUUU-UUUU-UUUU', '证书'])
    expect(normalNumber(text)).toBe('')
})
