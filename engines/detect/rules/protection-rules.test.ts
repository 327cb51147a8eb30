import { describe, expect, test } from 'vitest'
import { buildApk, type Files, schemeBlock, withV1 } from '#tests/support/apk/signed-apk.ts'
import { makeSigner } from '#tests/support/apk/signer.ts'
import { type Body, method } from '#tests/support/code-body.ts'
import { apkBytes, element, type MadePackage } from '#tests/support/detect-package.ts'
import { writeElf } from '#tests/support/elf-writer.ts'
import { type ItemCase, judgeOne } from '#tests/support/judge-item.ts'
import { readPackage } from '../../package/read-package.ts'
import { entryBytes } from '../../zip/entry-bytes.ts'
import { readZip } from '../../zip/read-zip.ts'
import { ANDROID_ITEMS } from '../rule-items.ts'
import { ANDROID_RULES } from './all-rules.ts'

const MAIN = 'Lorg/maker/app/Main;'
const code = (write: (body: Body) => void, more: MadePackage = {}): MadePackage => ({
  ...more,
  classes: [{ name: MAIN, superclass: 'Landroid/app/Activity;', methods: [method('work()V', write)] }],
})
const nothing = code(() => {})
const says = (text: string) => code((body) => void body.static('Lorg/maker/app/Main;->take(Ljava/lang/String;)V', text))
const call = (reference: string) => code((body) => void body.virtual(reference, null))
const packed: MadePackage = {
  application: { name: 'com.stub.StubApp' },
  classes: [{ name: 'Lcom/stub/StubApp;', superclass: 'Landroid/app/Application;', methods: [method('onCreate()V')] }],
  files: { 'assets/libjiagu.so': 'x' },
}
const script = 'function answer(question) {\n  return question + 42\n}\n'.repeat(20)
const own = (names: string[], sourceFile = false): MadePackage => ({
  classes: names.map((name) => ({
    name: `Lorg/maker/app/${name};`,
    methods: [method('run()V')],
    ...(sourceFile && { sourceFile: `${name}.java` }),
  })),
})
const signatureCheck = code((body) => {
  const name = body.virtual(`${MAIN}->getPackageName()Ljava/lang/String;`, body.parameter(0))
  body.virtual(
    'Landroid/content/pm/PackageManager;->getPackageInfo(Ljava/lang/String;I)Landroid/content/pm/PackageInfo;',
    null,
    name,
    0x40,
  )
  body.virtual('Ljava/security/MessageDigest;->digest([B)[B', null, null)
})

const CASES: Record<string, ItemCase> = {
  'android-no-packer': { fails: nothing, passes: packed },
  'android-no-obfuscation': { fails: own(['Account', 'Ledger', 'Payment']), passes: own(['a', 'b', 'Main']) },
  'android-no-root-detect': { fails: nothing, passes: says('/system/xbin/su') },
  'android-no-emulator-detect': { fails: nothing, passes: says('goldfish') },
  'android-no-debugger-detect': {
    fails: nothing,
    passes: code((body) => void body.static('Landroid/os/Debug;->isDebuggerConnected()Z')),
  },
  'android-no-hook-detect': { fails: nothing, passes: says('de.robv.android.xposed.XposedBridge') },
  'android-no-signature-check': { fails: nothing, passes: signatureCheck },
  'android-no-integrity-check': { fails: nothing, passes: call('Ljava/util/zip/ZipEntry;->getCrc()J') },
  'android-no-attestation': {
    fails: nothing,
    passes: code(
      (body) =>
        void body.virtual(
          'Landroid/security/keystore/KeyGenParameterSpec$Builder;->setAttestationChallenge([B)V',
          null,
          null,
        ),
    ),
  },
  'android-no-resource-protect': {
    fails: { files: { 'assets/app.js': script } },
    passes: {
      files: {
        'assets/index.android.bundle': Buffer.concat([Buffer.from([0xc6, 0x1f, 0xbc, 0x03]), Buffer.alloc(400)]),
      },
    },
  },
  'android-no-multi-instance-detect': { fails: nothing, passes: says('/data/user/0/io.virtualapp') },
  'android-repackaged-marks': { fails: { files: { 'assets/lspatch/config.json': '{}' } }, passes: nothing },
  'android-elf-no-so-protect': {
    fails: { files: { 'lib/arm64-v8a/libmaker.so': writeElf({ exports: ['Java_org_maker_run'] }) } },
    passes: { files: { 'lib/arm64-v8a/libmaker.so': writeElf({ exports: ['run'] }) } },
  },
}

describe('items about protection (DET-03)', () => {
  const { 'android-elf-no-so-protect': _, ...cases } = CASES
  test.each(Object.entries(cases))('%s', (id, { fails, passes }) => {
    expect(judgeOne(id, fails)).toMatchObject({ verdict: 'fail' })
    expect(judgeOne(id, passes).verdict).toBe('pass')
  })

  test('behind a packer code is not assessed, and the packer is named', () => {
    const judged = judgeOne('android-crypto-ecb', packed)
    expect(judged.verdict).toBe('not_assessed')
    expect(judged.reason!.zh).toContain('360')
    expect(
      judgeOne('android-debuggable', { ...packed, application: { ...packed.application, debuggable: true } }).verdict,
    ).toBe('fail')
  })

  test('what shows a protection is named', () => {
    expect(judgeOne('android-no-root-detect', CASES['android-no-root-detect']!.passes).reason!.en).toContain(
      'org.maker.app.Main.work',
    )
  })

  test('money raises a missing protection by a level', () => {
    expect(judgeOne('android-no-root-detect', nothing, { applicationTypes: ['online_payment'] }).level).toBe('middle')
  })
})

const filesOf = (made: MadePackage): Files => {
  const zip = readZip(apkBytes(made))
  return Object.fromEntries(zip.entries.map((entry) => [entry.name, entryBytes(zip, entry)]))
}
const debug = makeSigner('Android Debug')
const maker = makeSigner('Maker')
const signedV1 = (made: MadePackage, signer = maker) =>
  readPackage(new Uint8Array(buildApk(withV1(filesOf(made), signer))), 'a.apk')
const V2 = 0x7109871a
const signedV2 = (made: MadePackage) =>
  readPackage(new Uint8Array(buildApk(filesOf(made), [schemeBlock(V2, { signer: maker })])), 'a.apk')

describe('items about the signature (DET-03)', () => {
  test('android-sig-v1-only', () => {
    expect(judgeOne('android-sig-v1-only', signedV1({ minSdk: 21 }))).toMatchObject({ verdict: 'fail', level: 'high' })
    expect(judgeOne('android-sig-v1-only', signedV1({ minSdk: 24 }))).toMatchObject({
      verdict: 'fail',
      level: 'middle',
    })
    expect(judgeOne('android-sig-v1-only', signedV2({})).verdict).toBe('pass')
  })

  test('android-sig-debug-cert', () => {
    expect(judgeOne('android-sig-debug-cert', signedV1({}, debug)).verdict).toBe('fail')
    expect(judgeOne('android-sig-debug-cert', signedV1({})).verdict).toBe('pass')
  })

  test('certificates of this kind pass what is asked of them; an expired one does not', () => {
    const ids = [
      'android-sig-public-testkey',
      'android-sig-weak-digest',
      'android-sig-weak-key',
      'android-sig-cert-validity',
    ]
    expect(ids.map((id) => judgeOne(id, signedV2({}), { date: Date.UTC(2026, 0, 1) }).verdict)).toEqual(
      ids.map(() => 'pass'),
    )
    expect(judgeOne('android-sig-cert-validity', signedV2({}), { date: Date.UTC(2060, 0, 1) })).toMatchObject({
      verdict: 'fail',
      level: 'low',
    })
  })

  test('android-sig-v1-unsigned-meta', () => {
    const marked = { files: { 'META-INF/channel_maker': 'x' } }
    expect(judgeOne('android-sig-v1-unsigned-meta', signedV1(marked)).verdict).toBe('fail')
    expect(judgeOne('android-sig-v1-unsigned-meta', signedV1({})).verdict).toBe('pass')
  })

  test('another signer than the known one', () => {
    expect(judgeOne('android-repackaged-marks', signedV1({}), { baselineSigners: ['00'] }).verdict).toBe('fail')
    expect(judgeOne('android-repackaged-marks', signedV1({}), { baselineSigners: null }).verdict).toBe('pass')
  })

  test('without a signature nothing is said of it', () => {
    expect(judgeOne('android-sig-v1-only', { components: [element('activity', { name: '.A' })] }).verdict).toBe(
      'not_applicable',
    )
  })
})

test('DET-03 every Android item has a rule, and every rule an item', () => {
  expect(Object.keys(ANDROID_RULES).sort()).toEqual(ANDROID_ITEMS.map(({ id }) => id).sort())
  expect(ANDROID_ITEMS).toHaveLength(185)
})
