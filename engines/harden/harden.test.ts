import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { method } from '#tests/support/code-body.ts'
import { apkBytes, element, type MadePackage } from '#tests/support/detect-package.ts'
import { invokeVirtual, STATIC } from '#tests/support/dex-program.ts'
import { runDex } from '#tests/support/dex-run.ts'
import type { WrittenDexClass } from '#tests/support/dex-writer.ts'
import { writeElf } from '#tests/support/elf-writer.ts'
import { writeArsc } from '#tests/support/resource-writer.ts'
import { writeZip } from '#tests/support/zip-writer.ts'
import { readApk } from '../apk/read-apk.ts'
import { FormatError } from '../bytes/format-error.ts'
import { readProgram } from '../dex/read-program.ts'
import { DexModel } from '../dex-edit/dex-model.ts'
import { readDexModels } from '../dex-edit/read-dex-model.ts'
import { writeDexFiles } from '../dex-edit/write-dex.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import { readZip } from '../zip/read-zip.ts'
import { hardenApk } from './harden-apk.ts'
import type { HardenRequest } from './harden-request.ts'
import { hardenText } from './harden-texts.ts'
import { readKeepRules } from './keep-rules.ts'
import { chosenBy } from './name-pattern.ts'
import { SeededRandom } from './seeded-random.ts'
import { addTextDecoder, hideText, makeTextKey } from './text-decoder.ts'

const OFF: HardenRequest = { keep: readKeepRules(''), seed: Buffer.alloc(32, 7) }

interface Hardened {
  readonly bytes: Uint8Array
  readonly models: readonly DexModel[]
  /** `applied log_removal org.maker.app.Main: log calls removed: 3` */
  readonly lines: readonly string[]
}

async function harden(made: MadePackage | Uint8Array, request: Partial<HardenRequest>): Promise<Hardened> {
  const input = made instanceof Uint8Array ? made : apkBytes(made)
  const { pieces, lines, size } = await hardenApk(input, 'made.apk', { ...OFF, ...request })
  const bytes = new Uint8Array(Buffer.concat(pieces))
  expect(bytes.length).toBe(size)
  const zip = readZip(bytes)
  expect(zip.notes).toEqual([])
  const models = zip.entries
    .filter(({ name }) => name.endsWith('.dex'))
    .flatMap((entry) => readDexModels(entryBytes(zip, entry)))
  const texts = lines.map(
    ({ option, outcome, file, place, text, detail, count }) =>
      `${outcome} ${option} ${place || file}: ${hardenText({ text, detail }, 'en')}: ${count}`,
  )
  return { bytes, models, lines: texts }
}

const contentOf = (bytes: Uint8Array, name: string): Uint8Array => {
  const zip = readZip(bytes)
  return entryBytes(zip, zip.byName.get(name)!)
}

const refusalOf = async (run: () => Promise<unknown>): Promise<string | undefined> => {
  try {
    await run()
    return undefined
  } catch (error) {
    if (error instanceof FormatError) return `${error.format} ${error.key}`
    throw error
  }
}

const MAIN = 'Lorg/maker/app/Main;'
const main = (...methods: NonNullable<WrittenDexClass['methods']>): MadePackage => ({
  application: { name: '.Main' },
  classes: [{ name: MAIN, methods }],
})

const LOG = (level: string) => `Landroid/util/Log;->${level}(Ljava/lang/String;Ljava/lang/String;)I`
const COUNT = 'Lext/Other;->count()Ljava/lang/String;'
const USE = 'Lext/Other;->use(I)V'

describe('[HARD-02] code log removal', () => {
  test('calls of the chosen levels go, their arguments are still computed, and the number that they give becomes 0', async () => {
    const made = main(
      method('static run()V', (body) => {
        body.static(LOG('d'), 'tag', body.static(COUNT))
        body.static(USE, body.static(LOG('v'), 'tag', 'text'))
        body.static(LOG('e'), 'tag', 'stays')
      }),
    )
    const { models, lines } = await harden(made, { logLevels: ['v', 'd', 'i'] })
    expect(runDex(models, `${MAIN}->run()V`).calls).toEqual([[COUNT], [USE, 0], [LOG('e'), 'tag', 'stays']])
    expect(lines).toContain('applied log_removal org.maker.app.Main: log calls removed: 2')
  })

  test('texts that are printed go, objects that are printed and other streams stay and are named', async () => {
    const print = (type: string) => `Ljava/io/PrintStream;->println(${type})V`
    const OUT = 'Ljava/lang/System;->out:Ljava/io/PrintStream;'
    const made = main(
      method('static run()V', (body) => {
        body.virtual(print('Ljava/lang/String;'), body.field(OUT), 'gone')
        body.virtual(print('Ljava/lang/Object;'), body.field(OUT), body.static(COUNT))
        body.virtual(print('Ljava/lang/String;'), body.field('Lext/Other;->log:Ljava/io/PrintStream;'), 'kept')
      }),
      {
        name: 'plain()V',
        flags: STATIC,
        // sget-object v0, out; const/4 v1, 0; invoke-virtual {v0, v1}
        code: (n) => [0x0062, n.field(OUT), 0x0112, ...invokeVirtual(n.method(print('I')), 0, 1), 0x000e],
      },
    )
    const { models, lines } = await harden(made, { logLevels: ['println'] })
    // The helper of these tests copies arguments into other registers first, which is followed for plain ones alone.
    expect(runDex(models, `${MAIN}->plain()V`).calls).toEqual([])
    expect(runDex(models, `${MAIN}->run()V`).calls.map(([reference]) => reference)).toContain(
      print('Ljava/lang/Object;'),
    )
    expect(lines.filter((line) => line.startsWith('applied'))).toHaveLength(1)
    expect(lines.some((line) => line.includes('may be another than System.out'))).toBe(true)
  })

  test('a call that a jump leads to becomes a nop, so that the jump stays', async () => {
    const made = main({
      name: 'run()V',
      flags: STATIC,
      registers: 2,
      code: (n) => [0x0112, 0x0139, 2, 0x1071, n.method('Landroid/util/Log;->d(Ljava/lang/String;)I'), 0, 0x000e],
    })
    const { models, lines } = await harden(made, { logLevels: ['d'] })
    expect(runDex(models, `${MAIN}->run()V`)).toMatchObject({ result: undefined, calls: [] })
    expect(lines).toContain('applied log_removal org.maker.app.Main: log calls removed: 1')
  })
})

describe('[HARD-02] hidden texts', () => {
  /** Files with the decoder of a seed, as they are written. */
  const decoders = Array.from({ length: 8 }, (_, seed) => {
    const model = new DexModel('035', { bytes: new Uint8Array(), units: new Uint16Array() })
    addTextDecoder(model, 'La/b;', makeTextKey(new SeededRandom(Buffer.alloc(32, seed))))
    return readDexModels(writeDexFiles(model)[0]!)
  })
  const decode = (hidden: string, seed: number) =>
    runDex(decoders[seed]!, 'La/b;->a(Ljava/lang/String;)Ljava/lang/String;', [hidden]).result

  test('the written decoder gives back every text, whatever its characters are', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ maxLength: 60 })),
        fc.integer({ min: 1, max: 127 }),
        fc.nat(decoders.length - 1),
        (text, salt, seed) => {
          const hidden = hideText(text, makeTextKey(new SeededRandom(Buffer.alloc(32, seed))), salt)
          expect(decode(hidden, seed)).toBe(text)
        },
      ),
      { numRuns: 300 },
    )
    expect(decode(hideText('\ud800\u0000中文', makeTextKey(new SeededRandom(Buffer.alloc(32, 1))), 5), 1)).toBe(
      '\ud800\u0000中文',
    )
  })

  const made = main(
    method('static run()V', (body) => {
      body.static(LOG('e'), 'secret tag', '密钥 text')
      body.static(LOG('e'), 'secret tag', '')
    }),
  )

  test('no text of own code is left in the file, and the program does the same', async () => {
    const { models, bytes, lines } = await harden(made, { antiDecompile: true })
    const before = runDex(readDexModels(contentOf(apkBytes(made), 'classes.dex')), `${MAIN}->run()V`)
    expect(runDex(models, `${MAIN}->run()V`)).toEqual(before)
    const texts = models.flatMap(({ strings }) => strings)
    expect(texts.filter((text) => /secret|密钥/.test(text))).toEqual([])
    expect(Buffer.from(contentOf(bytes, 'classes.dex')).includes('secret')).toBe(false)
    expect(lines).toContain('applied anti_decompile org.maker.app.Main: texts hidden: 3')
    expect(readProgram([{ entry: 'classes.dex', bytes: contentOf(bytes, 'classes.dex') }]).dexes[0]!.notes).toEqual([])
  })

  test('equal seeds give equal packages, other seeds other names and other hidden texts', async () => {
    const [a, b, c] = await Promise.all(
      [1, 1, 2].map((seed) => harden(made, { antiDecompile: true, seed: Buffer.alloc(32, seed) })),
    )
    expect(Buffer.compare(a!.bytes, b!.bytes)).toBe(0)
    const own = ({ models }: Hardened) => new Set(models.flatMap(({ strings }) => strings))
    const onlyFirst = [...own(a!)].filter((text) => !own(c!).has(text))
    // The names of the classes and two hidden texts; all else are names that the program needs.
    expect(onlyFirst.filter((text) => /^L[a-z]{5}\/[a-z]{4};$/.test(text))).toHaveLength(2)
    expect(onlyFirst).toHaveLength(4)
  })

  test('values of static fields are set by the initialiser of their class, which begins with them', async () => {
    const set = (name: string, methods: WrittenDexClass['methods']): WrittenDexClass => ({
      ...{ name: `Lorg/maker/app/${name};`, methods },
      staticFields: [
        { name: 'EMPTY:Ljava/lang/String;', value: '' },
        { name: 'KEY:Ljava/lang/String;', value: 'constant' },
        { name: 'N:I', value: 5 },
      ],
    })
    const constants: MadePackage = {
      application: { name: '.Main' },
      classes: [
        { name: MAIN, methods: [] },
        set('Without', []),
        set('With', [{ ...method('static <clinit>()V', (body) => void body.static(COUNT)), flags: 0x10008 }]),
      ],
    }
    const { models, lines } = await harden(constants, { antiDecompile: true })
    expect(models[0]!.strings).not.toContain('constant')
    for (const [name, calls] of [
      ['Without', []],
      ['With', [[COUNT]]],
    ] as const) {
      const owner = `Lorg/maker/app/${name};`
      expect(runDex(models, `${owner}-><clinit>()V`)).toEqual({
        ...{ result: undefined, calls },
        fields: new Map([[`${owner}->KEY:Ljava/lang/String;`, 'constant']]),
      })
      const written = models[0]!.classes.find(({ type }) => models[0]!.descriptor(type) === owner)!
      expect(written.staticFields.map(({ value }) => value?.is)).toEqual(['row', 'null', 'number'])
      expect(lines).toContain(`applied anti_decompile org.maker.app.${name}: texts hidden: 1`)
    }
  })

  test('values of a class whose stored objects an initialiser would change stay and are named', async () => {
    const value = { name: 'KEY:Ljava/lang/String;', value: 'constant' }
    const stored: MadePackage = {
      application: { name: '.Main' },
      classes: [
        { name: MAIN, methods: [] },
        { name: 'Lorg/maker/app/Stored;', interfaces: ['Ljava/io/Serializable;'], staticFields: [value] },
        { name: 'Lorg/maker/app/Failed;', superclass: 'Ljava/lang/Exception;', staticFields: [value] },
        { name: 'Lorg/maker/app/View;', superclass: 'Landroid/view/View;', staticFields: [value] },
      ],
    }
    const { lines } = await harden(stored, { antiDecompile: true })
    const about = lines.filter((line) => /texts/.test(line) && !/:.*classes of/.test(line))
    expect(about).toEqual([
      'skipped anti_decompile org.maker.app.Stored: texts of static fields of a serializable class: 1',
      'skipped anti_decompile org.maker.app.Failed: texts of static fields of a serializable class: 1',
      'applied anti_decompile org.maker.app.View: texts hidden: 1',
    ])
  })

  test('a condition that is never true leads back to the start of longer methods, which do the same', async () => {
    const long = (name: string) =>
      method(name, (body) => {
        for (let i = 0; i < 12; i++) body.static(USE, i)
      })
    const made = main(long('static run()V'), long('static shorter()V'), { ...long('<init>()V'), flags: 0x10001 })
    const { models, lines } = await harden(made, { antiDecompile: true })
    const source = /^L[a-z]{5}\/[a-z]{4};->a:I$/
    const model = models[0]!
    const field = model.fields.map((_, row) => model.fieldReference(row)).find((reference) => source.test(reference))!
    for (const n of [0, 1, -1, 0x7fffffff, -0x80000000, 12345])
      expect(runDex(models, `${MAIN}->run()V`, [], new Map([[field, n]])).calls).toHaveLength(12)
    expect(lines).toContain('applied anti_decompile org.maker.app.Main: opaque predicates added: 2')
  })

  test('names of source files and variables go, lines stay', async () => {
    const source: MadePackage = {
      application: { name: '.Main' },
      classes: [
        {
          name: MAIN,
          sourceFile: 'Main.java',
          methods: [
            {
              name: 'run()V',
              flags: STATIC,
              code: () => [0, 0x0e],
              lines: [
                [0, 41],
                [1, 42],
              ],
            },
          ],
        },
      ],
    }
    const { bytes } = await harden(source, { antiDecompile: true })
    const program = readProgram([{ entry: 'classes.dex', bytes: contentOf(bytes, 'classes.dex') }])
    expect(program.classOf(MAIN)!.sourceFile).toBe('SourceFile')
    expect(Buffer.from(contentOf(bytes, 'classes.dex')).includes('Main.java')).toBe(false)
  })
})

describe('what is left alone', () => {
  const logs = method('static run()V', (body) => void body.static(LOG('d'), 'tag', 'text'))
  const classes = [
    { name: MAIN, methods: [logs] },
    { name: 'Lorg/maker/app/model/User;', methods: [logs] },
    { name: 'Landroidx/core/A;', methods: [logs] },
  ]
  const made: MadePackage = { application: { name: '.Main' }, classes }

  test('classes of known libraries and those that rules keep are not changed, and are counted', async () => {
    const keep = readKeepRules('# models\n-keep class org.maker.app.model.** {\n  *;\n}\n-dontwarn x\n')
    expect(keep.unread).toEqual([5])
    const { models, lines } = await harden(made, { logLevels: ['d'], keep })
    const calls = (name: string) => runDex(models, `${name}->run()V`).calls.length
    expect([MAIN, 'Lorg/maker/app/model/User;', 'Landroidx/core/A;'].map(calls)).toEqual([0, 1, 1])
    expect(lines).toContain(
      'skipped log_removal classes.dex: classes of known libraries, or kept by rules, are left as they are: 2',
    )
  })

  test.each([
    ['-keep,allowobfuscation public class a.B', 'a.B', true],
    ['-keepclassmembers class a.* { <fields>; }', 'a.B', true],
    ['-keep class a.*', 'a.b.C', false],
    ['-keep class a.**', 'a.b.C', true],
    ['-keep @a.Keep class *', 'a.B', false],
  ])('the rule %s keeps %s: %s', (rule, name, keeps) => {
    expect(readKeepRules(rule).keeps(name)).toBe(keeps)
  })

  test('a later pattern with an exclamation mark takes out what earlier ones chose', () => {
    const chosen = chosenBy(['a.**', '!a.b.*'])
    expect(['a.C', 'a.b.C', 'a.b.c.D', 'x.A'].map((name) => chosen(name))).toEqual([true, false, true, false])
  })
})

describe('[HARD-02] activity screenshot prevention', () => {
  const CREATE = 'onCreate(Landroid/os/Bundle;)V'
  const activity = (name: string, superclass: string, methods: WrittenDexClass['methods'] = []): WrittenDexClass => ({
    name: `Lorg/maker/app/${name};`,
    superclass,
    methods,
  })
  const makes = method(CREATE, (body) => {
    body.super(`Landroid/app/Activity;->${CREATE}`, body.parameter(0), body.parameter(1))
  })
  const made: MadePackage = {
    components: ['First', 'Second', 'Third', 'Missing'].map((name) => element('activity', { name: `.${name}` })),
    incomplete: true,
    classes: [
      activity('First', 'Landroid/app/Activity;', [makes]),
      activity('Base', 'Landroid/app/Activity;', [{ ...makes, flags: 0x11 }]),
      activity('Second', 'Landroid/app/Activity;'),
      activity('Third', 'Lorg/maker/app/Base;'),
    ],
  }

  test('every chosen activity sets FLAG_SECURE first, also through a method that it gets or a final one that it inherits', async () => {
    const { models, lines } = await harden(made, { screens: ['**'] })
    const flags = (name: string) =>
      runDex(models, `Lorg/maker/app/${name};->${CREATE}`, ['activity', 'state']).calls.map(([reference]) => reference)
    const guarded = ['Landroid/app/Activity;->getWindow()Landroid/view/Window;', `Landroid/app/Activity;->${CREATE}`]
    expect(flags('First')).toEqual(guarded)
    expect(flags('Second')).toEqual(guarded)
    expect(flags('Base')).toEqual(guarded)
    expect(lines.filter((line) => line.startsWith('applied'))).toEqual([
      'applied screenshot_prevention org.maker.app.First: onCreate sets FLAG_SECURE: 1',
      'applied screenshot_prevention org.maker.app.Base: onCreate sets FLAG_SECURE: 1',
      'applied screenshot_prevention org.maker.app.Second: onCreate added, which sets FLAG_SECURE: 1',
    ])
    expect(lines).toContain('skipped screenshot_prevention org.maker.app.Missing: the package has no such class: 1')
    const third = models[0]!.classes.find(({ type }) => models[0]!.descriptor(type).endsWith('/Third;'))!
    expect(third.virtualMethods).toEqual([])
  })

  test('patterns choose; without an activity nothing changes and the report says so', async () => {
    const { lines } = await harden(made, { screens: ['org.maker.app.F*'] })
    expect(lines.filter((line) => line.startsWith('applied'))).toHaveLength(1)
    const none = await harden(made, { screens: ['x.*'] })
    expect(none.lines).toContain('skipped screenshot_prevention AndroidManifest.xml: no activity is chosen: 1')
  })
})

describe('[HARD-02] manifest protection and anti-hijack', () => {
  test('debugging, backup and clear text are switched off; what is exported without need is reported and stays', async () => {
    const made: MadePackage = {
      application: { debuggable: true, allowBackup: true },
      components: [element('service', { name: '.S', exported: true })],
      classes: [],
    }
    const { bytes, lines } = await harden(made, { manifest: true })
    const { facts } = readApk(bytes)
    expect([facts.debuggable, facts.allowBackup, facts.usesCleartextTraffic].map((fact) => fact?.value)).toEqual([
      false,
      false,
      false,
    ])
    expect(facts.components[0]!.exported).toBe(true)
    expect(lines.filter((line) => line.startsWith('applied'))).toHaveLength(3)
    expect(lines.some((line) => /^skipped manifest_protection org.maker.app.S: service is exported/.test(line))).toBe(
      true,
    )
    const again = await harden(bytes, { manifest: true })
    expect(again.lines.filter((line) => line.startsWith('applied'))).toEqual([])
    expect(Buffer.compare(contentOf(again.bytes, 'AndroidManifest.xml'), contentOf(bytes, 'AndroidManifest.xml'))).toBe(
      0,
    )
  })

  test('an app that asks for clear text gets none, and the report says what fails; with a network security configuration the attribute stays', async () => {
    const asks: MadePackage = { application: { usesCleartextTraffic: true }, classes: [] }
    const { bytes, lines } = await harden(asks, { manifest: true })
    expect(readApk(bytes).facts.usesCleartextTraffic?.value).toBe(false)
    expect(lines).toContain(
      'applied manifest_protection application usesCleartextTraffic: set to false: the app asked for true, its http addresses fail: 1',
    )
    const configured = {
      application: { usesCleartextTraffic: true, networkSecurityConfig: 'res/xml/nsc.xml' },
      classes: [],
    }
    const stays = await harden(configured, { manifest: true })
    expect(readApk(stays.bytes).facts.usesCleartextTraffic?.value).toBe(true)
    expect(stays.lines.filter((line) => line.includes('usesCleartextTraffic'))).toEqual([
      'skipped manifest_protection application usesCleartextTraffic: a network security configuration decides about it: 1',
    ])
    const plain = await harden({ application: {}, classes: [] }, { manifest: true })
    expect(plain.lines).toContain('applied manifest_protection application usesCleartextTraffic: set to false: 1')
  })

  test('activities join no task of others, unless the package groups them itself', async () => {
    const free = await harden(
      { components: [element('activity', { name: '.A', allowTaskReparenting: true })], classes: [] },
      { antiHijack: true },
    )
    expect(free.lines.filter((line) => line.startsWith('applied'))).toHaveLength(2)
    const grouped = await harden(
      { components: [element('activity', { name: '.A', taskAffinity: 'x' })], classes: [] },
      { antiHijack: true },
    )
    expect(grouped.lines.filter((line) => line.startsWith('applied'))).toEqual([])
  })
})

describe('files of the package', () => {
  test('resource files get names without meaning, and the table names them so', async () => {
    const made: MadePackage = {
      classes: [],
      files: {
        'resources.arsc': writeArsc({
          types: [{ name: 'drawable', entries: { 0: { key: 'icon', value: 'res/drawable/secret_icon.png' } } }],
        }),
        'res/drawable/secret_icon.png': 'icon',
        'res/raw/unnamed.bin': 'kept',
      },
    }
    const { bytes, lines } = await harden(made, { antiDecompile: true })
    const names = readZip(bytes).entries.map(({ name }) => name)
    expect(names).toContain('res/raw/unnamed.bin')
    const renamed = names.find((name) => /^res\/[0-9a-z]+\.png$/.test(name))!
    expect(Buffer.from(contentOf(bytes, renamed)).toString()).toBe('icon')
    const { resources } = readApk(bytes)
    expect([...resources!.all()].map(({ value }) => value?.text)).toEqual([renamed])
    expect(lines).toContain('applied anti_decompile resources.arsc: resource files renamed: 1')
  })

  test('libraries of others stay byte by byte; own ones lose what no loader maps, or stay with the reason', async () => {
    const library = Buffer.alloc(5000, 3)
    const names = ['libx.so', 'libflutter.so', 'libpush_1.so', 'libplain.so']
    const made: MadePackage = {
      classes: [],
      files: {
        ...Object.fromEntries(names.map((name) => [`lib/arm64-v8a/${name}`, library])),
        'lib/arm64-v8a/libplain.so': writeElf({ sections: { '.text': new Uint8Array(8) } }),
      },
    }
    const { bytes, lines } = await harden(made, { thirdPartySoBan: ['libpush*.so'], soProtection: true })
    for (const name of names.slice(0, 3))
      expect(Buffer.compare(contentOf(bytes, `lib/arm64-v8a/${name}`), library)).toBe(0)
    expect([...lines].sort()).toEqual([
      'applied third_party_so_ban lib/arm64-v8a/libflutter.so: stays: Flutter: 1',
      'applied third_party_so_ban lib/arm64-v8a/libpush_1.so: stays: named by the policy: 1',
      'skipped so_protection lib/arm64-v8a/libplain.so: has no symbols or debug information: 1',
      expect.stringMatching(/^skipped so_protection lib\/arm64-v8a\/libx.so: cannot be trimmed: /),
    ])
    const none = await harden({ classes: [] }, { thirdPartySoBan: [], soProtection: true })
    expect(none.lines.every((line) => line.startsWith('skipped'))).toBe(true)
    expect(none.lines).toHaveLength(2)
  })

  test('scripts are protected by the function that the caller gives', async () => {
    const made: MadePackage = { classes: [], files: { 'assets/www/a.js': 'var a = 1', 'assets/b.txt': 'b' } }
    const { bytes, lines } = await harden(made, {
      zipCheck: true,
      protectScript: async (_, path) => ({
        ...{ code: `/* ${path} */`, map: null, strength: 'low', tokens: 1, warnings: [], leftOut: [] },
      }),
    })
    expect(Buffer.from(contentOf(bytes, 'assets/www/a.js')).toString()).toBe('/* assets/www/a.js */')
    expect(lines).toContain('applied js_protection assets/www/a.js: protected, strength low: 1')
  })
})

test('of the signature that the package had nothing is left, also no file of it', async () => {
  const signature = ['META-INF/MANIFEST.MF', 'META-INF/CERT.SF', 'META-INF/CERT.RSA', 'stamp-cert-sha256']
  const files = Object.fromEntries([...signature, 'META-INF/services/a.B'].map((name) => [name, 'x']))
  const { bytes } = await harden({ classes: [], files }, { zipCheck: true })
  const { entries, signingBlock } = readZip(bytes)
  expect(entries.map(({ name }) => name).sort()).toEqual([
    'AndroidManifest.xml',
    'META-INF/services/a.B',
    'classes.dex',
  ])
  expect(signingBlock).toBeUndefined()
})

describe('packages that are refused', () => {
  test('with a reason: other kinds, splits, packed ones, odd archives, and those that take too long', async () => {
    const run = (input: Uint8Array, request: Partial<HardenRequest> = {}, name = 'a.apk') =>
      refusalOf(() => hardenApk(input, name, { ...OFF, logLevels: ['d'], ...request }))
    const good = apkBytes(main())
    expect(await run(good)).toBeUndefined()
    expect(await run(good, { isLate: () => true })).toBe('harden time')
    expect(await run(apkBytes({ manifest: { split: 'x' }, classes: [] }))).toBe('harden split')
    expect(await run(writeZip([{ name: 'a/B.class', data: 'x' }]), {}, 'a.jar')).toBe('harden kind')
    const packed = apkBytes({
      application: { name: 'com.stub.StubApp' },
      classes: [{ name: 'Lcom/stub/StubApp;', methods: [] }],
      files: { 'assets/libjiagu.so': 'x', 'lib/arm64-v8a/libjiagu.so': 'x' },
    })
    expect(await run(packed)).toBe('harden packed')
    const twice = writeZip([
      ...readZip(good).entries.map((entry) => ({ name: entry.name, data: entryBytes(readZip(good), entry) })),
      { name: 'AndroidManifest.xml', data: 'x' },
    ])
    expect(await run(twice)).toBe('signing archive')
  })

  test('a dex file that Android would refuse', async () => {
    const input = apkBytes({ classes: [], files: { 'classes.dex': 'dex\n035\0' } })
    expect(await refusalOf(() => hardenApk(input, 'a.apk', { ...OFF, logLevels: ['d'] }))).toBeDefined()
  })
})
