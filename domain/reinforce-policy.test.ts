import { expect, test } from 'vitest'
import {
  isCarriedOut,
  REINFORCE_GRADES,
  REINFORCE_GROUPS,
  REINFORCE_OPTION_KEYS,
  REINFORCE_OPTIONS,
} from './reinforce-options.ts'
import {
  CHECKS,
  changedOptions,
  chosenOptions,
  conflictsOf,
  missingSettings,
  ReinforceOptionsSchema,
  ReinforcePolicyFileSchema,
} from './reinforce-policy.ts'
import { REINFORCE_TEMPLATES, type ReinforceTemplate, templateOptions } from './reinforce-templates.ts'

/** Names of the options as docs/requirements.md and the required list have them. */
const REQUIRED = [
  ...['third_party_so_ban', 'dex_protection', 'dex_vmp', 'so_protection', 'so_hiding', 'js_protection', 'log_removal'],
  ...['anti_debugging', 'cer_protection', 'signature_check', 'integrity_check', 'anti_decompile', 'anti_emulator'],
  ...['anti_hijack', 'db_protection', 'resource_protection', 'memory_protection', 'core_library_protection'],
  ...['process_protection', 'shell_protection', 'manifest_protection', 'anti_multi_open', 'anti_xposed', 'proxy_check'],
  ...['zip_check', 'screenshot_prevention', 'multi_channel', 'risk_control'],
]

test('[HARD-02] every required option is in the list once, with group, grade, purpose and limit in both languages', () => {
  expect(REINFORCE_OPTION_KEYS.toSorted()).toEqual(REQUIRED.toSorted())
  expect(Object.keys(ReinforceOptionsSchema.shape).toSorted()).toEqual(REQUIRED.toSorted())
  for (const [key, { group, grade, zh, en, does, limit }] of Object.entries(REINFORCE_OPTIONS)) {
    expect(Object.keys(REINFORCE_GROUPS), key).toContain(group)
    expect(Object.keys(REINFORCE_GRADES), key).toContain(grade)
    for (const text of [zh, does.zh, limit.zh]) expect(text, key).toMatch(/\p{Script=Han}/u)
    for (const text of [en, does.en, limit.en]) expect(text, key).toMatch(/^[A-Z][^\p{Script=Han}]+$/u)
  }
  expect(REINFORCE_OPTION_KEYS.filter((key) => isCarriedOut(key) && !(key in REINFORCE_OPTIONS))).toEqual([])
})

test('[HARD-01] a policy that says nothing has every option off and is valid', () => {
  const options = ReinforceOptionsSchema.parse({})
  expect(chosenOptions(options)).toEqual([])
  expect(missingSettings(options)).toEqual([])
  expect(conflictsOf(options)).toEqual([])
})

test('[HARD-01] templates lack nothing, and their options that act at run time never report without a risk-control shell', () => {
  for (const template of Object.keys(REINFORCE_TEMPLATES) as ReinforceTemplate[]) {
    const options = templateOptions(template)
    expect(ReinforceOptionsSchema.parse(options)).toEqual(options)
    expect(missingSettings(options), template).toEqual([])
    expect(conflictsOf(options), template).toEqual([])
    expect(options.risk_control.on).toBe(false)
  }
  expect(templateOptions('').dex_protection.on).toBe(false)
})

test('[HARD-01] what an option needs is asked for only while it is on', () => {
  const options = ReinforceOptionsSchema.parse({})
  options.screenshot_prevention.patterns = []
  options.risk_control.server = 'no address'
  expect(missingSettings(options)).toEqual([])
  options.screenshot_prevention.on = true
  options.risk_control.on = true
  expect(missingSettings(options)).toEqual([
    { option: 'screenshot_prevention', field: 'patterns', wrong: false },
    { option: 'risk_control', field: 'server', wrong: true },
  ])
  options.screenshot_prevention.patterns = ['!com.example.Splash']
  options.risk_control.server = ''
  expect(missingSettings(options).map(({ wrong }) => wrong)).toEqual([false, false])
  options.screenshot_prevention.patterns.push('**')
  options.risk_control.server = 'http://10.0.0.5:8080/collect'
  expect(missingSettings(options)).toEqual([])
})

test('[HARD-01] combinations that may be saved but should be known are named', () => {
  const options = ReinforceOptionsSchema.parse({
    anti_debugging: { on: true, action: 'report' },
    so_hiding: { on: true },
  })
  expect(conflictsOf(options)).toEqual([
    { option: 'anti_debugging', with: 'risk_control' },
    { option: 'so_hiding', with: 'dex_protection' },
  ])
  expect(CHECKS.every((key) => 'action' in options[key])).toBe(true)
  const next = structuredClone(options)
  next.anti_debugging.action = 'exit'
  expect(changedOptions(options, next)).toEqual(['anti_debugging'])
})

test('[HARD-01] a file with an unknown option, field, version or format is refused', () => {
  const file = { format: 'appwarden.reinforce-policy', version: 1, name: 'Release' }
  expect(ReinforcePolicyFileSchema.safeParse(file).success).toBe(true)
  for (const change of [
    { version: 2 },
    { format: 'x' },
    { name: ' ' },
    { options: { dex: { on: true } } },
    { options: { dex_protection: { on: true, more: 1 } } },
    { options: { dex_vmp: { on: true, patterns: ['a b'] } } },
    { signature_id: 'x' },
  ])
    expect(ReinforcePolicyFileSchema.safeParse({ ...file, ...change }).success, JSON.stringify(change)).toBe(false)
})
