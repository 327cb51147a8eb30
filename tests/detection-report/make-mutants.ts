import { gzipSync } from 'node:zlib'
import { Random } from '#tests/fuzz/mutate-input.ts'
import { buildApk, schemeBlock, withV1 } from '#tests/support/apk/signed-apk.ts'
import { makeSigner } from '#tests/support/apk/signer.ts'
import { method } from '#tests/support/code-body.ts'
import { element } from '#tests/support/detect-package.ts'
import { type WrittenDexClass, writeDex } from '#tests/support/dex-writer.ts'
import { writeElf } from '#tests/support/elf-writer.ts'
import { type WrittenElement, writeAxml } from '#tests/support/resource-writer.ts'
import { type WrittenArchive, type WrittenEntry, writeZip } from '#tests/support/zip-writer.ts'

export const MUTANT_SEED = 20_261_123

/** A package made to hide a fact, and the items of which one must fail (or say that it was not assessed). */
export interface Mutant {
  readonly kind: string
  readonly name: string
  readonly items: readonly string[]
  /** Whether the gate asks for a signature: of mutants whose planted fact is one. */
  readonly signed: boolean
  bytes(): Uint8Array
}

type Files = ReadonlyMap<string, Uint8Array>
type Make = (random: Random, at: number) => Omit<Mutant, 'kind' | 'signed' | 'name'>

const ECB = ['android-crypto-ecb']
const DEBUGGABLE = ['android-debuggable']
const ID = 'org.maker.app'
const activity = (name: string, ...more: WrittenElement[]) => element('activity', { name, exported: false }, ...more)

const plain = (name: string, superclass = 'Landroid/app/Activity;'): WrittenDexClass => ({
  name: `L${name.replaceAll('.', '/')};`,
  superclass,
  methods: [method('run(I)V'), method('name()Ljava/lang/String;', (body) => body.result(name))],
})

/** A class whose method encrypts with AES in ECB mode: the planted fact of most mutants. */
const weak = (name = `${ID}.Vault`): WrittenDexClass => ({
  name: `L${name.replaceAll('.', '/')};`,
  superclass: 'Landroid/app/Service;',
  methods: [
    method(
      'lock()V',
      (body) =>
        void body.static(
          'Ljavax/crypto/Cipher;->getInstance(Ljava/lang/String;)Ljavax/crypto/Cipher;',
          'AES/ECB/PKCS5Padding',
        ),
    ),
  ],
})

const LOADERS: readonly ((body: Parameters<NonNullable<Parameters<typeof method>[1]>>[0]) => void)[] = [
  (body) => void body.make('Ldalvik/system/DexClassLoader;'),
  (body) => void body.make('Ldalvik/system/InMemoryDexClassLoader;'),
  (body) =>
    void body.static('Ldalvik/system/DexFile;->loadDex(Ljava/lang/String;Ljava/lang/String;I)Ldalvik/system/DexFile;'),
  (body) => {
    const loader = body.static(
      'Ljava/lang/Class;->forName(Ljava/lang/String;)Ljava/lang/Class;',
      'dalvik.system.DexClassLoader',
    )
    body.virtual('Ljava/lang/reflect/Method;->invoke(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;', loader)
  },
  (body) => {
    const half = body.virtual(
      'Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;',
      'dalvik.sys',
      'tem.DexCl',
    )
    body.static('Ljava/lang/Class;->forName(Ljava/lang/String;)Ljava/lang/Class;', half)
    body.virtual('Ljava/lang/reflect/Constructor;->newInstance([Ljava/lang/Object;)Ljava/lang/Object;', half)
  },
  (body) => {
    body.static('Ljava/lang/System;->load(Ljava/lang/String;)V', '/data/data/x/files/a.so')
    body.virtual('Ljava/lang/reflect/Method;->invoke(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;', null)
  },
]
const loaderClass = (how: number, name = `${ID}.App`): WrittenDexClass => ({
  name: `L${name.replaceAll('.', '/')};`,
  superclass: 'Landroid/app/Application;',
  methods: [method('attachBaseContext(Landroid/content/Context;)V', LOADERS[how % LOADERS.length]!)],
})

interface Made {
  readonly components?: readonly WrittenElement[]
  readonly application?: Record<string, string | number | boolean>
  readonly dexes?: readonly (readonly WrittenDexClass[])[]
  readonly files?: Readonly<Record<string, Uint8Array>>
}

const FILLERS = Array.from({ length: 24 }, (_, at) => plain(`${ID}.Part${at}`))
const MAIN = activity(
  '.Main',
  element(
    'intent-filter',
    {},
    element('action', { name: 'android.intent.action.MAIN' }),
    element('category', { name: 'android.intent.category.LAUNCHER' }),
  ),
)

const manifestOf = ({ components = [], application = {} }: Made) =>
  writeAxml(
    element(
      'manifest',
      { package: ID },
      element('uses-sdk', { minSdkVersion: 29, targetSdkVersion: 35 }),
      element('application', { allowBackup: false, ...application }, MAIN, ...components),
    ),
  )

/** The files of a sound small application; `dexes` come beside its own classes, in further dex files from the second list on. */
function filesOf(made: Made = {}): Files {
  const [first = [], ...others] = made.dexes ?? []
  const own = [plain(`${ID}.Main`), ...FILLERS]
  return new Map<string, Uint8Array>([
    ['AndroidManifest.xml', manifestOf(made)],
    ['classes.dex', writeDex([...own, ...first])],
    ...others.map((classes, at) => [`classes${at + 2}.dex`, writeDex(classes)] as const),
    ...Object.entries(made.files ?? {}),
  ])
}

const zipOf = (files: Files, archive: WrittenArchive = {}): Uint8Array =>
  writeZip(
    [...files].map(([name, data]) => ({ name, data })),
    archive,
  )

const VAULT = element('service', { name: '.Vault', exported: false })
/** The sound application with the planted class, declared as a service. */
const planted = (): Files => filesOf({ components: [VAULT], dexes: [[weak()]] })
/** What is hidden: a dex file of the planted class and others. */
const hiddenDex = () =>
  writeDex([weak('com.other.Vault'), ...Array.from({ length: 30 }, (_, at) => plain(`com.other.P${at}`))])

function noise(random: Random, length: number): Uint8Array {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at + 4 <= length; at += 4) bytes.writeUInt32LE(random.below(2 ** 32), at)
  return bytes
}

const xored = (bytes: Uint8Array, key: readonly number[]) => bytes.map((byte, at) => byte ^ key[at % key.length]!)
const keyOf = (random: Random, length: number) => Array.from({ length }, () => 1 + random.below(255))

const changed = (files: Files, name: string, change: (bytes: Buffer) => Uint8Array): Files =>
  new Map([...files].map(([entry, data]) => [entry, entry === name ? change(Buffer.from(data)) : data]))
const without = (files: Files, ...names: string[]): Files =>
  new Map([...files].filter(([name]) => !names.includes(name)))

/** Tables of a dex header: where count and offset lie, and the bytes of one row. */
const TABLES = [
  [0x38, 4],
  [0x40, 4],
  [0x48, 12],
  [0x50, 8],
  [0x58, 8],
  [0x60, 32],
] as const

function damageTable(random: Random, at: number) {
  return (dex: Buffer): Uint8Array => {
    const [header, width] = TABLES[at % TABLES.length]!
    const count = dex.readUInt32LE(header)
    const offset = dex.readUInt32LE(header + 4)
    switch (Math.floor(at / TABLES.length) % 3) {
      case 0: {
        const rows = Math.max(1, Math.floor(count / 2))
        dex.fill(0xfe, offset + (count - rows) * width, offset + count * width)
        return dex
      }
      case 1:
        dex.writeUInt32LE(dex.length + random.below(2 ** 30), header + 4)
        return dex
      default:
        dex.writeUInt32LE(0x7fffffff - random.below(1000), header)
        return dex
    }
  }
}

/** How a payload is put into a file: `hide` gives name and bytes. */
const HIDINGS: readonly (readonly [
  how: string,
  hide: (random: Random, dex: Uint8Array) => readonly [string, Uint8Array],
])[] = [
  ['plain, named .dat', (_, dex) => ['assets/a.dat', dex]],
  ['plain, named .png', (_, dex) => ['assets/logo.png', dex]],
  ['plain, without a name', (_, dex) => ['assets/x', dex]],
  ['plain, in res/raw', (_, dex) => ['res/raw/song.mp3', dex]],
  ['plain, in res/drawable', (_, dex) => ['res/drawable/icon.png', dex]],
  ['plain, as a library', (_, dex) => ['lib/arm64-v8a/libcore.so', dex]],
  ['plain, in META-INF', (_, dex) => ['META-INF/services.bin', dex]],
  ['plain, behind a number', (_, dex) => ['classes9.dex', dex]],
  ['plain, with other letters', (_, dex) => ['Classes2.DEX', dex]],
  ['plain, in a folder', (_, dex) => ['assets/dex/classes.dex', dex]],
  ['a package, in assets', (_, dex) => ['assets/p.bin', writeZip([{ name: 'classes.dex', data: dex }])]],
  [
    'a package with a manifest',
    (_, dex) => [
      'assets/child.apk',
      writeZip([
        { name: 'AndroidManifest.xml', data: manifestOf({}) },
        { name: 'classes.dex', data: dex },
      ]),
    ],
  ],
  ['a package, at the top', (_, dex) => ['plugin.apk', writeZip([{ name: 'classes.dex', data: dex }])]],
  [
    'a package in a package',
    (_, dex) => ['assets/p.jar', writeZip([{ name: 'i.zip', data: writeZip([{ name: 'classes.dex', data: dex }]) }])],
  ],
  ['a package, stored', (_, dex) => ['assets/s.bin', writeZip([{ name: 'classes.dex', data: dex, deflate: false }])]],
  ['base64', (_, dex) => ['assets/t.txt', Buffer.from(Buffer.from(dex).toString('base64'))]],
  [
    'base64 in lines',
    (_, dex) => ['assets/l.txt', Buffer.from(Buffer.from(dex).toString('base64').replace(/.{76}/g, '$&\n'))],
  ],
  ['hexadecimal', (_, dex) => ['assets/h.txt', Buffer.from(Buffer.from(dex).toString('hex'))]],
  ['gzip', (_, dex) => ['assets/g.gz', gzipSync(dex)]],
  ['gzip under another name', (_, dex) => ['assets/g.dat', gzipSync(dex)]],
  ['behind 16 bytes', (random, dex) => ['assets/o.bin', Buffer.concat([noise(random, 16), dex])]],
  [
    'behind a picture',
    (random, dex) => [
      'assets/photo.png',
      Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), noise(random, 400), dex]),
    ],
  ],
  ['backwards', (_, dex) => ['assets/r.bin', Buffer.from(dex).reverse()]],
  ...[1, 2, 4, 7, 8, 16, 32].map(
    (length) =>
      [
        `XOR with ${length} bytes`,
        (random: Random, dex: Uint8Array) => ['assets/k.bin', xored(dex, keyOf(random, length))] as const,
      ] as const,
  ),
  [
    'XOR of a package',
    (random, dex) => ['assets/kp.bin', xored(writeZip([{ name: 'classes.dex', data: dex }]), keyOf(random, 1))],
  ],
  [
    'XOR of a package, 5 bytes',
    (random, dex) => ['assets/k5.bin', xored(writeZip([{ name: 'classes.dex', data: dex }]), keyOf(random, 5))],
  ],
  [
    'each byte plus a number',
    (random, dex) => {
      const step = 1 + random.below(254)
      return ['assets/add.bin', dex.map((byte) => (byte + step) & 255)]
    },
  ],
  ['XOR with a growing number', (_, dex) => ['assets/grow.bin', dex.map((byte, at) => byte ^ (at & 255))]],
]

/** How a packer's payload of that size lies in a package. */
const PAYLOADS: readonly (readonly [how: string, put: (random: Random, size: number) => Record<string, Uint8Array>])[] =
  [
    ['one file', (random, size) => ({ 'assets/data.bin': noise(random, size) })],
    ['a file named .png', (random, size) => ({ 'assets/a.png': noise(random, size) })],
    [
      'a file named .mp3 that begins as one',
      (random, size) => ({ 'assets/a.mp3': Buffer.concat([Buffer.from('ID3'), noise(random, size)]) }),
    ],
    [
      'a file that begins as a picture',
      (random, size) => ({
        'assets/a.jpg': Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), noise(random, size)]),
      }),
    ],
    [
      'many small files',
      (random, size) =>
        Object.fromEntries(
          Array.from({ length: Math.ceil(size / 40_000) }, (_, at) => [`assets/p/${at}`, noise(random, 40_000)]),
        ),
    ],
    [
      'base64 text',
      (random, size) => ({ 'assets/b.txt': Buffer.from(Buffer.from(noise(random, size)).toString('base64')) }),
    ],
    [
      'hexadecimal text',
      (random, size) => ({ 'assets/h.txt': Buffer.from(Buffer.from(noise(random, size)).toString('hex')) }),
    ],
    ['res/raw', (random, size) => ({ 'res/raw/a': noise(random, size) })],
    ['a library that is none', (random, size) => ({ 'lib/arm64-v8a/libz1.so': noise(random, size) })],
    [
      'behind a library',
      (random, size) => ({ 'lib/arm64-v8a/libz2.so': Buffer.concat([writeElf(), noise(random, size)]) }),
    ],
    ['META-INF', (random, size) => ({ 'META-INF/a.bin': noise(random, size) })],
    ['gzip of a file', (random, size) => ({ 'assets/c.gz': gzipSync(noise(random, size)) })],
  ]
const PAYLOAD_SIZES = [60_000, 400_000, 1_500_000]

const DECLARED = ['.Home', '.Login', '.Pay', '.Push'].map((name) => activity(name))

const signer = makeSigner('maker')
const signedFiles = () => Object.fromEntries([...filesOf(), ['assets/notes.txt', Buffer.from('notes '.repeat(400))]])
const v1 = () => buildApk(withV1(signedFiles(), signer))
const v2 = () => buildApk(signedFiles(), [schemeBlock(0x7109871a, { signer })])
const v3 = () =>
  buildApk(withV1(signedFiles(), signer), [
    schemeBlock(0x7109871a, { signer }),
    schemeBlock(0xf05368c0, { signer, sdk: [28, 0x7fffffff] }),
  ])
const SIGNATURE = ['android-signature-broken', 'android-signature-missing']

function flipped(apk: Buffer, random: Random): Buffer {
  const directory = apk.readUInt32LE(apk.length - 6)
  // In the data of the package: compressed content, a header's unused field and the signing block alike.
  const at = 40 + random.below(directory - 40)
  apk[at]! ^= 1 << random.below(8)
  return apk
}

type Trick = (files: Files, random: Random) => Uint8Array
const entriesOf = (files: Files, change: (entry: WrittenEntry) => WrittenEntry): WrittenEntry[] =>
  [...files].map(([name, data]) => change({ name, data }))
const onDex = (more: (entry: WrittenEntry) => Partial<WrittenEntry>) => (files: Files) =>
  writeZip(entriesOf(files, (entry) => (entry.name === 'classes.dex' ? { ...entry, ...more(entry) } : entry)))
const cleanDex = () => writeDex([plain(`${ID}.Main`), plain(`${ID}.Vault`), ...FILLERS])

const ZIP_TRICKS: readonly (readonly [name: string, trick: Trick])[] = [
  [
    'two entries of one name, the planted one last',
    (files) => writeZip([{ name: 'classes.dex', data: cleanDex() }, ...entriesOf(files, (one) => one)]),
  ],
  [
    'two entries of one name, the planted one first',
    (files) => writeZip([...entriesOf(files, (one) => one), { name: 'classes.dex', data: cleanDex() }]),
  ],
  [
    'two manifests',
    (files) => writeZip([...entriesOf(files, (one) => one), { name: 'AndroidManifest.xml', data: manifestOf({}) }]),
  ],
  [
    'marked as encrypted',
    (files) => writeZip(entriesOf(files, (one) => ({ ...one, central: { flags: 1 }, local: { flags: 1 } }))),
  ],
  [
    'marked as encrypted in the directory alone',
    (files) => writeZip(entriesOf(files, (one) => ({ ...one, central: { flags: 1 } }))),
  ],
  [
    'sizes behind the data',
    (files) =>
      writeZip(
        entriesOf(files, (one) => ({
          ...one,
          central: { flags: 8 },
          local: { flags: 8, crc32: 0, compressedSize: 0, size: 0 },
        })),
      ),
  ],
  ['a wrong checksum', onDex(() => ({ central: { crc32: 1 }, local: { crc32: 1 } }))],
  ['a size that is too small', onDex(({ data }) => ({ central: { size: Math.floor(data.length / 3) } }))],
  ['a size that is too large', onDex(({ data }) => ({ central: { size: data.length + 5000 } }))],
  ['a packed size of 0', onDex(() => ({ central: { compressedSize: 0 } }))],
  ['a packed size beyond the end', onDex(() => ({ central: { compressedSize: 0x7ffffff0 } }))],
  [
    'an unknown method over stored data',
    onDex(() => ({ deflate: false, central: { method: 0x4321 }, local: { method: 0x4321 } })),
  ],
  ['an unknown method over packed data', onDex(() => ({ central: { method: 99 } }))],
  ['stored, called packed', onDex(() => ({ deflate: false, central: { method: 8 } }))],
  ['packed, called stored', onDex(() => ({ central: { method: 0 } }))],
  ['another name in the local header', onDex(() => ({ local: { name: 'classes.xxx' } }))],
  ['no local header', onDex(() => ({ central: { localOffset: 0x7ffffff0 } }))],
  ['a name with a slash before it', onDex(() => ({ name: '/classes.dex' }))],
  ['a name with a dot before it', onDex(() => ({ name: './classes.dex' }))],
  ['a name with a NUL', onDex(() => ({ name: Buffer.from('classes.dex\0.png') }))],
  ['a name in capitals', onDex(() => ({ name: 'CLASSES.DEX' }))],
  ['a name with a Cyrillic letter', onDex(() => ({ name: 'сlasses.dex' }))],
  ['a name with a trailing slash', onDex(() => ({ name: 'classes.dex/' }))],
  ['more entries counted than there are', (files) => zipOf(files, { entryCount: 60_000 })],
  ['fewer entries counted than there are', (files) => zipOf(files, { entryCount: 1 })],
  ['a directory size of 0', (files) => zipOf(files, { directorySize: 0 })],
  ['a directory at another offset', (files) => zipOf(files, { directoryOffset: 10 })],
  ['bytes before the archive', (files, random) => zipOf(files, { prefix: noise(random, 5000) })],
  ['bytes after the archive', (files, random) => zipOf(files, { suffix: noise(random, 5000) })],
  [
    'a comment that holds an end record',
    (files) => zipOf(files, { comment: Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18)]) }),
  ],
  [
    'a clean archive inside of the comment',
    (files) => zipOf(files, { comment: Buffer.from(zipOf(filesOf())).subarray(0, 60_000) }),
  ],
  [
    'a dex file inside of the comment',
    (_, random) => zipOf(loaderApp(random.below(4)), { comment: Buffer.from(hiddenDex()) }),
  ],
  [
    'a dex file between entries and directory',
    (_, random) => zipOf(loaderApp(random.below(4)), { beforeDirectory: hiddenDex() }),
  ],
  ['a dex file before the archive', (_, random) => zipOf(loaderApp(random.below(4)), { prefix: hiddenDex() })],
  ['a dex file after the archive', (_, random) => zipOf(loaderApp(random.below(4)), { suffix: hiddenDex() })],
]

const loaderApp = (how: number, files: Record<string, Uint8Array> = {}): Files =>
  filesOf({ application: { name: '.App' }, dexes: [[loaderClass(how)]], files })

const CLASS_NAMES = [
  'a',
  '\u202e',
  'if',
  'Kласс',
  '数据',
  ' ',
  '-',
  '$',
  'a'.repeat(3000),
  '\u0000x',
  '[',
  '\ud800',
  'a.b',
  '\u200b',
  'III',
  '😀',
]

/** Manifests that differ from what tools expect, with a planted attribute. */
const MANIFESTS: readonly (readonly [name: string, make: (random: Random) => Uint8Array])[] = [
  ['attributes without names', () => renamedAttribute('debuggable', '')],
  ['attributes with other names', () => renamedAttribute('debuggable', 'theme')],
  [
    'unknown chunks',
    () => writeAxml(debuggable(), { junk: Buffer.from([0x77, 0x66, 8, 0, 16, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]) }),
  ],
  ['larger attributes', () => writeAxml(debuggable(), { attributeSize: 28 })],
  ['no ends of elements', () => writeAxml(debuggable(), { withoutEnds: true })],
  ['another type of document', () => writeAxml(debuggable(), { type: 0 })],
  ['strings in UTF-16', () => writeAxml(debuggable(), { utf8: false })],
  ['more strings counted', () => writeAxml(debuggable(), { count: 0xffff })],
  [
    'text instead of binary',
    () =>
      Buffer.from(
        `<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="${ID}"><application android:debuggable="true"><activity android:name=".Main"/></application></manifest>`,
      ),
  ],
  [
    'two applications',
    () => writeAxml({ ...debuggable(), children: [...debuggable().children!, element('application', {})] }),
  ],
  ['a number other than -1', () => writeAxml(withValue([0x12, 1]))],
  ['a number in hexadecimal', () => writeAxml(withValue([0x11, 0xffffffff]))],
  ['the word true', () => writeAxml(withValue('true'))],
  ['a resource that is missing', () => writeAxml(withValue([0x01, 0x7f010000]))],
  ['cut', (random) => Buffer.from(writeAxml(debuggable())).subarray(0, 200 + random.below(150))],
]

const debuggable = (): WrittenElement => withValue([0x12, 0xffffffff])
const withValue = (value: string | readonly [number, number]): WrittenElement =>
  element('manifest', { package: ID }, element('uses-sdk', { minSdkVersion: 29, targetSdkVersion: 35 }), {
    name: 'application',
    attributes: [{ name: 'debuggable', id: 0x0101000f, value } as NonNullable<WrittenElement['attributes']>[number]],
    children: [MAIN],
  })

/** The name of the attribute in the string pool replaced: its resource id says what it is. */
function renamedAttribute(from: string, to: string): Uint8Array {
  const root = debuggable()
  const rename = (one: WrittenElement): WrittenElement => ({
    ...one,
    attributes: (one.attributes ?? []).map((attribute) =>
      attribute.name === from ? { ...attribute, name: to } : attribute,
    ),
    children: (one.children ?? []).map(rename),
  })
  return writeAxml(rename(root))
}

/** Every kind of mutant: how many there are, and how the n-th is made. */
const KINDS: Readonly<
  Record<string, readonly [count: number, signed: boolean, make: Make, nameOf?: (at: number) => string]>
> = {
  'dex file cut': [
    12,
    false,
    (random) => ({
      items: ECB,
      bytes: () =>
        zipOf(
          changed(planted(), 'classes.dex', (dex) =>
            dex.subarray(0, Math.floor((dex.length * (15 + random.below(80))) / 100)),
          ),
        ),
    }),
  ],
  'dex tables damaged': [
    18,
    false,
    (random, at) => ({ items: ECB, bytes: () => zipOf(changed(planted(), 'classes.dex', damageTable(random, at))) }),
  ],
  'dex header damaged': [
    10,
    false,
    (random, at) => ({
      items: ECB,
      bytes: () =>
        zipOf(
          changed(planted(), 'classes.dex', (dex) => {
            const field = [0, 4, 0x20, 0x24, 0x28, 0x34, 0x3c, 0x64, 0x6c, 7][at]!
            dex.writeUInt32LE((dex.readUInt32LE(field) ^ (1 + random.below(2 ** 31))) >>> 0, field)
            return dex
          }),
        ),
    }),
  ],
  'dex file dropped': [
    6,
    false,
    (_, at) => ({
      items: ECB,
      bytes: () => {
        const files = filesOf({
          components: [VAULT, ...DECLARED],
          dexes: [[], [weak(), plain(`${ID}.Home`)], [plain(`${ID}.Login`), plain(`${ID}.Pay`), plain(`${ID}.Push`)]],
        })
        const names = [
          ['classes.dex'],
          ['classes2.dex'],
          ['classes.dex', 'classes2.dex'],
          ['classes2.dex', 'classes3.dex'],
          ['classes.dex', 'classes3.dex'],
          ['classes.dex', 'classes2.dex', 'classes3.dex'],
        ]
        return zipOf(without(files, ...names[at]!))
      },
    }),
  ],
  'main dex file without classes': [
    6,
    false,
    (_, at) => ({
      items: ECB,
      bytes: () => {
        const rest = [plain(`${ID}.Main`), weak(), ...FILLERS]
        const dexes = [
          [],
          ...(at % 3 === 0 ? [rest] : at % 3 === 1 ? [[], rest] : [rest.slice(0, 9), [], rest.slice(9), []]),
        ]
        const first = at < 3 ? writeDex([]) : writeDex([plain('x.Empty')])
        return zipOf(
          new Map([
            ['AndroidManifest.xml', manifestOf({ components: [VAULT] })],
            ['classes.dex', first],
            ...dexes.slice(1).map((classes, n) => [`classes${n + 2}.dex`, writeDex(classes)] as const),
          ]),
        )
      },
    }),
  ],
  'components of the manifest renamed': [
    8,
    false,
    (random, at) => ({
      items: ECB,
      bytes: () => {
        const names = Array.from({ length: 2 + at }, () => `com.gone.C${random.below(1e6)}`)
        return zipOf(
          filesOf({
            components: [...names.map((name) => activity(name)), ...(at % 2 ? [VAULT] : [])],
            dexes: [[weak()]],
          }),
        )
      },
    }),
  ],
  'class names that tools refuse': [
    CLASS_NAMES.length,
    false,
    (_, at) => ({ items: ECB, bytes: () => zipOf(filesOf({ dexes: [[weak(`${ID}.${CLASS_NAMES[at]}`)]] })) }),
    (at) => JSON.stringify(CLASS_NAMES[at]!.slice(0, 12)),
  ],
  'ZIP tricks': [
    ZIP_TRICKS.length,
    false,
    (random, at) => ({ items: ECB, bytes: () => ZIP_TRICKS[at]![1](planted(), random) }),
    (at) => ZIP_TRICKS[at]![0],
  ],
  'dex file in another file, loader by name': [
    HIDINGS.length,
    false,
    (random, at) => ({
      items: [...ECB, 'android-dynamic-dex-loading', 'android-external-code-load'],
      bytes: () => {
        const [name, bytes] = HIDINGS[at]![1](random, hiddenDex())
        return zipOf(loaderApp(at % 3, { [name]: bytes }))
      },
    }),
    (at) => HIDINGS[at]![0],
  ],
  'dex file in another file, loader by reflection': [
    HIDINGS.length,
    false,
    (random, at) => ({
      items: [...ECB, 'android-dynamic-dex-loading', 'android-external-code-load'],
      bytes: () => {
        const [name, bytes] = HIDINGS[at]![1](random, hiddenDex())
        return zipOf(loaderApp(3 + (at % 3), { [name]: bytes }))
      },
    }),
    (at) => HIDINGS[at]![0],
  ],
  'look-alike of a packer: most classes missing': [
    PAYLOADS.length * PAYLOAD_SIZES.length,
    false,
    (random, at) => ({
      items: ['android-dynamic-dex-loading'],
      bytes: () => {
        const put = PAYLOADS[at % PAYLOADS.length]![1]
        const size = PAYLOAD_SIZES[Math.floor(at / PAYLOADS.length)]!
        return zipOf(
          new Map([
            ['AndroidManifest.xml', manifestOf({ application: { name: '.App' }, components: DECLARED })],
            ['classes.dex', writeDex([loaderClass(at + Math.floor(at / PAYLOADS.length)), plain(`${ID}.Helper`)])],
            ...Object.entries(put(random, size)),
          ]),
        )
      },
    }),
    (at) => `${PAYLOADS[at % PAYLOADS.length]![0]}, ${PAYLOAD_SIZES[Math.floor(at / PAYLOADS.length)]} bytes`,
  ],
  'look-alike of a packer: classes are stubs': [
    PAYLOADS.length * PAYLOAD_SIZES.length,
    false,
    (random, at) => ({
      items: ['android-dynamic-dex-loading'],
      bytes: () => {
        const put = PAYLOADS[at % PAYLOADS.length]![1]
        const size = PAYLOAD_SIZES[Math.floor(at / PAYLOADS.length)]!
        const stubs = ['Main', 'Home', 'Login', 'Pay', 'Push'].map((name) => plain(`${ID}.${name}`))
        return zipOf(
          new Map([
            ['AndroidManifest.xml', manifestOf({ application: { name: '.App' }, components: DECLARED })],
            ['classes.dex', writeDex([loaderClass(at + Math.floor(at / PAYLOADS.length)), ...stubs])],
            ...Object.entries(put(random, size)),
          ]),
        )
      },
    }),
    (at) => `${PAYLOADS[at % PAYLOADS.length]![0]}, ${PAYLOAD_SIZES[Math.floor(at / PAYLOADS.length)]} bytes`,
  ],
  'packer with renamed libraries': [
    8,
    false,
    (random, at) => ({
      items: ['android-dynamic-dex-loading'],
      bytes: () =>
        zipOf(
          new Map([
            [
              'AndroidManifest.xml',
              manifestOf({ application: { name: `com.s${at}.w.StubApp` }, components: DECLARED }),
            ],
            ['classes.dex', writeDex([loaderClass(5, `com.s${at}.w.StubApp`)])],
            [
              `lib/arm64-v8a/lib${['abc', 'core2', 'x', 'shella0', 'exec0', 'guard', 'sec', 'p'][at]}.so`,
              writeElf({ exports: ['JNI_OnLoad'] }),
            ],
            [
              `assets/${['lib1.so', 'a64.dat', 'c', 'z.jar', 'main000.lar', '0OO00l', 'tosver', 'i.png'][at]}`,
              noise(random, 90_000 + random.below(400_000)),
            ],
          ]),
        ),
    }),
  ],
  'dex bytes behind the dex file': [
    4,
    false,
    (random, at) => ({
      items: [...ECB, 'android-dynamic-dex-loading'],
      bytes: () =>
        zipOf(
          changed(loaderApp(at), 'classes.dex', (dex) =>
            Buffer.concat([dex, at % 2 ? hiddenDex() : noise(random, 300_000)]),
          ),
        ),
    }),
  ],
  'manifest tricks': [
    MANIFESTS.length,
    false,
    (random, at) => ({
      items: DEBUGGABLE,
      bytes: () => zipOf(changed(filesOf(), 'AndroidManifest.xml', () => MANIFESTS[at]![1](random))),
    }),
    (at) => MANIFESTS[at]![0],
  ],
  'manifest damaged': [
    8,
    false,
    (random) => ({
      items: DEBUGGABLE,
      bytes: () =>
        zipOf(
          changed(filesOf(), 'AndroidManifest.xml', () => {
            const bytes = Buffer.from(writeAxml(debuggable()))
            bytes.writeUInt32LE(random.below(2 ** 32), 4 * (2 + random.below(12)))
            return bytes
          }),
        ),
    }),
  ],
  'resources damaged': [
    6,
    false,
    (random, at) => ({
      items: DEBUGGABLE,
      bytes: () => {
        const manifest = writeAxml(withValue([0x01, 0x7f010000]))
        const table = noise(random, 400 + 300 * at)
        table.set([2, 0, 12, 0], 0)
        return zipOf(new Map([...changed(filesOf(), 'AndroidManifest.xml', () => manifest), ['resources.arsc', table]]))
      },
    }),
  ],
  'signed package with a flipped bit': [
    15,
    true,
    (random, at) => ({ items: SIGNATURE, bytes: () => flipped([v1, v2, v3][at % 3]!(), random) }),
  ],
  'signature removed or package extended': [
    6,
    true,
    (random, at) => ({
      items: SIGNATURE,
      bytes: () =>
        [
          () => zipOf(new Map(Object.entries(signedFiles()))),
          () => Buffer.concat([v3(), noise(random, 200)]),
          () => Buffer.concat([noise(random, 200), v2()]),
          () => buildApk({ ...withV1(signedFiles(), signer), 'classes2.dex': hiddenDex() }),
          () =>
            buildApk({
              ...withV1(signedFiles(), signer),
              'META-INF/MANIFEST.MF': Buffer.from('Manifest-Version: 1.0\r\n\r\n'),
            }),
          () =>
            buildApk(
              Object.fromEntries(
                Object.entries(withV1(signedFiles(), signer)).filter(([name]) => name !== 'META-INF/CERT.SF'),
              ),
            ),
        ][at]!(),
    }),
  ],
}

/** All mutants of generated packages, in a fixed order; the same seed gives the same bytes but for keys of signatures. */
export function makeMutants(seed = MUTANT_SEED): Mutant[] {
  return Object.entries(KINDS).flatMap(([kind, [count, signed, make, nameOf]], row) =>
    Array.from({ length: count }, (_, at) => {
      const made = make(new Random(seed + 1000 * row + at), at)
      return { kind, signed, name: nameOf ? nameOf(at) : String(at + 1), ...made }
    }),
  )
}

/** The sound packages that mutants are made of: what these say is not what a mutant must say. */
export const soundPackages = (): Uint8Array[] => [
  zipOf(filesOf()),
  ...[0, 1, 2, 3, 4, 5].map((how) => zipOf(loaderApp(how))),
]
