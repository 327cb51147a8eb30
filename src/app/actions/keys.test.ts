// @vitest-environment jsdom
import { expect, test } from 'vitest'
import type { Action } from '#src/shared/ui/actions.ts'
import { keyOf, match, takesText } from './keys.ts'

const action = (id: string, keys: string, rest: Partial<Action> = {}): Action => ({
  id,
  keys,
  label: id,
  group: 'x',
  run: () => undefined,
  ...rest,
})

test('a key finds its action, a sequence waits for its end', () => {
  const actions = [action('sheet', '?'), action('maps', 'g o'), action('home', 'g h')]
  expect(match(['?'], actions)).toBe(actions[0])
  expect(match(['g'], actions)).toBe('wait')
  expect(match(['g', 'o'], actions)).toBe(actions[1])
  expect(match(['g', 'x'], actions)).toBeUndefined()
})

test('the newest offer of a key wins, a disabled one never', () => {
  const actions = [action('a', '/'), action('b', '/'), action('c', '/', { isDisabled: true })]
  expect(match(['/'], actions)).toBe(actions[1])
})

test('keyboard shortcuts never fire while typing', () => {
  document.body.innerHTML =
    '<input id="a"><textarea id="b"></textarea><div id="c" role="textbox"></div><input id="d" type="checkbox"><button id="e"></button>'
  const takes = ['a', 'b', 'c', 'd', 'e'].map((id) => takesText(document.getElementById(id)))
  expect(takes).toEqual([true, true, true, false, false])
})

test('Ctrl and Cmd are one modifier', () => {
  expect(keyOf(new KeyboardEvent('keydown', { key: 'K', ctrlKey: true }))).toBe('Mod+k')
  expect(keyOf(new KeyboardEvent('keydown', { key: 'k', metaKey: true }))).toBe('Mod+k')
  expect(keyOf(new KeyboardEvent('keydown', { key: 'Enter' }))).toBe('Enter')
})
