import { expect, test } from 'vitest'
import { chosenOptions, ReinforceOptionsSchema } from '#domain/reinforce-policy.ts'
import { groupsOf, notCarriedOut } from './policy-outline.ts'

const options = ReinforceOptionsSchema.parse({
  log_removal: { on: true },
  dex_vmp: { on: true, patterns: ['org.maker.**'] },
  process_protection: { on: true },
  manifest_protection: { on: true },
})

test('options that are on are shown by group, in the order of the list', () => {
  expect(groupsOf(chosenOptions(options))).toEqual([
    { group: 'code', options: ['dex_vmp', 'log_removal'] },
    { group: 'integrity', options: ['manifest_protection'] },
    { group: 'environment', options: ['process_protection'] },
  ])
  expect(groupsOf([])).toEqual([])
})

test('an option that is on and not in this version is named', () => {
  expect(notCarriedOut(options)).toEqual(['process_protection'])
})
