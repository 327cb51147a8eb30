import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { method } from '#tests/support/code-body.ts'
import { element, type MadePackage, makePackage } from '#tests/support/detect-package.ts'
import { type WrittenDexClass, writeDex } from '#tests/support/dex-writer.ts'
import { readProgram } from '../../dex/read-program.ts'
import { SCAN_CHOICES } from '../input/scan-choices.ts'
import { readContext } from '../read-context.ts'
import { libraryOfText } from '../sdks/library-marks.ts'
import { ownersOfRenamed } from './renamed-classes.ts'

const MAIN = 'Lorg/maker/app/Main;'
const main = element('activity', { name: 'org.maker.app.Main', exported: true })

/** `own`, `unknown`, or the SDK, '' where it is not known which. */
function ownersOf(made: MadePackage): (name: string) => string {
  const { rules } = readContext(makePackage({ components: [main], ...made }), SCAN_CHOICES, () => {})
  return (name) => {
    const { kind, sdk } = rules.ownerOf(`L${name.replaceAll('.', '/')};`)
    return kind === 'sdk' ? (sdk ?? '') : kind
  }
}

const loads = (text: string) => method('a()V', (body) => void body.static('La/B;->log(Ljava/lang/String;)V', text))
const calls = (type: string) => method('b()V', (body) => void body.static(`${type}->x()V`))
const plain = (name: string, more: Partial<WrittenDexClass> = {}): WrittenDexClass => ({ name, methods: [], ...more })

describe('owner of named classes', () => {
  test('own code lies around the application id, whatever a flavour adds to it', () => {
    const owner = ownersOf({ id: 'org.maker.app.debug', classes: [plain(MAIN), plain('Lorg/maker/core/A;')] })
    expect(['org.maker.app.Main', 'org.maker.core.A', 'org.makers.A'].map(owner)).toEqual(['own', 'own', 'org.makers'])
  })

  test('a prefix that many makers share is not own beyond the name of the application', () => {
    const owner = ownersOf({
      id: 'com.example.shop',
      components: [],
      classes: [plain('Lcom/example/shop/A;'), plain('Lcom/example/other/B;'), plain('Lcom/google/thing/C;')],
    })
    expect(['com.example.shop.A', 'com.example.other.B', 'com.google.thing.C'].map(owner)).toEqual([
      'own',
      'com.example.other',
      'com.google.thing',
    ])
  })

  test('a component of a foreign package is own if its package names own classes, else its owner is unknown', () => {
    const foreign = element('activity', { name: 'net.vendor.ads.Banner', exported: false })
    const made = (methods: WrittenDexClass['methods']) => ({
      components: [main, foreign],
      classes: [plain(MAIN), plain('Lnet/vendor/ads/Banner;', { methods: methods ?? [] })],
    })
    expect(ownersOf(made([]))('net.vendor.ads.Banner')).toBe('unknown')
    expect(ownersOf(made([calls(MAIN)]))('net.vendor.ads.Banner')).toBe('own')
    const alone = { ...made([]), id: 'x.y.z', components: [foreign] }
    expect(ownersOf({ ...alone, classes: [plain('Lnet/vendor/ads/Banner;')] })('net.vendor.ads.Banner')).toBe('own')
  })

  test("components of Evernote's job library are its own, though nothing connects them with the application", () => {
    const receiver = 'com.evernote.android.job.v14.PlatformAlarmReceiver'
    const components = [main, element('receiver', { name: receiver, exported: false })]
    const owner = ownersOf({ components, classes: [plain(MAIN), plain(`L${receiver.replaceAll('.', '/')};`)] })
    expect(owner(receiver)).toBe('evernote-job')
  })

  test('the SDKs that a review missed are recognised by their packages', () => {
    const owner = ownersOf({ classes: [plain(MAIN)] })
    const names = [
      'net.gotev.uploadservice.UploadService',
      'org.osmdroid.views.MapView',
      'org.slf4j.LoggerFactory',
      'com.umeng.update.UmengUpdateAgent',
      'org.apache.commons.net.ftp.FTPClient',
    ]
    expect(names.map(owner)).toEqual(['gotev-upload', 'osmdroid', 'slf4j', 'umeng-update', 'apache-commons'])
  })
})

describe('modules of SDKs in packages of their own', () => {
  test('those of Alipay and of other Chinese SDKs are no own code and no library without a name', () => {
    const modules = {
      'com.alipay.security.mobile.module.a.A': 'alipay',
      'com.alipay.apmobilesecuritysdk.face.A': 'alipay',
      'com.alipay.tscenter.biz.rpc.A': 'alipay',
      'com.alipay.mobilesecuritysdk.face.A': 'alipay',
      'com.alipay.android.phone.mrpc.core.A': 'alipay',
      'org.json.alipay.A': 'alipay',
      'com.ta.utdid2.device.A': 'utdid',
      'com.ut.device.A': 'utdid',
      'com.ut.mini.A': 'ali-ut',
      'com.baidu.vi.A': 'baidu-map',
      'com.g.gysdk.A': 'geyan',
      'com.alibaba.android.arouter.A': 'arouter',
      'com.ut.secbody.A': 'ali-jaq',
      'com.taobao.securityjni.A': 'ali-jaq',
      'com.meizu.update.service.A': 'meizu-update',
      'com.pgyersdk.update.A': 'pgyer',
      'com.pgyer.pgyersdk.callback.A': 'pgyer',
      'com.yanzhenjie.permission.A': 'yanzhenjie',
      'com.lzy.okgo.cache.A': 'okgo',
      'com.lzy.imagepicker.ui.A': 'lzy-imagepicker',
      'com.lqr.emoji.A': 'lqr-im',
      'com.zhihu.matisse.ui.A': 'matisse',
      'com.sdk.base.framework.c.A': 'cu-onekey',
    }
    const classes = Object.keys(modules).map((name) => plain(`L${name.replaceAll('.', '/')};`))
    const owner = ownersOf({ classes: [plain(MAIN), ...classes] })
    expect(Object.fromEntries(Object.keys(modules).map((name) => [name, owner(name)]))).toEqual(modules)
  })

  test('what others have below the same names is no SDK', () => {
    const others = ['com.lqr.latte.A', 'com.meizu.cloud.app.A', 'com.zhihu.android.A', 'com.sdk.base.SDKConfig']
    const owner = ownersOf({ classes: [plain(MAIN), ...others.map((name) => plain(`L${name.replaceAll('.', '/')};`))] })
    const known = ['lqr-im', 'meizu-update', 'meizu-push', 'matisse', 'cu-onekey']
    for (const name of others) expect(known).not.toContain(owner(name))
  })

  test('code of an application whose id lies in the package of an SDK is own, the SDK around it is not', () => {
    const owner = ownersOf({
      id: 'com.alipay.sdk.pay.demo',
      components: [],
      classes: [
        plain('Lcom/alipay/sdk/pay/demo/Pay;'),
        plain('Lcom/alipay/sdk/app/PayTask;'),
        plain('Lcom/alipay/security/mobile/A;'),
      ],
    })
    expect(
      ['com.alipay.sdk.pay.demo.Pay', 'com.alipay.sdk.app.PayTask', 'com.alipay.security.mobile.A'].map(owner),
    ).toEqual(['own', 'alipay', 'alipay'])
  })
})

describe('owner of classes that lost their names', () => {
  test('without evidence it is unknown, never own', () => {
    const owner = ownersOf({ classes: [plain(MAIN), plain('La/b/C;'), plain('Ldefault;'), plain('Lo/aa;')] })
    expect(['a.b.C', 'default', 'o.aa'].map(owner)).toEqual(['unknown', 'unknown', 'unknown'])
  })

  test('texts of a library decide about the class and the package that was renamed with it', () => {
    const owner = ownersOf({
      classes: [plain(MAIN), plain('Ld/a;', { methods: [loads('okhttp/4.9.3')] }), plain('Ld/b;'), plain('Le/a;')],
    })
    expect(['d.a', 'd.b', 'e.a'].map(owner)).toEqual(['okhttp', 'okhttp', 'unknown'])
  })

  test('what a named class of a library extends is of the library, and what that extends', () => {
    const owner = ownersOf({
      classes: [
        plain(MAIN),
        plain('Landroidx/fragment/app/Fragment;', { superclass: 'La/b;' }),
        plain('La/b;', { superclass: 'Lc/d;', interfaces: ['Le/f;'] }),
        plain('Lc/d;'),
        plain('Le/f;'),
      ],
    })
    expect(['a.b', 'c.d', 'e.f'].map(owner)).toEqual(['', '', ''])
  })

  test('extending a class of a library says nothing: applications do so as well', () => {
    const owner = ownersOf({
      classes: [plain(MAIN), plain('La/b;', { superclass: 'Landroidx/fragment/app/Fragment;' })],
    })
    expect(owner('a.b')).toBe('unknown')
  })

  test('what names own classes is own, and so is a package in which most do', () => {
    const naming = { methods: [calls(MAIN)] }
    const owner = ownersOf({ classes: [plain(MAIN), plain('La/a;', naming), plain('La/b;', naming), plain('La/c;')] })
    expect(['a.a', 'a.b', 'a.c'].map(owner)).toEqual(['own', 'own', 'own'])
  })

  test('where evidence disagrees the owner is unknown, in the class and in the rest of its package', () => {
    const owner = ownersOf({
      classes: [
        plain(MAIN),
        plain('La/a;', { methods: [loads('okhttp/4.9.3'), calls(MAIN)] }),
        plain('La/b;'),
        plain('Lc/a;', { methods: [calls(MAIN)] }),
        plain('Lc/b;', { methods: [loads('okhttp/4.9.3')] }),
        plain('Lc/d;'),
      ],
    })
    expect(['a.a', 'a.b', 'c.a', 'c.b', 'c.d'].map(owner)).toEqual(['unknown', 'unknown', 'own', 'okhttp', 'unknown'])
  })

  test('a callback that an optimiser lets a library call directly makes the library no own code', () => {
    const owner = ownersOf({
      classes: [
        plain(MAIN),
        plain('Lorg/maker/app/Main$1;'),
        plain('La/a;', { methods: [loads('FragmentActivity'), calls('Lorg/maker/app/Main$1;')] }),
        plain('La/b;', { methods: [loads('okhttp/4.9.3')] }),
      ],
    })
    expect(owner('a.b')).toBe('okhttp')
    expect(owner('a.a')).not.toBe('own')
  })

  test('the default package decides nothing about its other classes, an outer class about those inside', () => {
    const owner = ownersOf({
      classes: [plain(MAIN), plain('La;', { methods: [loads('okhttp/4.9.3')] }), plain('La$b;'), plain('Lc;')],
    })
    expect(['a', 'a$b', 'c'].map(owner)).toEqual(['okhttp', 'okhttp', 'unknown'])
  })

  test('packages of libraries around decide about one without evidence, unless own code is among them', () => {
    const library = ['a/a', 'a/b', 'a/c'].map((name) => plain(`L${name}/X;`, { methods: [loads('okhttp/4.9.3')] }))
    const silent = plain('La/d/X;')
    expect(ownersOf({ classes: [plain(MAIN), ...library, silent] })('a.d.X')).toBe('okhttp')
    const own = ['X', 'Y'].map((name) => plain(`La/e/${name};`, { methods: [calls(MAIN)] }))
    expect(ownersOf({ classes: [plain(MAIN), ...library, ...own, silent] })('a.d.X')).toBe('unknown')
  })

  test('ordinary words of an application are no texts of a library', () => {
    for (const text of ['', 'OK', 'Failed', 'https://example.com/api', 'com.google.android.gms.permission.AD_ID'])
      expect(libraryOfText(text), text).toBeNull()
    expect(libraryOfText('okhttp/4.9.0')).toBe('okhttp')
    expect(libraryOfText('LruCache[maxSize=%d,hits=%d,misses=%d,hitRate=%d%%]')).toBe('androidx')
    expect(libraryOfText('android.support.wearable.watchface.IWatchFaceService')).toBe('support-lib')
    expect(libraryOfText('android.support.customtabs.action.CustomTabsService')).toBeNull()
    expect(libraryOfText('ensureImeVisible')).toBe('androidx')
    expect(libraryOfText(' ROOT management app detected!')).toBe('rootbeer')
    expect(libraryOfText('JobProxy21')).toBe('evernote-job')
    expect(libraryOfText('androidx.lifecycle.BundlableSavedStateRegistry.key')).toBe('androidx')
    expect(libraryOfText('com.google.android.gms.common.internal.ICertData')).toBe('gms-base')
  })
})

describe('hostile hierarchies', () => {
  const owners = (classes: readonly WrittenDexClass[]) => {
    const program = readProgram([{ entry: 'classes.dex', bytes: writeDex([...classes]) }])
    return ownersOfRenamed(program, (descriptor) =>
      descriptor.startsWith('Lorg/maker/')
        ? { kind: 'own', sdk: null }
        : descriptor.startsWith('Lokhttp3/')
          ? { kind: 'sdk', sdk: 'okhttp' }
          : null,
    )
  }

  test('any classes, however they extend and name each other, are answered each, and the same each time', () => {
    const name = fc.constantFrom(...['a/a', 'a/b', 'b/a', 'c', 'd', 'org/maker/M', 'okhttp3/Call', 'a/b/c/d'])
    const one = fc.record({
      name,
      above: name,
      interfaces: fc.uniqueArray(name, { maxLength: 3 }),
      named: fc.array(name, { maxLength: 4 }),
      text: fc.constantFrom('okhttp/4.9.3', 'x', ''),
    })
    fc.assert(
      fc.property(fc.uniqueArray(one, { selector: (made) => made.name, maxLength: 8 }), (made) => {
        const classes = made.map((row) => ({
          name: `L${row.name};`,
          superclass: `L${row.above};`,
          interfaces: row.interfaces.map((above) => `L${above};`),
          methods: [loads(row.text), ...row.named.map((type, at) => ({ ...calls(`L${type};`), name: `n${at}()V` }))],
        }))
        const found = owners(classes)
        const renamed = made.filter(({ name: at }) => !/^(?:org|okhttp3)\//.test(at))
        for (const row of renamed)
          expect(['own', 'sdk', 'unknown', undefined]).toContain(found.get(`L${row.name};`)?.kind)
        expect(owners(classes)).toEqual(found)
      }),
      { numRuns: 200 },
    )
  })

  test('10,000 classes in one chain, and in one circle, take seconds at most', () => {
    const count = 10_000
    const at = (index: number) => `La/c${index % count};`
    const chain = Array.from({ length: count }, (_, index) => plain(at(index), { superclass: at(index + 1) }))
    const begun = performance.now()
    const found = owners([plain('Lokhttp3/Call;', { superclass: at(0) }), ...chain])
    expect(performance.now() - begun).toBeLessThan(20_000)
    expect([at(0), at(1), at(count - 1)].map((one) => found.get(one)?.kind)).toEqual(['sdk', 'sdk', 'sdk'])
  })
})
