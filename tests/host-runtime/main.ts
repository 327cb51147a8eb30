// Checks of the hardening engines that take too long for `npm test`:
//   npm run test:hardening -- programs [COUNT] [SEED]   generated programs from SEED on, as assembled and after each rewrite
//   npm run test:hardening -- packages FOLDER           the verifier's failures of each APK before and after each rewrite
//   npm run test:hardening -- virtualised FOLDER PATTERN...  methods of each APK that patterns choose, signed, judged and verified
//   npm run test:hardening -- calls FOLDER [PREFIX]      public static methods of each APK, called before and after all its methods are virtualised
//   npm run test:hardening -- speed [TURNS]             loops by ART's interpreter and by the one of virtualised methods
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hardenText } from '#engines/harden/harden-texts.ts'
import { sumLines } from '#engines/harden/option-results.ts'
import { readPackage } from '#engines/package/read-package.ts'
import { missingForHostRuntime } from './build-host-runtime.ts'
import { checkPackage } from './check-package.ts'
import { checkRandomPrograms } from './check-random-programs.ts'
import { checkStaticCalls } from './check-static-calls.ts'
import { checkVirtualised } from './check-virtualised.ts'
import { REWRITES, type Rewrite } from './rewrites.ts'
import { virtualisedSpeed } from './virtualised-speed.ts'

const BATCH = 100

/** The way through text that other tools take. */
const DISASSEMBLED: Rewrite = {
  name: 'disassembled and assembled again',
  rewrite: ([dex]) => {
    const folder = mkdtempSync(join(tmpdir(), 'aw-again-'))
    try {
      writeFileSync(join(folder, 'a.dex'), dex!)
      execFileSync('baksmali', ['disassemble', '-a', '29', '-o', join(folder, 'out'), join(folder, 'a.dex')])
      execFileSync('smali', ['assemble', '-a', '29', '-o', join(folder, 'b.dex'), join(folder, 'out')])
      return [readFileSync(join(folder, 'b.dex'))]
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
}

async function programs(count: number, seed: number): Promise<number> {
  let failed = 0
  for (let from = seed; from < seed + count; from += BATCH) {
    const seeds = Array.from({ length: Math.min(BATCH, seed + count - from) }, (_, i) => from + i)
    const problems = await checkRandomPrograms(seeds, [DISASSEMBLED, ...REWRITES])
    for (const one of problems) console.log(one)
    failed += problems.length
    console.log(`programs ${seeds[0]} to ${seeds.at(-1)}: ${problems.length} differences`)
  }
  return failed
}

const packagesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('.apk'))

async function packages(folder: string): Promise<number> {
  let failed = 0
  for (const name of packagesOf(folder)) {
    const problems = await checkPackage(new Uint8Array(readFileSync(join(folder, name))), name, REWRITES)
    for (const one of problems) console.log(`${name}: ${one}`)
    failed += problems.length
    console.log(`${name}: ${problems.length} differences`)
  }
  return failed
}

async function virtualised(folder: string, patterns: readonly string[]): Promise<number> {
  let failed = 0
  for (const name of packagesOf(folder)) {
    const bytes = new Uint8Array(readFileSync(join(folder, name)))
    const { problems, lines, virtualised: count, tools } = await checkVirtualised(bytes, name, patterns)
    for (const one of problems) console.log(`${name}: ${one}`)
    failed += problems.length
    console.log(
      `${name}: ${count} methods virtualised, ${problems.length} differences; asked: ART, ${tools.join(', ') || 'none of the tools of the SDK'}`,
    )
    const skipped = lines.filter(({ outcome }) => outcome === 'skipped')
    const withoutDetail = skipped.map((line) => ({ ...line, detail: '…' }))
    for (const sum of sumLines(withoutDetail)) console.log(`  ${hardenText(sum, 'en')}: ${sum.count}`)
  }
  return failed
}

async function calls(folder: string, prefix: string): Promise<number> {
  let failed = 0
  for (const name of packagesOf(folder)) {
    const read = readPackage(new Uint8Array(readFileSync(join(folder, name))), name)
    if (read.kind !== 'apk') continue
    const code = read.code.map((one) => one.bytes)
    const { problems, ...sums } = await checkStaticCalls(code, (one) => one.startsWith(prefix))
    for (const one of problems) console.log(`${name}: ${one}`)
    failed += problems.length
    console.log(`${name}: ${JSON.stringify(sums)}, ${problems.length} differences`)
  }
  return failed
}

async function main([what, ...words]: string[]): Promise<number> {
  const missing = missingForHostRuntime()
  if (missing) {
    console.error(missing)
    return 2
  }
  if (what === 'programs') {
    const [count = '2000', seed = '1'] = words
    const failed = await programs(Number(count), Number(seed))
    console.log(`${count} programs from seed ${seed} on: ${failed} differences`)
    return failed ? 1 : 0
  }
  if (what === 'packages' && words[0]) return (await packages(words[0])) ? 1 : 0
  if (what === 'virtualised' && words[1]) return (await virtualised(words[0]!, words.slice(1))) ? 1 : 0
  if (what === 'calls' && words[0]) return (await calls(words[0], words[1] ?? '')) ? 1 : 0
  if (what === 'speed') {
    for (const { loop, plain, virtualised } of await virtualisedSpeed(Number(words[0] ?? 200_000)))
      console.log(
        `${loop}: ${plain.toFixed(1)} ns, virtualised ${virtualised.toFixed(1)} ns: ${(virtualised / plain).toFixed(1)} times`,
      )
    return 0
  }
  console.error(
    'usage: npm run test:hardening -- programs [COUNT] [SEED] | packages FOLDER | virtualised FOLDER PATTERN... | calls FOLDER [PREFIX] | speed [TURNS]',
  )
  return 2
}

process.exitCode = await main(process.argv.slice(2))
