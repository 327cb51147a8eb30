import { assembleSmali } from './assemble-smali.ts'
import { type RandomProgram, randomProgram } from './random-programs.ts'
import type { Rewrite } from './rewrites.ts'
import { runAllOnHost } from './run-on-host.ts'
import { verifyOnHost } from './verify-on-host.ts'

const AS_ASSEMBLED: Rewrite = { name: 'as assembled', rewrite: (dexFiles) => dexFiles }

/**
 * Generates the programs of these seeds, and for the assembled file and each rewritten one: ART's verifier finds no failure, and every program
 * gives the output, the log and the exception that were computed for it. Returns what went otherwise, a line each.
 */
export async function checkRandomPrograms(seeds: readonly number[], rewrites: readonly Rewrite[]): Promise<string[]> {
  const programs = seeds.map(randomProgram)
  const dex = assembleSmali([...new Set(programs.flatMap(({ classes }) => classes))])
  const problems: string[] = []
  for (const { name, rewrite, withoutLog } of [AS_ASSEMBLED, ...rewrites]) {
    const rewritten = rewrite([dex])
    const { refused, hard, soft, access, unlinked } = await verifyOnHost(rewritten)
    const failures = [
      ...hard.map((one) => `${one.method}: ${one.message}`),
      ...soft,
      ...access,
      ...unlinked.map((one) => one.class),
    ]
    if (refused) problems.push(`${name}: ${refused}`)
    problems.push(...failures.map((one) => `${name}: ${one}`))
    if (refused) continue
    const runs = await runAllOnHost(
      rewritten,
      programs.map(({ main }) => main),
    )
    for (const program of programs) {
      const run = runs.get(program.main)!
      const wanted = { ...outcomeOf(program), log: withoutLog ? '' : program.log }
      const got = { stdout: run.stdout, log: run.log, ended: run.died ?? run.exception?.type ?? 'end' }
      for (const what of ['stdout', 'log', 'ended'] as const)
        if (wanted[what] !== got[what])
          problems.push(`${name}: ${program.main}: ${what} ${firstDifference(wanted[what], got[what])}`)
    }
  }
  return problems
}

function outcomeOf({ stdout, exception }: RandomProgram): { stdout: string; ended: string } {
  return { stdout, ended: exception ?? 'end' }
}

function firstDifference(wanted: string, got: string): string {
  const [left, right] = [wanted.split('\n'), got.split('\n')]
  const at = left.findIndex((line, i) => line !== right[i])
  return at < 0 ? `goes on with ${right[left.length]}` : `line ${at + 1}: ${left[at]} was computed, ${right[at]} came`
}
