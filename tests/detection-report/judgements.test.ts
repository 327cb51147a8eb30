import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Finding, ItemResult } from '#engines/detect/result/scan-result.ts'
import { candidates, drawSample } from './draw-sample.ts'
import { mergeJudgements, readJudgements } from './judgements.ts'

const OLD = 'sample\tpackage\titem\tlevel\tlocation\tjudgement\twhy\ns1\taa\titem-a\tlow\tA.run\tright\tread'
const INDEX = 'number\tpackage\titem\tlevel\tlocation\n001\tbb\titem-b\thigh\tB.run\n002\tcc\titem-c\tmiddle\tC.run'

function merged(a: string, b: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'judge-'))
  try {
    for (const [name, text] of Object.entries({ 'INDEX.tsv': INDEX, 'a.tsv': a, 'b.tsv': b }))
      writeFileSync(join(folder, name), text)
    return mergeJudgements(folder, 's5', OLD)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('DET-03 the verdicts of both judges are kept beside each other, and those of earlier samples stay', () => {
  const text = merged('number\tverdict\twhy\n1\tright\tseen\n002\twrong\tguarded\n', '001\tRight\tyes\n2\tunsure\t\n')
  const rows = readJudgements(text)
  expect(rows).toMatchObject([
    { sample: 's1', judgement: 'right', second: null },
    { sample: 's5', item: 'item-b', judgement: 'right', why: 'seen', second: 'right', whySecond: 'yes' },
    { sample: 's5', item: 'item-c', judgement: 'wrong', second: 'unsure' },
  ])
})

test('DET-03 a finding that one judge left out is refused by number', () => {
  expect(() => merged('1\tright\ta\n2\tright\tb', '1\tright\ta')).toThrow('finding 002')
})

test('DET-03 the same seed draws the same findings in any order of the packages', () => {
  const finding = (at: number) =>
    ({ fingerprint: `f${at}`, evidence: { entry: 'classes.dex', offset: at, class: `C${at}` } }) as Finding
  const items = Array.from({ length: 40 }, (_, item) => ({
    id: `item-${item}`,
    level: item % 2 ? 'high' : 'low',
    verdict: 'fail',
    findings: [1, 2, 3, 4, 5].map((at) => finding(item * 10 + at)),
  })) as unknown as ItemResult[]
  const all = ['aa', 'bb', 'cc'].flatMap((hash) => candidates(hash, { items }))
  const drawn = drawSample(all)
  expect(drawSample(all.toReversed())).toEqual(drawn)
  expect(drawSample(all, 7)).not.toEqual(drawn)
  expect(drawn.filter(({ level }) => level === 'low').length).toBe(60)
})

test('DET-03 packages that an earlier sample used give findings only where the others do not suffice', () => {
  const of = (hash: string, item: string) => {
    const findings = [1, 2, 3, 4].map((at) => ({
      fingerprint: `${hash}${at}`,
      evidence: { entry: 'classes.dex', offset: at, class: `C${at}` },
    }))
    return candidates(hash, {
      items: [{ id: item, level: 'high', verdict: 'fail', findings }] as unknown as ItemResult[],
    })
  }
  // At most 9 findings of an item, 3 of them in a package: four packages compete for the places of three.
  const all = [...['aa', 'bb', 'cc', 'dd'].flatMap((hash) => of(hash, 'item-a')), ...of('dd', 'item-b')]
  const drawnOf = (seen: string) =>
    drawSample(all, 7, [{ package: seen, item: 'item-c', location: 'C1' }]).map(
      ({ sha256, item }) => `${sha256} ${item}`,
    )
  const three = (of: string) => [of, of, of]
  expect(drawnOf('dd')).toEqual(['aa item-a', 'bb item-a', 'cc item-a', 'dd item-b'].flatMap(three))
  expect(drawnOf('bb')).toEqual(['aa item-a', 'cc item-a', 'dd item-a', 'dd item-b'].flatMap(three))
  const judged = of('aa', 'item-a').map(({ sha256, item, location }) => ({ package: sha256, item, location }))
  expect(drawSample(all, 7, judged).some(({ sha256 }) => sha256 === 'aa')).toBe(false)
  const seen = [{ package: 'dd', item: 'item-c', location: 'C1' }]
  expect(drawSample(all, 7, seen, { unseen: 'only' }).map(({ sha256, item }) => `${sha256} ${item}`)).toEqual(
    ['aa item-a', 'bb item-a', 'cc item-a'].flatMap(three),
  )
})
