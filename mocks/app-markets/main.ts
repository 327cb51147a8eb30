import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { BANK_RELEASE } from '../demo/bank/bank-build.ts'
import { bankPackage } from '../demo/bank/bank-package.ts'
import { answersAt, DEMO_STAGES, kindOfMarket, offersAt } from './demo-offers.ts'
import { demoPackages } from './demo-packages.ts'
import { demoSigners } from './demo-signers.ts'
import { startMarket } from './market-server.ts'
import { HOSTILE, planMarkets } from './markets.ts'

/**
 * The markets of the demo, in a process of their own: makes their packages where they are not there yet, serves them, and says where
 * (`{type: 'ready'}`). What they offer changes as its parent says (`{type: 'stage'}`), and stays so over restarts.
 */
const options = z
  .object({
    ports: z.array(z.number()),
    folder: z.string(),
    signers: z.string(),
    application: z.object({ id: z.string(), label: z.string(), version: z.string(), nextVersion: z.string() }),
    other: z.string(),
  })
  .parse(JSON.parse(process.argv[2] ?? ''))
const { folder, application } = options
const packages = demoPackages(
  folder,
  () => ({ application: bankPackage(BANK_RELEASE), other: readFileSync(options.other) }),
  application,
  demoSigners(options.signers),
)
const stageFile = join(folder, 'stage.json')
let stage = readStage()
const plans = planMarkets(options.ports.length)
const markets = await Promise.all(
  plans.map(({ name, shape, habits }, at) =>
    startMarket(
      name,
      shape,
      {
        ...habits,
        misbehave: (...request) => !answersAt(at, stage) && HOSTILE['answers-500']!(...request),
      },
      offersAt(at, stage, packages, application),
      options.ports[at],
    ),
  ),
)
process.on('disconnect', () => process.exit(0))
process.on('message', (message) => {
  const { stage: next } = z.object({ type: z.literal('stage'), stage: z.number() }).parse(message)
  stage = next
  writeFileSync(`${stageFile}.new`, JSON.stringify(stage))
  renameSync(`${stageFile}.new`, stageFile)
  for (const [at, market] of markets.entries()) market.offers = offersAt(at, stage, packages, application)
  process.send?.({ type: 'stage', stage })
})
process.send?.({
  type: 'ready',
  stage,
  package: join(folder, 'genuine.apk'),
  markets: markets.map(({ connector }, at) => ({ kind: kindOfMarket(at), connector })),
})

function readStage(): number {
  try {
    return Math.min(
      DEMO_STAGES - 1,
      z
        .int()
        .min(0)
        .parse(JSON.parse(readFileSync(stageFile, 'utf8'))),
    )
  } catch {
    return 0
  }
}
