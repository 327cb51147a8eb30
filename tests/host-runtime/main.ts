// Checks of the hardening engines that take too long for `npm test`:
//   npm run test:hardening -- programs [COUNT] [SEED]   generated programs from SEED on, as assembled and after each rewrite
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { missingForHostRuntime } from './build-host-runtime.ts'
import { checkRandomPrograms, type Rewrite } from './check-random-programs.ts'

const BATCH = 100

/** The way through text that other tools take. */
const DISASSEMBLED: Rewrite = {
  name: 'disassembled and assembled again',
  rewrite: (dex) => {
    const folder = mkdtempSync(join(tmpdir(), 'aw-again-'))
    try {
      writeFileSync(join(folder, 'a.dex'), dex)
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
    const problems = await checkRandomPrograms(seeds, [DISASSEMBLED])
    for (const one of problems) console.log(one)
    failed += problems.length
    console.log(`programs ${seeds[0]} to ${seeds.at(-1)}: ${problems.length} differences`)
  }
  return failed
}

async function main([what, count = '2000', seed = '1']: string[]): Promise<number> {
  const missing = missingForHostRuntime()
  if (missing) {
    console.error(missing)
    return 2
  }
  if (what !== 'programs') {
    console.error('usage: npm run test:hardening -- programs [COUNT] [SEED]')
    return 2
  }
  const failed = await programs(Number(count), Number(seed))
  console.log(`${count} programs from seed ${seed} on: ${failed} differences`)
  return failed ? 1 : 0
}

process.exitCode = await main(process.argv.slice(2))
