import { expect, test } from 'vitest'
import { answerBytes, SaidPackages } from './said-packages.ts'

const MIB = 2 ** 20
const base64 = (text: string) => Buffer.from(text).toString('base64')

test('a package that a worker says is whole only with all of its bytes and its end; the readable one, too', () => {
  const said = new SaidPackages()
  expect([said.issue(), said.pieces('result'), said.pieces('open')]).toEqual([undefined, [], []])
  for (const name of ['open', 'result'] as const) {
    said.add(name, base64('first '))
    expect(said.issue()).toBe(`${name}: 6 of unknown bytes came`)
    said.end(name, 12)
    expect(said.issue()).toBe(`${name}: 6 of 12 bytes came`)
    said.add(name, base64('second'))
    expect(said.issue()).toBeUndefined()
  }
  expect(Buffer.concat(said.pieces('open')).toString()).toBe('first second')
  said.add('open', base64('.'))
  expect(said.issue()).toBe('open: 13 of 12 bytes came')
  const empty = new SaidPackages()
  empty.end('open', 1)
  expect(empty.issue()).toBe('open: 0 of 1 bytes came')
})

test('what a worker may say follows from the package it got, and never fills the memory', () => {
  // Two packages of twice the size in base64 fit; a hundred times the size does not.
  const size = 18 * MIB
  expect(answerBytes(size, 2)).toBeGreaterThan((2 * 2 * size * 4) / 3)
  expect(answerBytes(size, 2)).toBeLessThan(512 * MIB)
  expect(answerBytes(size, 0)).toBe(128 * MIB)
  expect(answerBytes(2 ** 30, 2)).toBe(1024 * MIB)
})
