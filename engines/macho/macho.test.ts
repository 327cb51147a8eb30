import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { der, sequence } from '#tests/support/apk/der-writer.ts'
import { makeSigner, signatureBlock } from '#tests/support/apk/signer.ts'
import { arm64, type WrittenMacho, writeMacho } from '#tests/support/macho-writer.ts'
import { writeXmlPlist } from '#tests/support/plist-writer.ts'
import { mutate } from '#tests/support/zip-writer.ts'
import { FormatError } from '../bytes/format-error.ts'
import { plistFlag, plistJson } from '../plist/plist-node.ts'
import { imageBytes } from './addresses.ts'
import { arm64Calls } from './arm64-calls.ts'
import { readDerEntitlements } from './der-entitlements.ts'
import { MACHO_LIMITS } from './macho-facts.ts'
import { constantString, machoStrings } from './macho-strings.ts'
import { plainName, readObjc } from './objc.ts'
import { isMacho, readMacho } from './read-macho.ts'

const image = (macho: WrittenMacho = {}) => {
  const bytes = writeMacho(macho)
  const found = readMacho(bytes).images[0]!
  return { bytes, found, view: imageBytes(bytes, found) }
}
const keyOf = (read: () => unknown): string => {
  try {
    read()
  } catch (error) {
    if (error instanceof FormatError) return `${error.format} ${error.key}`
    throw error
  }
  return 'nothing thrown'
}

/** Two images in one file, both orders of the header's width. */
function fat(wide: boolean, ...images: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(0x1000)
  head.writeUInt32BE(wide ? 0xcafebabf : 0xcafebabe, 0)
  head.writeUInt32BE(images.length, 4)
  let at = 0x1000
  images.forEach((bytes, i) => {
    const entry = 8 + i * (wide ? 32 : 20)
    head.writeUInt32BE(0x0100000c, entry)
    if (wide) {
      head.writeBigUInt64BE(BigInt(at), entry + 8)
      head.writeBigUInt64BE(BigInt(bytes.length), entry + 16)
    } else {
      head.writeUInt32BE(at, entry + 8)
      head.writeUInt32BE(bytes.length, entry + 12)
    }
    at += bytes.length
  })
  return Buffer.concat([head, ...images])
}

describe('Mach-O', () => {
  test('header, libraries, paths, versions', () => {
    const { found } = image({
      dylibs: [['/usr/lib/libobjc.A.dylib'], ['@rpath/A.framework/A', 0x80000018]],
      rpaths: ['@executable_path/Frameworks', '/tmp'],
      cryptId: 1,
      imports: ['___stack_chk_fail', '_objc_retain', '?_OBJC_CLASS_$_NewClass'],
      exports: ['_main'],
      locals: ['_helper', '_other'],
    })
    expect(found).toMatchObject({
      bits: 64,
      cpu: 'arm64',
      fileType: 2,
      pie: true,
      minOs: '15.0.0',
      sdk: '17.0.0',
      platform: 2,
      uuid: '00112233445566778899aabbccddeeff',
      stackCanary: true,
      arc: true,
      swift: false,
      encryption: { cryptId: 1 },
      notes: [],
    })
    expect(found.dylibs.map(({ name, kind }) => [name, kind])).toEqual([
      ['/usr/lib/libobjc.A.dylib', 'load'],
      ['@rpath/A.framework/A', 'weak'],
    ])
    expect(found.rpaths.map(({ path }) => path)).toEqual(['@executable_path/Frameworks', '/tmp'])
    expect(found.symbols.imports.map(({ name, weak }) => [name, weak])).toEqual([
      ['___stack_chk_fail', false],
      ['_objc_retain', false],
      ['_OBJC_CLASS_$_NewClass', true],
    ])
    expect([found.symbols.exports, found.symbols.locals, found.symbols.count]).toEqual([['_main'], 2, 6])
  })

  test('fat files of both widths; a broken image costs itself alone; a Java class is no fat file', () => {
    const one = writeMacho({ exports: ['_one'] })
    const two = writeMacho({ flags: 0 })
    for (const wide of [false, true]) {
      const read = readMacho(fat(wide, one, two))
      expect(read.images.map(({ pie, offset }) => [pie, offset])).toEqual([
        [true, 0x1000],
        [false, 0x1000 + one.length],
      ])
    }
    expect(readMacho(fat(false, one, Buffer.alloc(100))).images).toHaveLength(1)
    expect(keyOf(() => readMacho(fat(false, Buffer.alloc(100))))).toBe('macho not-macho')
    expect(keyOf(() => readMacho(fat(false)))).toBe('macho empty')
    expect(isMacho(Buffer.from('cafebabe00000034', 'hex'))).toBe(false)
  })

  test('code signature: directories, team, entitlements, pages', () => {
    const entitlements = writeXmlPlist({ 'get-task-allow': true, 'application-identifier': 'TEAM.app' })
    const { found } = image({ signature: { team: 'TEAM', hashes: ['sha1', 'sha256'], entitlements } })
    expect(found.signature).toMatchObject({ adHoc: true, signatureHolds: null, pagesHold: true, certificates: [] })
    expect(found.signature!.directories).toMatchObject([
      { hash: 'sha1', identifier: 'com.example.app', team: 'TEAM', version: 0x20400 },
      { hash: 'sha256', team: 'TEAM' },
    ])
    expect(plistFlag(found.signature!.entitlements!, 'get-task-allow')).toBe(true)
    expect(image({ signature: { wrongPages: true } }).found.signature).toMatchObject({ pagesHold: false })
    expect(image().found.signature).toBeNull()
  })

  test('the CMS signature is held against the main directory', () => {
    // An RSA signature is always as long, and what is signed depends on the length of the signature alone.
    const signer = makeSigner('Developer', 'rsa')
    const other = signatureBlock(signer, Buffer.from('something else'), true)
    const { bytes, found } = image({ signature: { team: 'TEAM', cms: other } })
    expect(found.signature).toMatchObject({ adHoc: false, signatureHolds: false })
    const { offset } = found.signature!.directories[0]!
    const directory = bytes.subarray(offset, offset + Buffer.from(bytes).readUInt32BE(offset + 4))
    const sound = image({ signature: { team: 'TEAM', cms: signatureBlock(signer, directory, true) } }).found.signature!
    expect(sound).toMatchObject({ adHoc: false, signatureHolds: true, pagesHold: true })
    expect(sound.certificates.map(({ subject }) => subject)).toEqual(['CN=Developer, C=CN'])
  })

  test('entitlements of a Mach-O file in DER are read', () => {
    const text = (value: string) => der(0x0c, Buffer.from(value))
    const pairs = der(
      0xb0,
      sequence(text('get-task-allow'), der(0x01, Buffer.from([0xff]))),
      sequence(text('groups'), sequence(text('a'), text('b'))),
      sequence(text('count'), der(0x02, Buffer.from([5]))),
    )
    const read = readDerEntitlements(der(0x70, der(0x02, Buffer.from([1])), pairs))
    expect(plistJson(read)).toEqual({ 'get-task-allow': true, groups: ['a', 'b'], count: 5 })
    expect(keyOf(() => readDerEntitlements(der(0x70, der(0x02, Buffer.from([1])))))).toBe('entitlements empty')
  })

  const program: WrittenMacho = {
    imports: ['_objc_msgSend', '_CCCrypt'],
    strings: ['secret-key', 'shown'],
    selectors: ['setText:'],
    classes: { Controller: { viewDidLoad: 0 } },
    functions: [
      (at) => {
        const words: number[] = []
        const pc = () => at.here + 4 * words.length
        words.push(...arm64.load(1, at.selectorReference('setText:'), pc()))
        words.push(...arm64.address(2, at.constant('shown'), pc()))
        words.push(arm64.call(at.stub('_objc_msgSend'), pc()))
        words.push(arm64.set(1, 1), arm64.set(2, 2))
        words.push(...arm64.address(3, at.string('secret-key'), pc()))
        words.push(arm64.call(at.stub('_CCCrypt'), pc()))
        words.push(arm64.call(at.stub('_CCCrypt'), pc()))
        return words
      },
    ],
  }

  test('classes, methods, selectors, strings', () => {
    const { view } = image(program)
    const objc = readObjc(view)
    expect(objc.classes.map(({ name }) => name)).toEqual(['Controller'])
    expect(objc.methods).toMatchObject([{ owner: 'Controller', selector: 'viewDidLoad', isStatic: false }])
    expect([...objc.selectors.keys()]).toEqual(['setText:', 'viewDidLoad'])
    expect([...machoStrings(view)].map(({ value }) => value)).toEqual(['secret-key', 'shown'])
    expect(plainName('_TtC5MyApp14ViewController')).toBe('MyApp.ViewController')
    expect(plainName('_TtC5MyApp99Short')).toBe('_TtC5MyApp99Short')
  })

  test('calls with the arguments that straight code decides; what a call clobbers is unknown', () => {
    const { view } = image(program)
    const calls = [...arm64Calls(view, () => true)]
    expect(calls.map(({ callee, message }) => [callee, message])).toEqual([
      ['setText:', true],
      ['_CCCrypt', false],
      ['_CCCrypt', false],
    ])
    const [message, first, second] = calls
    expect(constantString(view, message!.arguments[2]!)).toBe('shown')
    expect(first!.arguments.slice(1, 3)).toEqual([1, 2])
    expect(view.textAt(first!.arguments[3]!)).toBe('secret-key')
    expect(second!.arguments).toEqual(Array(8).fill(undefined))
    const [method] = readObjc(view).methods
    expect(calls.every((call) => call.function === method!.code)).toBe(true)
  })

  test('what FairPlay has encrypted is not read', () => {
    const { view } = image({ ...program, cryptId: 1 })
    expect([...machoStrings(view)]).toEqual([])
    expect([...arm64Calls(view, () => true)]).toEqual([])
    expect(readObjc(view).selectors.size).toBe(0)
  })

  test('a Mach-O file beyond a limit is refused with a key', () => {
    const bytes = writeMacho(program)
    expect(keyOf(() => readMacho(bytes, { ...MACHO_LIMITS, commands: 3 }))).toBe('macho limit')
    expect(keyOf(() => readMacho(bytes, { ...MACHO_LIMITS, sections: 3 }))).toBe('macho limit')
    expect(keyOf(() => readMacho(bytes, { ...MACHO_LIMITS, symbols: 1 }))).toBe('macho limit')
    expect(keyOf(() => readMacho(fat(false, bytes, bytes), { ...MACHO_LIMITS, images: 1 }))).toBe('macho limit')
    expect(keyOf(() => readMacho(Buffer.from('nothing at all')))).toBe('macho not-macho')
    expect(keyOf(() => readMacho(bytes.subarray(0, 20)))).toBe('macho truncated')
  })

  test('whatever is flipped or cut, only FormatError is thrown', () => {
    const bytes = writeMacho({ ...program, signature: { team: 'TEAM', entitlements: writeXmlPlist({ a: true }) } })
    // The header, the commands and the tables behind the code are where a change matters.
    const at = fc.oneof(fc.nat(1400), fc.integer({ min: 0x1000, max: bytes.length - 1 }))
    const change = fc.tuple(at, fc.constantFrom(0, 1, 2, 0x7f, 0x80, 0xff))
    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), fc.constantFrom(0, 0, 0, 1, 600, 9000), (changes, cut) => {
        const broken = mutate(bytes, changes, cut)
        keyOf(() => {
          for (const found of readMacho(broken).images) {
            const view = imageBytes(broken, found)
            readObjc(view)
            void [...machoStrings(view), ...arm64Calls(view, () => true)]
          }
        })
      }),
      { numRuns: 500 },
    )
  })
})
