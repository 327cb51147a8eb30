import type { Action, Platform, RiskType } from '#domain/vocabulary.ts'
import { type Rng, weighted } from './random.ts'

/** What is odd about a phone: one in twenty is, and it alone triggers risks, the same ones again and again. */
const TRAITS = ['clean', 'rooted', 'emulator', 'cloud', 'cloned', 'tunnel', 'mover', 'tester', 'robot'] as const
export type Trait = (typeof TRAITS)[number]

const traitsOf = {
  android: weighted<Trait>([
    ['clean', 94.9],
    ['rooted', 1.3],
    ['emulator', 0.4],
    ['cloud', 0.3],
    ['cloned', 1],
    ['tunnel', 1.1],
    ['mover', 0.45],
    ['tester', 0.2],
    ['robot', 0.35],
  ]),
  ios: weighted<Trait>([
    ['clean', 95.9],
    ['rooted', 0.8],
    ['cloned', 0.4],
    ['tunnel', 1.9],
    ['mover', 0.6],
    ['tester', 0.2],
    ['robot', 0.2],
  ]),
}
export function pickTrait(platform: Platform, u: number): Trait {
  return traitsOf[platform === 'ios' ? 'ios' : 'android'](u)
}

type Risks = readonly (readonly [RiskType, number])[]
const BY_TRAIT: Record<Trait, Risks> = {
  clean: [
    ['proxy_vpn', 20],
    ['screen_capture', 18],
    ['accessibility', 12],
    ['overlay', 12],
    ['mitm', 9],
    ['integrity', 9],
    ['debugger', 8],
    ['root', 8],
    ['custom', 4],
  ],
  rooted: [
    ['root', 54],
    ['hook', 20],
    ['injection', 9],
    ['memory_tampering', 8],
    ['speed_change', 5],
    ['debugger', 4],
  ],
  emulator: [
    ['emulator', 68],
    ['automation', 14],
    ['multi_open', 10],
    ['root', 8],
  ],
  cloud: [
    ['cloud_phone', 70],
    ['automation', 18],
    ['mock_location', 12],
  ],
  cloned: [
    ['multi_open', 72],
    ['speed_change', 12],
    ['accessibility', 8],
    ['mock_location', 8],
  ],
  tunnel: [
    ['proxy_vpn', 66],
    ['mitm', 34],
  ],
  mover: [
    ['mock_location', 84],
    ['multi_open', 8],
    ['root', 8],
  ],
  tester: [
    ['debugger', 60],
    ['mitm', 22],
    ['hook', 10],
    ['root', 8],
  ],
  robot: [
    ['automation', 54],
    ['accessibility', 32],
    ['overlay', 14],
  ],
}
const pickers = Object.fromEntries(TRAITS.map((trait) => [trait, weighted(BY_TRAIT[trait])])) as Record<
  Trait,
  (u: number) => RiskType
>

/** In percent: blocked by exit, by refusal, warned, reported alone; the rest does nothing. */
const HARD = weighted<Action>([
  ['exit', 38],
  ['block', 40],
  ['warn', 8],
  ['report', 14],
])
const FIRM = weighted<Action>([
  ['exit', 18],
  ['block', 42],
  ['warn', 18],
  ['report', 22],
])
const SOFT = weighted<Action>([
  ['exit', 4],
  ['block', 30],
  ['warn', 28],
  ['report', 33],
  ['none', 5],
])
const ACTIONS_OF: Record<RiskType, (u: number) => Action> = {
  root: FIRM,
  hook: HARD,
  debugger: HARD,
  emulator: HARD,
  cloud_phone: FIRM,
  repackaging: HARD,
  memory_tampering: HARD,
  injection: HARD,
  multi_open: FIRM,
  speed_change: FIRM,
  mock_location: FIRM,
  proxy_vpn: SOFT,
  mitm: HARD,
  screen_capture: SOFT,
  overlay: FIRM,
  accessibility: SOFT,
  automation: FIRM,
  integrity: FIRM,
  custom: SOFT,
}

const EVIDENCE: Record<RiskType, readonly string[]> = {
  root: ['su in path', 'magisk', 'kernelsu', 'test-keys', 'cydia'],
  hook: ['frida-server', 'xposed', 'lsposed', 'substrate', 'inline hook in libc'],
  debugger: ['tracer pid', 'jdwp', 'ptrace refused', 'lldb'],
  emulator: ['qemu pipe', 'nox', 'ldplayer', 'bluestacks', 'no sensors'],
  cloud_phone: ['redroid', 'virtual gpu', 'arm server board'],
  repackaging: ['signer differs', 'dex checksum', 'package renamed'],
  memory_tampering: ['code page changed', 'gameguardian', 'got table'],
  injection: ['foreign library', 'linjector', 'dlopen from tmp'],
  multi_open: ['virtual space', 'parallel user', 'path of a container'],
  speed_change: ['clock drift between sources', 'speed plugin'],
  mock_location: ['mock provider', 'position jump', 'satellites missing'],
  proxy_vpn: ['tun0', 'http proxy', 'vpn service'],
  mitm: ['user certificate', 'pinning failed', 'chain differs'],
  screen_capture: ['screenshot', 'recording', 'casting'],
  overlay: ['window on top', 'toast attack'],
  accessibility: ['unknown service', 'automatic clicks'],
  automation: ['uiautomator', 'appium', 'auto.js'],
  integrity: ['resource hash', 'library hash', 'asset hash'],
  custom: ['rule 12', 'rule 31'],
}

/** The risk part of an event: type, action and what was seen, as JSON members with a leading comma. */
export function riskText(rng: Rng, type: RiskType): string {
  const evidence = EVIDENCE[type]
  const seen = evidence[rng.int(evidence.length)] as string
  return `,"risk_type":"${type}","action":"${ACTIONS_OF[type](rng.next())}","detail":{"evidence":"${seen}"}`
}

/** Three of four times the phone's own oddity, else something that any phone may show. */
export function pickRisk(rng: Rng, trait: Trait): RiskType {
  return pickers[rng.next() < 0.85 ? trait : 'clean'](rng.next())
}
