import { describe, expect, test } from 'vitest'
import { ANDROID_ITEMS } from './catalogue/rule-items.ts'
import { IOS_ITEMS, IOS_RULES } from './ios/ios-items.ts'
import { ANDROID_RULES } from './rules/all-rules.ts'

const PACKS = {
  android: { items: ANDROID_ITEMS, rules: ANDROID_RULES },
  ios: { items: IOS_ITEMS, rules: IOS_RULES },
}

describe.each(Object.entries(PACKS))('the rule pack of %s', (platform, { items, rules }) => {
  const ids = items.map(({ id }) => id)

  test('[DET-03] every item has a rule, and every rule an item', () => {
    expect(ids.filter((id) => !(id in rules))).toEqual([])
    expect(Object.keys(rules).filter((id) => !ids.includes(id))).toEqual([])
  })

  test('every id is used once and begins with the platform', () => {
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter((id) => !id.startsWith(`${platform}-`))).toEqual([])
  })

  test('every item has name, threat and advice in both languages, signals, and what it must not trigger on', () => {
    const incomplete = items.filter(
      ({ name, threat, advice, signals, detection, mustNotTrigger }) =>
        [name, threat, advice].some(({ zh, en }) => !zh || !en) || !signals.length || !detection || !mustNotTrigger,
    )
    expect(incomplete.map(({ id }) => id)).toEqual([])
  })
})
