import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Random } from '#tests/fuzz/mutate-input.ts'
import { drawPixels } from '#tests/monitoring-report/draw-icon.ts'
import { COPY_KINDS, makeCopy, makeKeys, published, truthOf } from '#tests/monitoring-report/make-copies.ts'
import { PAIR_SEED, printOf } from '#tests/monitoring-report/measure-pairs.ts'
import { madeApplication } from '#tests/support/made-application.ts'
import { FormatError } from '../bytes/format-error.ts'
import { readPackage } from '../package/read-package.ts'
import { comparePrints } from './compare-prints.ts'
import { copyEvidence } from './copy-evidence.ts'
import { iconLikeness, iconPrint } from './icon-print.ts'
import { judgeCopy, PIRATED } from './judge-copy.ts'
import { labelLikeness } from './label-likeness.ts'
import { packNumbers, unpackNumbers } from './package-print.ts'
import { readPrint } from './read-print.ts'

const BANK = madeApplication(1, 'com.canglan.bank', '掌上银行')
const GAME = madeApplication(2, 'com.lantern.game', '灯笼消消乐')

describe('judgement of a copy', () => {
  const keys = makeKeys()
  const reference = published(BANK, keys)
  const print = printOf(reference)

  for (const { name } of COPY_KINDS)
    test(`[MON-02] a copy of the kind "${name}" is judged ${truthOf(name)}, and the points of its parts give its confidence`, () => {
      const copy = makeCopy(name, reference, GAME, keys, new Random(PAIR_SEED))
      expect(copy, name).not.toBeNull()
      const judged = judgeCopy([print], printOf(copy!))
      expect(judged.verdict).toBe(truthOf(name))
      const most = judged.parts.reduce((sum, one) => sum + one.most, 0)
      const points = judged.parts.reduce((sum, one) => sum + one.points, 0)
      expect(judged.confidence).toBe(Math.round((100 * points) / most))
      expect(judged.confidence).toBeGreaterThanOrEqual(60)
    })

  test('[MON-02] another application with the same libraries is unrelated, since they are masked', () => {
    const other = printOf(published(GAME, makeKeys()))
    const { likeness, verdict } = judgeCopy([print], other)
    expect(verdict).toBe('unrelated')
    expect(likeness.code).toBe(0)
    expect(print.code!.libraries.map(([id, count]) => [id, count])).toEqual([['okhttp', 12]])
    expect(unpackNumbers(print.code!.libraryMethods).length).toBeGreaterThan(20)
  })

  test('[MON-02] a library that no list knows is masked where both have it under one name, and is compared where it is below the own names', () => {
    const names = Array.from({ length: 12 }, (_, at) => `net/maker/widgets/Widget${at}`)
    const one = madeApplication(1, 'com.canglan.bank', '掌上银行', { foreign: names })
    const other = printOf(
      published(madeApplication(2, 'com.lantern.game', '灯笼消消乐', { foreign: names }), makeKeys()),
    )
    const judged = judgeCopy([printOf(published(one, keys))], other)
    expect(judged.verdict).toBe('unrelated')
    expect(judged.likeness.code).toBe(0)
    const owner = printOf(published(madeApplication(1, 'net.maker.bank', '掌上银行', { foreign: names }), keys))
    expect(judgeCopy([owner], other).likeness.code).toBeGreaterThan(0.3)
    const short = names.map((name) => name.replace('net/maker/widgets', 'a/b'))
    const shrunk = printOf(published(madeApplication(1, 'com.canglan.bank', '掌上银行', { foreign: short }), keys))
    const copied = printOf(
      published(madeApplication(2, 'com.lantern.game', '灯笼消消乐', { foreign: short }), makeKeys()),
    )
    expect(judgeCopy([shrunk], copied).likeness.code).toBeGreaterThan(0.3)
  })

  test('[MON-02] an application with one class and few files is known under another name by that class, if its id is no placeholder', () => {
    const cloneOf = (id: string, parts: number) => {
      const small = published(madeApplication(3, id, '小应用', { parts, files: 2 }), keys)
      const copy = printOf(makeCopy('other name', small, GAME, keys, new Random(4))!)
      return judgeCopy([printOf(small)], copy).verdict
    }
    expect(cloneOf('com.canglan.small', 1)).toBe('clone')
    expect(cloneOf('com.example.app', 1)).toBe('unrelated')
    const fresh = printOf(
      published(madeApplication(9, 'com.canglan.small', '小应用', { parts: 1, files: 2 }), makeKeys()),
    )
    const small = printOf(published(madeApplication(3, 'com.canglan.small', '小应用', { parts: 1, files: 2 }), keys))
    expect(judgeCopy([small], { ...fresh, package: 'net.free.tool' }).verdict).not.toBe('clone')
  })

  test('[MON-02] files of a template do not make a clone: icon, label or a component must agree, or a hundred files', () => {
    const files = (count: number, from = 0) =>
      Array.from({ length: count }, (_, at) => ({
        name: `res/${from + at}`,
        hash: (from + at).toString(16).padStart(16, '0'),
        common: false,
      }))
    const game = printOf(published(GAME, makeKeys()))
    const judged = (common: number, change: Partial<typeof game> = {}) =>
      judgeCopy([{ ...print, code: null, files: files(common + 10) }], {
        ...game,
        code: null,
        files: [...files(common), ...files(10, 1000)],
        ...change,
      }).verdict
    expect(judged(25)).toBe('unrelated')
    expect(judged(25, { icon: print.icon })).toBe('clone')
    expect(judged(25, { label: print.label })).toBe('clone')
    expect(judged(25, { components: print.components })).toBe('clone')
    expect(judged(100)).toBe('clone')
  })

  test('[MON-02] code of an application whose id lies in the package of an SDK is compared in a copy under another id', () => {
    const own = published(madeApplication(5, 'com.squareup.okhttp3.bank', '银行'), keys)
    const ofLibrary = published(madeApplication(5, 'okhttp3.bank', '银行'), keys)
    for (const apk of [own, ofLibrary]) {
      const copy = printOf(makeCopy('other name', apk, GAME, keys, new Random(6))!)
      expect(judgeCopy([printOf(apk)], copy)).toMatchObject({ verdict: 'clone', likeness: { code: 1 } })
    }
  })

  test('[MON-02] what the owner signs with another key of his is genuine, what has a broken signature is not', () => {
    const second = makeKeys()
    const resigned = printOf(published(BANK, second))
    expect(judgeCopy([print], resigned).verdict).toBe('re-signed')
    expect(judgeCopy([print], resigned, resigned.signer.certificates).verdict).toBe('genuine')
    const flipped = Buffer.from(reference)
    // In the digest of the v3 signer, whose pair begins with this id.
    flipped[flipped.lastIndexOf(Buffer.from([0xc0, 0x68, 0x53, 0xf0])) + 40]! ^= 1
    expect(judgeCopy([print], printOf(flipped))).toMatchObject({ verdict: 're-signed', notes: ['signature-broken'] })
  })

  test('[MON-02] of several versions the one that the copy was made of decides', () => {
    const next = printOf(makeCopy('next version', reference, GAME, keys, new Random(3))!)
    const copy = printOf(makeCopy('signed again', reference, GAME, keys, new Random(3))!)
    expect(judgeCopy([next, print], copy)).toMatchObject({ verdict: 're-signed', reference: print.sha256 })
    expect(() => judgeCopy([], copy)).toThrow('at least one')
  })

  test('[MON-02] a reference that anyone can sign gives no evidence by its signer', () => {
    const weak = { ...print, signer: { ...print.signer, isPublicKey: true } }
    expect(comparePrints(weak, print).signer).toBeNull()
    expect(judgeCopy([weak], { ...print, sha256: 'x' }).notes).toContain('reference-public-key')
  })

  test('[MON-02] evidence names the classes, files and permissions that were added', () => {
    const copy = printOf(makeCopy('code and permission added', reference, GAME, keys, new Random(5))!)
    const evidence = copyEvidence(print, copy)
    expect(evidence.classes.rows[0]).toEqual({ name: 'com.evil.inject.Adware', difference: 'added' })
    expect(evidence.classes.counts).toMatchObject({ added: 1, changed: 0, removed: 0 })
    expect(evidence.permissions.rows[0]).toEqual({ name: 'android.permission.SEND_SMS', difference: 'added' })
    expect(copyEvidence(print, copy, 1).classes.rows).toHaveLength(1)
    expect(copyEvidence(print, print).classes.counts).toMatchObject({ added: 0, changed: 0, removed: 0 })
  })

  test('every pirated verdict is one of a stranger', () => {
    expect([...PIRATED].sort()).toEqual(['clone', 'look-alike', 're-signed', 'repackaged'])
  })
})

describe('prints', () => {
  test('numbers are packed sorted and once, and come back', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0xffffffff)), (numbers) => {
        expect([...unpackNumbers(packNumbers(numbers))]).toEqual([...new Set(numbers)].sort((a, b) => a - b))
      }),
    )
  })

  test('a label is compared as it looks', () => {
    expect(labelLikeness('掌上银行', '掌 上 银 行')).toBe(1)
    expect(labelLikeness('PayPal', 'Раураl')).toBeGreaterThan(0.8)
    expect(labelLikeness('MyApplication', 'My Application')).toBeNull()
    expect(labelLikeness('', 'x')).toBeNull()
    expect(labelLikeness('掌上银行', '灯笼消消乐')).toBe(0)
  })

  test('an icon is like itself in another size, and unlike another one; a picture of one colour has no print', () => {
    const drawn = (seed: number, side = 1) => {
      const random = new Random(seed)
      const blocks = Array.from({ length: 64 }, () => [random.below(256), random.below(256), random.below(256)])
      const size = 48 * side
      const data = new Uint8Array(4 * size * size)
      for (let y = 0; y < size; y++)
        for (let x = 0; x < size; x++)
          data.set([...blocks[8 * Math.floor((8 * y) / size) + Math.floor((8 * x) / size)]!, 255], 4 * (size * y + x))
      return iconPrint({ width: size, height: size, data })!
    }
    expect(iconLikeness(drawn(1), drawn(1, 3))).toBeGreaterThan(0.9)
    expect(iconLikeness(drawn(1), drawn(2))).toBeLessThan(0.7)
    expect(iconPrint({ width: 10, height: 10, data: new Uint8Array(400) })).toBeNull()
    expect(drawPixels('<svg')).toBeNull()
  })

  test('a library is no application, and changed bytes give a print or a FormatError', () => {
    expect(() => readPrint({ ...readPackage(BANK, 'a.apk'), kind: 'aar' } as never)).toThrow(FormatError)
    fc.assert(
      fc.property(fc.nat(BANK.length - 1), fc.nat(255), (at, value) => {
        const bytes = Uint8Array.from(BANK)
        bytes[at] = value
        try {
          expect(readPrint(readPackage(bytes, 'a.apk')).sha256).toHaveLength(64)
        } catch (error) {
          expect(error).toBeInstanceOf(FormatError)
        }
      }),
      { numRuns: 60 },
    )
  })
})
