import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PartSchema } from '#domain/query.ts'
import { percentile } from './bench-line.ts'
import { queryShapes } from './query-shapes.ts'
import { loadRows, startStoreBed } from './store-bed.ts'
import { makePopulation } from './store-population.ts'

/**
 * One event store with `rows` (argument) events in a process of its own, for compare.ts: answers each message with the geometric mean, in
 * ms, of the median times of all query shapes, and ends with its parent. compare.ts copies this file into the checkout of the other
 * revision.
 */
const DAY = 86_400_000
const ROUNDS = 5
const folder = await mkdtemp(join(tmpdir(), 'aw-side-'))
const population = makePopulation(7)
await loadRows(join(folder, 'e'), population, Number(process.argv[2]))
const bed = await startStoreBed(folder, join(folder, 'e'))
const end = (await bed.store.status()).storedTo ?? Date.now()
const shapes = queryShapes(population.device(7))

async function time(shape: (typeof shapes)[number]): Promise<number> {
  const to = end - (shape.ago ?? 0) * DAY
  const span = { from: to - shape.days * DAY, to }
  const began = performance.now()
  await bed.store.answer(
    {
      span,
      ...(shape.compared && { compared: { from: span.from - shape.days * DAY, to: span.from } }),
      basis: shape.basis ?? 'occurred',
      filters: shape.filters ?? [],
      scope: { apps: 'all' },
      zone: 'Asia/Shanghai',
    },
    PartSchema.parse(shape.part),
  )
  return performance.now() - began
}

async function measure(): Promise<number> {
  let logarithms = 0
  for (const shape of shapes) {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) times.push(await time(shape))
    logarithms += Math.log(percentile(times, 0.5))
  }
  return Math.exp(logarithms / shapes.length)
}

process.on('message', () => void measure().then((milliseconds) => process.send?.(milliseconds)))
process.once('disconnect', async () => {
  await bed.close()
  await rm(folder, { recursive: true, force: true })
  process.exit()
})
await measure()
process.send?.('ready')
