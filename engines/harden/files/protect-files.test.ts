import { describe, expect, test } from 'vitest'
import { apkBytes, element, type MadePackage } from '#tests/support/detect-package.ts'
import { constString, invokeStatic, invokeVirtual, STATIC } from '#tests/support/dex-program.ts'
import type { DexReferenceNumbers, WrittenDexClass } from '#tests/support/dex-writer.ts'
import { writeElf } from '#tests/support/elf-writer.ts'
import { writeArsc } from '#tests/support/resource-writer.ts'
import { writeZip } from '#tests/support/zip-writer.ts'
import { readProgram } from '../../dex/read-program.ts'
import { readPackage } from '../../package/read-package.ts'
import { entryBytes } from '../../zip/entry-bytes.ts'
import { readZip } from '../../zip/read-zip.ts'
import { comparePackages } from '../compare-packages.ts'
import { hardenApk } from '../harden-apk.ts'
import type { HardenRequest } from '../harden-request.ts'
import { hardenText } from '../harden-texts.ts'
import { readKeepRules } from '../keep-rules.ts'

const STREAM = 'Ljava/io/InputStream;'
const ASSETS = 'Landroid/content/res/AssetManager;'
const OPEN = `${ASSETS}->open(Ljava/lang/String;)${STREAM}`
const PEM = '-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n'
const ALL: Partial<HardenRequest> = { resources: ['assets/**', 'res/raw/**'], certificates: true }

type Code = (x: DexReferenceNumbers) => number[]
const run = (name: string, code: Code): WrittenDexClass => ({
  name,
  methods: [{ name: 'run()V', flags: STATIC, registers: 4, code: (x) => [...code(x), 0x0e] }],
})
const opens = run('Lorg/maker/app/Main;', (x) => [
  ...constString(1, x.string('a.dat')),
  ...invokeVirtual(x.method(OPEN), 0, 1),
])
/** A call with a text that it is given. */
const calls = (owner: string, method: string, text: string, place = 1): WrittenDexClass =>
  run(owner, (x) => [...constString(place, x.string(text)), ...invokeStatic(x.method(method), 0, 1, 2)])
/** The text comes from elsewhere. */
const callsUnknown = (owner: string, method: string): WrittenDexClass =>
  run(owner, (x) => [
    ...invokeStatic(x.method('Lext/Other;->text()Ljava/lang/String;')),
    0x010c,
    ...invokeStatic(x.method(method), 0, 1, 1),
  ])
const loads = (text: string, ...methods: string[]): WrittenDexClass =>
  run('Lorg/maker/app/Texts;', (x) => [
    ...constString(0, x.string(text)),
    ...methods.flatMap((method) => invokeStatic(x.method(method), 0, 0)),
  ])

async function harden(made: MadePackage | Uint8Array, request: Partial<HardenRequest> = ALL) {
  const before = made instanceof Uint8Array ? made : apkBytes(made)
  const hardened = await hardenApk(before, 'made.apk', {
    ...{ keep: readKeepRules(''), seed: Buffer.alloc(32, 7) },
    ...request,
  })
  const lines = hardened.lines.map(
    (line) => `${line.outcome} ${line.option} ${line.file}: ${hardenText(line, 'en')}: ${line.count}`,
  )
  return { ...hardened, before, lines, bytes: new Uint8Array(Buffer.concat(hardened.pieces)) }
}
const contentOf = (bytes: Uint8Array, name: string) => entryBytes(readZip(bytes), readZip(bytes).byName.get(name)!)
const linesOf = async (made: MadePackage, file: string, request?: Partial<HardenRequest>) =>
  (await harden(made, request)).lines
    .filter((line) => line.includes(` ${file}: `))
    .map((line) => line.replace(/:[^:]*$/, ''))

const basic = { 'assets/a.dat': 'a secret', 'assets/b.bin': 'another' }

describe('[HARD-02] files of the package', () => {
  test('chosen files are encrypted under their own names, the others stay, and calls lead to a class of ours, those of libraries too', async () => {
    const library = run('Lcom/bumptech/glide/load/data/Fetcher;', (x) => invokeVirtual(x.method(OPEN), 0, 1))
    const files = { ...basic, 'assets/ca.pem': PEM }
    const made = { classes: [opens, library], files }
    const { lines, bytes, before, open } = await harden(made, { resources: ['assets/*.dat'], certificates: true })
    expect(lines).toEqual([
      'applied resource_protection classes.dex: calls that open files redirected: 2',
      'applied resource_protection assets/a.dat: file encrypted: 1',
      'applied cer_protection assets/ca.pem: file encrypted: 1',
    ])
    for (const name of ['assets/a.dat', 'assets/ca.pem'])
      expect(Buffer.from(contentOf(bytes, name)).toString('latin1')).not.toMatch(/secret|CERTIFICATE/)
    expect(Buffer.from(contentOf(bytes, 'assets/b.bin')).toString()).toBe('another')
    const read = (one: Uint8Array) => {
      const found = readPackage(one, 'made.apk')
      if (found.kind !== 'apk') throw new Error('no APK')
      return found
    }
    const program = readProgram(read(bytes).code)
    const left = program.callsTo(OPEN).map(({ method }) => method.owner)
    // The reader itself opens them, for the first time and for files of other packages.
    expect(new Set(left).size).toBe(1)
    expect(left[0]).not.toMatch(/maker|bumptech|appwarden/)
    // For those who judge what was changed the files are readable.
    const readable = new Uint8Array(Buffer.concat(open!()))
    expect(Buffer.from(contentOf(readable, 'assets/ca.pem')).toString()).toBe(PEM)
    const { checks } = comparePackages(read(before), read(bytes), read(readable))
    expect(checks.filter(({ passed }) => !passed)).toEqual([])
    const damaged = comparePackages(read(before), read(bytes), read(apkBytes({ classes: [opens], files: basic })))
    expect(damaged.checks.find(({ check }) => check === 'assets')).toMatchObject({
      passed: false,
      detail: 'assets/ca.pem: missing',
    })
  })

  test.each<[string, MadePackage, string]>([
    [
      'native code',
      { files: { 'lib/arm64-v8a/liba.so': writeElf({ imports: ['AAssetManager_open'] }) } },
      'native code may read it (lib/arm64-v8a/liba.so)',
    ],
    [
      'native code through Java',
      { files: { 'lib/arm64-v8a/liba.so': writeElf({ soname: 'android/content/res/AssetManager' }) } },
      'native code may read it (lib/arm64-v8a/liba.so)',
    ],
    [
      'native code outside of lib',
      { files: { 'res/x.png': writeElf({ imports: ['AAssetManager_open'] }) } },
      'native code may read it (res/x.png)',
    ],
    [
      'a native method with the files',
      { classes: [opens, { name: 'Lorg/maker/app/N;', methods: [{ name: `init(${ASSETS})V`, flags: 0x109 }] }] },
      `native code may read it (Lorg/maker/app/N;->init(${ASSETS})V)`,
    ],
    [
      'code that is loaded',
      {
        classes: [
          opens,
          calls('Lorg/maker/app/L;', 'Ldalvik/system/DexClassLoader;-><init>(Ljava/lang/String;)V', 'x'),
        ],
      },
      'code that Lorg/maker/app/L; loads may open it',
    ],
    [
      'reflection by name',
      { classes: [opens, loads('android.content.res.AssetManager')] },
      'Lorg/maker/app/Texts; may open it by reflection',
    ],
    [
      'the stream of Android',
      {
        classes: [
          opens,
          run('Lorg/maker/app/C;', (x) => [0x001f, x.type('Landroid/content/res/AssetManager$AssetInputStream;')]),
        ],
      },
      'Lorg/maker/app/C; needs the stream of Android itself',
    ],
    ['no call that opens files', { classes: [loads('text')] }, 'no call of the package opens such files'],
    [
      'splits',
      { manifest: { isSplitRequired: true } },
      'the package needs splits, whose code would open encrypted files',
    ],
    ['an old Android', { minSdk: 19 }, 'Android before 5.0 loads the first dex file alone'],
    [
      'a library for other packages',
      { components: [element('static-library', { name: 'x' })] },
      'other packages load its code (static-library)',
    ],
    [
      'an entry that the app reads itself',
      {
        classes: [
          opens,
          loads('/assets/a', 'Ljava/lang/Class;->getResourceAsStream(Ljava/lang/String;)Ljava/io/InputStream;'),
        ],
      },
      'Lorg/maker/app/Texts; may read it as an entry',
    ],
    [
      'an image decoder',
      {
        classes: [
          opens,
          callsUnknown(
            'Lorg/maker/app/D;',
            `Landroid/graphics/ImageDecoder;->createSource(${ASSETS}Ljava/lang/String;)Landroid/graphics/ImageDecoder$Source;`,
          ),
        ],
      },
      'it is opened by Lorg/maker/app/D; in another way',
    ],
  ])('a file that something else may read stays: %s', async (_, made, reason) => {
    const { files, classes = [opens], ...more } = made
    const result = await linesOf({ ...more, classes, files: { ...basic, ...files } }, 'assets/a.dat')
    expect(result).toEqual([`skipped resource_protection assets/a.dat: ${reason}`])
  })

  test.each<[string, readonly WrittenDexClass[]]>([
    ['Android’s own classes in texts beside it', [opens, loads('/assets/a')]],
    [
      'reflection on other methods',
      [
        opens,
        run('Lorg/maker/app/R;', (x) => [
          0x001c,
          x.type(ASSETS),
          ...constString(1, x.string('addAssetPath')),
          ...invokeVirtual(
            x.method('Ljava/lang/Class;->getMethod(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;'),
            0,
            1,
            2,
          ),
        ]),
      ],
    ],
    [
      'code of Google Play services',
      [
        opens,
        calls(
          'Lcom/google/android/gms/dynamite/L;',
          'Ldalvik/system/PathClassLoader;-><init>(Ljava/lang/String;Ljava/lang/ClassLoader;)V',
          'x',
        ),
      ],
    ],
    [
      'a description that compressed files do not have',
      [
        opens,
        callsUnknown(
          'Lorg/maker/app/F;',
          `${ASSETS}->openFd(Ljava/lang/String;)Landroid/content/res/AssetFileDescriptor;`,
        ),
      ],
    ],
  ])('what reads no file keeps none readable: %s', async (_, classes) => {
    expect(await linesOf({ classes: [...classes], files: basic }, 'assets/a.dat')).toEqual([
      'applied resource_protection assets/a.dat: file encrypted',
    ])
  })

  test('reflection that may ask for a method that opens keeps all files readable', async () => {
    const asks = run('Lorg/maker/app/R;', (x) => [
      0x001c,
      x.type(ASSETS),
      ...constString(1, x.string('openFd')),
      ...invokeVirtual(
        x.method('Ljava/lang/Class;->getMethod(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;'),
        0,
        1,
        2,
      ),
    ])
    expect(await linesOf({ classes: [opens, asks], files: basic }, 'assets/a.dat')).toEqual([
      'skipped resource_protection assets/a.dat: Lorg/maker/app/R; may open it by reflection',
    ])
  })

  test('a class that a rule keeps is not changed: the file that it names stays, or all where it names none', async () => {
    const keep = readKeepRules('-keep class org.maker.app.Main')
    const made = { classes: [opens], files: basic }
    expect(await linesOf(made, 'assets/a.dat', { ...ALL, keep })).toEqual([
      'skipped resource_protection assets/a.dat: it is opened by Lorg/maker/app/Main;, which a rule keeps',
    ])
    expect(await linesOf(made, 'assets/b.bin', { ...ALL, keep })).toEqual([
      'applied resource_protection assets/b.bin: file encrypted',
    ])
  })

  test('a stored file stays where something opens its description', async () => {
    const before = readZip(
      apkBytes({
        classes: [
          opens,
          callsUnknown(
            'Lorg/maker/app/F;',
            `${ASSETS}->openFd(Ljava/lang/String;)Landroid/content/res/AssetFileDescriptor;`,
          ),
        ],
        files: basic,
      }),
    )
    const stored = writeZip(
      before.entries.map((entry) => ({
        name: entry.name,
        data: entryBytes(before, entry),
        deflate: entry.name !== 'assets/a.dat',
      })),
    )
    const { lines } = await harden(stored)
    expect(lines).toContain(
      'skipped resource_protection assets/a.dat: it is opened by Lorg/maker/app/F; in another way: 1',
    )
    expect(lines).toContain('applied resource_protection assets/b.bin: file encrypted: 1')
  })

  test('what a web view may load stays: kinds of pages, what lies below a page, and what pages name; certificates below it do not', async () => {
    const files = {
      ...basic,
      'assets/www/index.html': '<script src="app.js"></script>',
      'assets/www/app.js': 'fetch("../b.bin"); fetch("../tiles/" + n)',
      'assets/www/data/x.dat': 'below',
      'assets/www/certificates/server.pem': PEM,
      'assets/tiles/1.dat': 'named by its folder',
      'assets/pic.png': 'kind',
    }
    const { lines } = await harden({ classes: [opens], files })
    expect(lines.filter((line) => line.includes('a web view may load it')).map((line) => line.split(' ')[2])).toEqual([
      'assets/b.bin:',
      'assets/www/index.html:',
      'assets/www/app.js:',
      'assets/www/data/x.dat:',
      'assets/tiles/1.dat:',
      'assets/pic.png:',
    ])
    expect(lines).toContain('applied cer_protection assets/www/certificates/server.pem: file encrypted: 1')
    const addressed = await harden({
      classes: [opens, loads('file:///android_asset/')],
      files: { ...basic, 'assets/c.json': '{}' },
    })
    expect(addressed.lines).toContain('skipped resource_protection assets/c.json: a web view may load it: 1')
    expect(addressed.lines).toContain('applied resource_protection assets/a.dat: file encrypted: 1')
  })

  test('Flutter reads its own folder alone: other files are encrypted', async () => {
    const native = writeElf({ imports: ['AAssetManager_open'] })
    const files = {
      ...basic,
      'assets/flutter_assets/a.bin': 'x',
      'lib/arm64-v8a/libflutter.so': native,
      'lib/arm64-v8a/libapp.so': native,
    }
    const { lines } = await harden({ classes: [opens], files })
    expect(lines).toContain('skipped resource_protection assets/flutter_assets/a.bin: Flutter reads it itself: 1')
    expect(lines).toContain('applied resource_protection assets/a.dat: file encrypted: 1')
  })

  test('raw resources are encrypted where only code names them', async () => {
    const raw = ['pin', 'shown', 'sound', 'config'].map((key, i) => [
      i,
      { key, value: `res/raw/${key}.${['cer', 'bin', 'mp3', 'pem'][i]}` },
    ])
    const table = writeArsc({ types: [{ name: 'raw', entries: Object.fromEntries(raw) }] })
    const files = {
      'res/raw/pin.cer': PEM,
      'res/raw/shown.bin': 'x',
      'res/raw/sound.mp3': 'x',
      'res/raw/config.pem': PEM,
      'resources.arsc': table,
    }
    const reads = run('Lorg/maker/app/Raw;', (x) =>
      invokeVirtual(x.method(`Landroid/content/res/Resources;->openRawResource(I)${STREAM}`), 0, 1),
    )
    const made = {
      classes: [reads],
      files,
      xml: {
        'res/xml/network.xml': { name: 'certificates', attributes: [{ name: 'src', value: [1, 0x7f010003] as const }] },
      },
    }
    const { lines } = await harden(made)
    expect(lines.filter((line) => line.includes('res/'))).toEqual([
      'skipped resource_protection res/raw/sound.mp3: Android may show or play the resource itself: 1',
      'skipped resource_protection res/raw/config.pem: res/xml/network.xml names the resource: 1',
      'skipped cer_protection res/raw/config.pem: res/xml/network.xml names the resource: 1',
      'applied resource_protection res/raw/pin.cer: file encrypted: 1',
      'applied cer_protection res/raw/pin.cer: file encrypted: 1',
      'applied resource_protection res/raw/shown.bin: file encrypted: 1',
    ])
    const address = await harden({ ...made, classes: [reads, loads('android.resource://org.maker.app/')] })
    expect(address.lines).toContain(
      'skipped cer_protection res/raw/pin.cer: Lorg/maker/app/Texts; names resources by address: 1',
    )
  })

  test('what cannot be encrypted is listed: other content than the name says, empty, large, code, fonts, unusual names, unmatched patterns', async () => {
    const files = {
      'assets/no.pem': 'no certificate',
      'assets/short.der': Buffer.from([0x30, 0x03, 1, 2]),
      'assets/ok.der': Buffer.from([0x30, 0x03, 1, 1, 0]),
      'assets/plain.key': 'd2f1',
      'assets/empty.dat': '',
      'assets/large.dat': Buffer.alloc(8 * 2 ** 20 + 1),
      'assets/plugin.jar': 'x',
      'assets/font.dat': Buffer.from('OTTO....'),
      'assets/a\nb.dat': 'x',
      'other/c.dat': 'x',
    }
    const { lines } = await harden(
      { classes: [opens], files },
      { resources: ['assets/*.dat', 'assets/*.jar', 'other/**', 'none/**', '!absent/**'], certificates: true },
    )
    expect(lines).toEqual([
      'skipped cer_protection assets/no.pem: its content is that of no certificate or key: 1',
      'skipped cer_protection assets/short.der: its content is that of no certificate or key: 1',
      'skipped resource_protection assets/empty.dat: the file is empty: 1',
      'skipped resource_protection assets/large.dat: larger than 8 MiB: the app would hold all of it in memory: 1',
      'skipped resource_protection assets/plugin.jar: an archive or code, which the app may load itself: 1',
      'skipped resource_protection assets/a\nb.dat: its name has unusual characters: 1',
      'skipped resource_protection : only files below assets and raw resources are encrypted: 1',
      'skipped resource_protection : the pattern none/** matches no file: 1',
      'skipped resource_protection assets/font.dat: a font, which Android reads itself: 1',
      'applied cer_protection classes.dex: calls that open files redirected: 1',
      'applied cer_protection assets/ok.der: file encrypted: 1',
      'applied cer_protection assets/plain.key: file encrypted: 1',
    ])
  })

  test('without a file to encrypt the package stays as it is, and each option says so', async () => {
    const { lines, bytes, before } = await harden({ classes: [opens] }, ALL)
    expect(lines).toEqual([
      'skipped resource_protection : the pattern assets/** matches no file: 1',
      'skipped resource_protection : the pattern res/raw/** matches no file: 1',
      'skipped resource_protection : no file is chosen: 1',
      'skipped cer_protection : no certificate or key file can be encrypted: 1',
    ])
    expect(contentOf(bytes, 'classes.dex')).toEqual(contentOf(before, 'classes.dex'))
  })
})
