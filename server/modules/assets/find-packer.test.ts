import { expect, test } from 'vitest'
import { inspectAndroid } from '#engines/detect/inspect-android.ts'
import { shellMark } from '#engines/detect/shell-mark.ts'
import { readProgram } from '#engines/dex/read-program.ts'
import { hardenApk } from '#engines/harden/harden-apk.ts'
import { readKeepRules } from '#engines/harden/keep-rules.ts'
import { readPackage } from '#engines/package/read-package.ts'
import { apkBytes, element, type MadePackage } from '#tests/support/detect-package.ts'
import { findPacker } from './find-packer.ts'

const activity = element('activity', { name: '.Main' })
const classes = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ name: `Lorg/maker/app/Made${i};`, methods: [] }))
/** An entry that begins as one with encrypted code does, and holds none. */
const forged = Buffer.concat([Buffer.alloc(32, 1), shellMark(Buffer.alloc(8, 2)), Buffer.of(3)])

/** As an upload and as a scan name the packer. */
function packersOf(bytes: Uint8Array): (string | undefined)[] {
  const source = readPackage(bytes, 'made.apk')
  return [findPacker(source)?.name, inspectAndroid(source, readProgram(source.code)).inspected.packer?.en]
}
const withMark = (made: MadePackage) => packersOf(apkBytes({ ...made, files: { 'assets/abcdefgh': forged } }))

test('[HARD-02] an upload and a scan name the shell of this product by the same rule', async () => {
  const result = await hardenApk(apkBytes({ classes: classes(5), components: [activity] }), 'made.apk', {
    ...{ keep: readKeepRules(''), seed: Buffer.alloc(32, 5), dexProtection: true, certificate: 'c0'.repeat(32) },
  })
  expect(packersOf(new Uint8Array(Buffer.concat(result.pieces)))).toEqual(['AppWarden', 'AppWarden'])
  expect(packersOf(new Uint8Array(Buffer.concat(result.open!())))).toEqual([undefined, undefined])
})

test('[DET-01] a forged mark of this product keeps no readable code from being assessed', () => {
  expect(withMark({ classes: classes(5), components: [activity] })).toEqual([undefined, undefined])
  const alias = element('activity-alias', { name: '.Other', targetActivity: '.Made0' })
  expect(withMark({ classes: classes(5), components: [alias], incomplete: true })).toEqual([undefined, undefined])
  expect(withMark({ classes: classes(301), incomplete: true })).toEqual([undefined, undefined])
  // What a loader looks like is not assessed, with the mark or without it.
  const loader: MadePackage = { classes: classes(300), components: [activity], incomplete: true }
  expect(withMark(loader)).toEqual(['AppWarden', 'AppWarden'])
})
