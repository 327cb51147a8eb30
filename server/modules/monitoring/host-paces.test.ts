import { expect, test } from 'vitest'
import { HostPaces } from './host-paces.ts'

test('a host is asked after the pause of who asks next, and after what it wanted to be left alone for', () => {
  const paces = new HostPaces()
  expect(paces.wait('a.example', 500, 1000)).toBe(0)
  paces.asked('a.example', 1000)
  expect(paces.wait('a.example', 500, 1200)).toBe(300)
  expect(paces.wait('a.example', 2000, 1200)).toBe(1800)
  expect(paces.wait('b.example', 2000, 1200)).toBe(0)
  paces.close('a.example', 60_000, 1200)
  expect(paces.wait('a.example', 500, 2200)).toBe(59_000)
  expect(paces.wait('a.example', 500, 61_300)).toBe(0)
})

test('a clock that is set back by a day makes no channel wait longer than it was asked to', () => {
  const paces = new HostPaces()
  const day = 86_400_000
  paces.asked('a.example', 2 * day)
  expect(paces.wait('a.example', 500, day)).toBe(500)
  paces.close('a.example', 60_000, 2 * day)
  expect(paces.wait('a.example', 500, day)).toBe(60_000)
})

test('work for one host is done one after the other, and an error of one leaves the next its turn', async () => {
  const paces = new HostPaces()
  const done: string[] = []
  const first = paces.turn('a.example', async () => {
    await new Promise((next) => setImmediate(next))
    done.push('first')
    throw new Error('refused')
  })
  const second = paces.turn('a.example', async () => done.push('second'))
  await expect(first).rejects.toThrow('refused')
  await second
  expect(done).toEqual(['first', 'second'])
})
