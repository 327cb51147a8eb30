import type { Random } from '#tests/fuzz/mutate-input.ts'
import { method } from '#tests/support/code-body.ts'
import { element } from '#tests/support/detect-package.ts'
import { type WrittenDexClass, writeDex } from '#tests/support/dex-writer.ts'
import { type WrittenElement, writeAxml } from '#tests/support/resource-writer.ts'
import { type WrittenArchive, writeZip } from '#tests/support/zip-writer.ts'

export type Files = ReadonlyMap<string, Uint8Array>

export const ECB = ['android-crypto-ecb']

export const ID = 'org.maker.app'

export const activity = (name: string, ...more: WrittenElement[]) =>
  element('activity', { name, exported: false }, ...more)

export const plain = (name: string, superclass = 'Landroid/app/Activity;'): WrittenDexClass => ({
  name: `L${name.replaceAll('.', '/')};`,
  superclass,
  methods: [method('run(I)V'), method('name()Ljava/lang/String;', (body) => body.result(name))],
})

/** A class whose method encrypts with AES in ECB mode: the planted fact of most mutants. */
export const weak = (name = `${ID}.Vault`): WrittenDexClass => ({
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

export const loaderClass = (how: number, name = `${ID}.App`): WrittenDexClass => ({
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

export const FILLERS = Array.from({ length: 24 }, (_, at) => plain(`${ID}.Part${at}`))

export const MAIN = activity(
  '.Main',
  element(
    'intent-filter',
    {},
    element('action', { name: 'android.intent.action.MAIN' }),
    element('category', { name: 'android.intent.category.LAUNCHER' }),
  ),
)

export const manifestOf = ({ components = [], application = {} }: Made) =>
  writeAxml(
    element(
      'manifest',
      { package: ID },
      element('uses-sdk', { minSdkVersion: 29, targetSdkVersion: 35 }),
      element('application', { allowBackup: false, ...application }, MAIN, ...components),
    ),
  )

/** The files of a sound small application; `dexes` come beside its own classes, in further dex files from the second list on. */
export function filesOf(made: Made = {}): Files {
  const [first = [], ...others] = made.dexes ?? []
  const own = [plain(`${ID}.Main`), ...FILLERS]
  return new Map<string, Uint8Array>([
    ['AndroidManifest.xml', manifestOf(made)],
    ['classes.dex', writeDex([...own, ...first])],
    ...others.map((classes, at) => [`classes${at + 2}.dex`, writeDex(classes)] as const),
    ...Object.entries(made.files ?? {}),
  ])
}

export const zipOf = (files: Files, archive: WrittenArchive = {}): Uint8Array =>
  writeZip(
    [...files].map(([name, data]) => ({ name, data })),
    archive,
  )

export const VAULT = element('service', { name: '.Vault', exported: false })

/** The sound application with the planted class, declared as a service. */
export const planted = (): Files => filesOf({ components: [VAULT], dexes: [[weak()]] })

/** What is hidden: a dex file of the planted class and others. */
export const hiddenDex = () =>
  writeDex([weak('com.other.Vault'), ...Array.from({ length: 30 }, (_, at) => plain(`com.other.P${at}`))])

export function noise(random: Random, length: number): Uint8Array {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at + 4 <= length; at += 4) bytes.writeUInt32LE(random.below(2 ** 32), at)
  return bytes
}

export const changed = (files: Files, name: string, change: (bytes: Buffer) => Uint8Array): Files =>
  new Map([...files].map(([entry, data]) => [entry, entry === name ? change(Buffer.from(data)) : data]))

export const without = (files: Files, ...names: string[]): Files =>
  new Map([...files].filter(([name]) => !names.includes(name)))

export const DECLARED = ['.Home', '.Login', '.Pay', '.Push'].map((name) => activity(name))

export const loaderApp = (how: number, files: Record<string, Uint8Array> = {}): Files =>
  filesOf({ application: { name: '.App' }, dexes: [[loaderClass(how)]], files })
