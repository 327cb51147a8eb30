import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanHashes, contradictionsOf, MAX_HASHES, reportedBuild } from './baseline.ts'

const sha = (digit: string) => digit.repeat(64)
const baseline = {
  packageName: 'com.hefan.wallet',
  signers: [sha('7'), sha('8')],
  hashes: { 'classes.dex': sha('9') },
  channels: ['official', 'huawei'],
}
const same = {
  packageName: 'com.hefan.wallet',
  signer: sha('8'),
  channel: 'huawei',
  hashes: { 'classes.dex': sha('9') },
}

test('[MSSA-01] what a build says otherwise than its baseline is a contradiction, nothing else is', () => {
  expect(contradictionsOf(same, baseline)).toEqual([])
  expect(contradictionsOf({ ...same, signer: sha('b') }, baseline)).toEqual(['signer'])
  expect(contradictionsOf({ ...same, packageName: 'com.hefan.wallet.mod', channel: 'side_x9' }, baseline)).toEqual([
    'package',
    'channel',
  ])
  expect(contradictionsOf({ ...same, hashes: { 'classes.dex': sha('4') } }, baseline)).toEqual(['hash'])
  // A part that the baseline does not know says nothing.
  expect(contradictionsOf({ ...same, hashes: { 'lib/x.so': sha('4') } }, baseline)).toEqual([])
})

test('what either side leaves open is no contradiction', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (packageName, signer, channel) => {
      const open = { packageName: '', signers: [], hashes: {}, channels: [] }
      expect(contradictionsOf({ packageName, signer, channel, hashes: { 'a.so': sha('1') } }, open)).toEqual([])
      expect(contradictionsOf({ packageName: '', signer: '', channel: '', hashes: {} }, baseline)).toEqual([])
    }),
  )
})

test('the build that a device reports is read from any JSON value', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (extra, hashes) => {
      const build = reportedBuild({ ...extra, detail: { hashes } }, 'c')
      expect(Object.keys(build.hashes).length).toBeLessThanOrEqual(MAX_HASHES)
      expect(cleanHashes(build.hashes)).toEqual(build.hashes)
    }),
  )
  expect(reportedBuild({ signer: 'AB', detail: { hashes: { 'classes.dex': sha('A') } } }, 'x')).toEqual({
    packageName: '',
    signer: 'ab',
    channel: 'x',
    hashes: { 'classes.dex': sha('a') },
  })
})
