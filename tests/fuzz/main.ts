// Fuzzes the parsers, ten minutes each: npm run fuzz [-- PARSER] [MINUTES]
// Inputs that reach new code are kept in tests/fuzz/inputs; failing ones go to reports/fuzz.
import { FUZZ_TARGETS } from './fuzz-targets.ts'
import { keepInputs, saveFailure } from './kept-inputs.ts'
import { runFuzzer } from './run-fuzzer.ts'

const words = process.argv.slice(2)
const minutes = Number(words.find((word) => /^[\d.]+$/.test(word)) ?? 10)
const wanted = words.filter((word) => !/^[\d.]+$/.test(word))
const unknown = wanted.find((word) => !(word in FUZZ_TARGETS))
if (unknown) {
  console.error(`no parser ${unknown}; there are ${Object.keys(FUZZ_TARGETS).join(', ')}`)
  process.exit(1)
}

let failed = 0
for (const target of wanted.length ? wanted : Object.keys(FUZZ_TARGETS)) {
  const seed = Date.now() % 2 ** 31
  const { executions, blocks, kept, failures } = await runFuzzer(target, { milliseconds: minutes * 60_000, seed })
  const count = kept.length ? keepInputs(target, kept) : 0
  console.log(
    `${target}: ${executions} inputs, ${blocks} blocks reached, ${count} inputs kept, ${failures.length} failures (seed ${seed})`,
  )
  for (const { kind, detail, input } of failures) {
    failed++
    console.log(`  ${kind}: ${detail}\n  ${saveFailure('reports/fuzz', target, input)}`)
  }
}
console.log(`${failed} failures`)
process.exitCode = failed ? 1 : 0
