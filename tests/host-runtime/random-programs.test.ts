import { describe, expect, test } from 'vitest'
import { assembleSmali } from './assemble-smali.ts'
import { missingForHostRuntime } from './build-host-runtime.ts'
import { checkRandomPrograms } from './check-random-programs.ts'
import { randomProgram } from './random-programs.ts'

const NO_HOST = missingForHostRuntime()
const SEEDS = Array.from({ length: 60 }, (_, i) => i + 1)

test('a seed always gives the same program, and another one another', () => {
  expect(randomProgram(7)).toEqual(randomProgram(7))
  expect(randomProgram(8).stdout).not.toEqual(randomProgram(7).stdout)
})

describe.skipIf(NO_HOST)(`generated programs${NO_HOST ? `: ${NO_HOST}` : ''}`, () => {
  test('60 programs give on ART what was computed for them', async () => {
    expect(await checkRandomPrograms(SEEDS, [])).toEqual([])
    const lines = SEEDS.reduce((sum, seed) => sum + randomProgram(seed).stdout.split('\n').length, 0)
    expect(lines).toBeGreaterThan(1000)
  }, 120_000)

  test('a rewrite whose code computes something else is found', async () => {
    const seeds = SEEDS.slice(0, 20)
    const classes = new Set(seeds.flatMap((seed) => randomProgram(seed).classes))
    const broken = assembleSmali([...classes].map((text) => text.replaceAll(' mul-', ' add-')))
    const problems = await checkRandomPrograms(seeds, [{ name: 'broken', rewrite: () => [broken] }])
    expect(problems.length).toBeGreaterThan(0)
    expect(problems.filter((line) => !/^broken: generated\.P\d+: \w+ /.test(line))).toEqual([])
  }, 120_000)
})
