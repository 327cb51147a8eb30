import { describe, expect, test } from 'vitest'
import { FUZZ_SEEDS } from './fuzz-seeds.ts'
import { FUZZ_TARGETS } from './fuzz-targets.ts'
import { runFuzzer } from './run-fuzzer.ts'

/** A look each time; `npm run fuzz` takes ten minutes a parser. */
const MILLISECONDS = 700
const SEED = 20_261_121

describe('parsers under coverage-guided fuzzing', () => {
  test('every parser has seeds, and every seed reads', () => {
    expect(Object.keys(FUZZ_SEEDS).sort()).toEqual(Object.keys(FUZZ_TARGETS).sort())
    for (const [target, seeds] of Object.entries(FUZZ_SEEDS)) for (const seed of seeds) FUZZ_TARGETS[target]!(seed)
  })

  test.each(Object.keys(FUZZ_TARGETS))('%s: nothing but a FormatError, in bounded time and memory', async (target) => {
    const { executions, failures } = await runFuzzer(target, { milliseconds: MILLISECONDS, seed: SEED })
    expect(
      failures.map(
        ({ kind, detail, input }) => `${kind} ${detail} ${Buffer.from(input).toString('base64').slice(0, 2000)}`,
      ),
    ).toEqual([])
    expect(executions).toBeGreaterThan(0)
  })
})
