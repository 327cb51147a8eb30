import { Random } from '#tests/fuzz/mutate-input.ts'
import { buildApk, withV1 } from '#tests/support/apk/signed-apk.ts'
import { writeDex } from '#tests/support/dex-writer.ts'
import { writeElf } from '#tests/support/elf-writer.ts'
import { writeAxml } from '#tests/support/resource-writer.ts'
import { ZIP_TRICKS } from './archive-tricks.ts'
import { damageTable } from './damage-dex.ts'
import { HIDINGS, PAYLOAD_SIZES, PAYLOADS } from './hidden-payloads.ts'
import { debuggable, MANIFESTS, withValue } from './manifest-tricks.ts'
import {
  activity,
  changed,
  DECLARED,
  ECB,
  FILLERS,
  filesOf,
  hiddenDex,
  ID,
  loaderApp,
  loaderClass,
  manifestOf,
  noise,
  plain,
  planted,
  VAULT,
  weak,
  without,
  zipOf,
} from './mutant-parts.ts'
import { flipped, SIGNATURE, signedFiles, signer, v1, v2, v3 } from './signed-packages.ts'

export const MUTANT_SEED = 20_261_123

/** A package made to hide a fact, and the items of which one must fail (or say that it was not assessed). */
export interface Mutant {
  readonly kind: string
  readonly name: string
  readonly items: readonly string[]
  /** What a note of the result must speak of to concern the planted fact. */
  readonly about: RegExp
  /** Whether the gate asks for a signature: of mutants whose planted fact is one. */
  readonly signed: boolean
  bytes(): Uint8Array
}

type Make = (random: Random, at: number) => Omit<Mutant, 'kind' | 'signed' | 'name'>

const DEBUGGABLE = ['android-debuggable']

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

/** Notes about the code that the package runs: its file, or classes that are not there. */
const OF_CODE = /classes\d*\.dex|that the manifest declares/
/** The same of an archive that tools read differently: also a file of another name, and bytes outside of all entries. */
const OF_ARCHIVE = /lasses\.dex|classes that the manifest declares|odd archive:|\[\d+, \d+\)/i
const OF_MANIFEST = /AndroidManifest\.xml|application debuggable/

/** The planted class in a dex file that is changed. */
const inDex = (change: (dex: Buffer) => Uint8Array) => ({
  items: ECB,
  about: OF_CODE,
  bytes: () => zipOf(changed(planted(), 'classes.dex', change)),
})

/** The planted attribute in a manifest of that content. */
const inManifest = (make: () => Uint8Array) => ({
  items: DEBUGGABLE,
  about: OF_MANIFEST,
  bytes: () => zipOf(changed(filesOf(), 'AndroidManifest.xml', make)),
})

const named = (files: readonly string[]): RegExp =>
  new RegExp(files.map((name) => name.replaceAll(/[.\\]/g, '\\$&')).join('|'))

/** A dex file in another file of an application that loads code, from the n-th loader of three on. */
const hidden =
  (loaders: number): Make =>
  (random, at) => {
    const [name, bytes] = HIDINGS[at]![1](random, hiddenDex())
    return {
      items: [...ECB, 'android-dynamic-dex-loading', 'android-external-code-load'],
      about: named([name]),
      bytes: () => zipOf(loaderApp(loaders + (at % 3), { [name]: bytes })),
    }
  }

/** A loader, some classes of the manifest, and a large payload. */
const lookAlike =
  (...stubs: string[]): Make =>
  (random, at) => {
    const put = PAYLOADS[at % PAYLOADS.length]![1]
    const payload = put(random, PAYLOAD_SIZES[Math.floor(at / PAYLOADS.length)]!)
    const loader = loaderClass(at + Math.floor(at / PAYLOADS.length))
    return {
      items: ['android-dynamic-dex-loading'],
      about: named(Object.keys(payload)),
      bytes: () =>
        zipOf(
          new Map([
            ['AndroidManifest.xml', manifestOf({ application: { name: '.App' }, components: DECLARED })],
            ['classes.dex', writeDex([loader, ...stubs.map((name) => plain(`${ID}.${name}`))])],
            ...Object.entries(payload),
          ]),
        ),
    }
  }
const lookAlikeName = (at: number): string =>
  `${PAYLOADS[at % PAYLOADS.length]![0]}, ${PAYLOAD_SIZES[Math.floor(at / PAYLOADS.length)]} bytes`

/** Every kind of mutant: how many there are, and how the n-th is made. */
const KINDS: Readonly<
  Record<string, readonly [count: number, signed: boolean, make: Make, nameOf?: (at: number) => string]>
> = {
  'dex file cut': [
    12,
    false,
    (random) => inDex((dex) => dex.subarray(0, Math.floor((dex.length * (15 + random.below(80))) / 100))),
  ],
  'dex tables damaged': [18, false, (random, at) => inDex(damageTable(random, at))],
  'dex header damaged': [
    10,
    false,
    (random, at) =>
      inDex((dex) => {
        const field = [0, 4, 0x20, 0x24, 0x28, 0x34, 0x3c, 0x64, 0x6c, 7][at]!
        dex.writeUInt32LE((dex.readUInt32LE(field) ^ (1 + random.below(2 ** 31))) >>> 0, field)
        return dex
      }),
  ],
  'dex file dropped': [
    6,
    false,
    (_, at) => ({
      items: ECB,
      about: OF_CODE,
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
      about: OF_CODE,
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
      about: OF_CODE,
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
    (_, at) => ({
      items: ECB,
      about: OF_CODE,
      bytes: () => zipOf(filesOf({ dexes: [[weak(`${ID}.${CLASS_NAMES[at]}`)]] })),
    }),
    (at) => JSON.stringify(CLASS_NAMES[at]!.slice(0, 12)),
  ],
  'ZIP tricks': [
    ZIP_TRICKS.length,
    false,
    (random, at) => ({ items: ECB, about: OF_ARCHIVE, bytes: () => ZIP_TRICKS[at]![1](planted(), random) }),
    (at) => ZIP_TRICKS[at]![0],
  ],
  'dex file in another file, loader by name': [HIDINGS.length, false, hidden(0), (at) => HIDINGS[at]![0]],
  'dex file in another file, loader by reflection': [HIDINGS.length, false, hidden(3), (at) => HIDINGS[at]![0]],
  'look-alike of a packer: most classes missing': [
    PAYLOADS.length * PAYLOAD_SIZES.length,
    false,
    lookAlike('Helper'),
    lookAlikeName,
  ],
  'look-alike of a packer: classes are stubs': [
    PAYLOADS.length * PAYLOAD_SIZES.length,
    false,
    lookAlike('Main', 'Home', 'Login', 'Pay', 'Push'),
    lookAlikeName,
  ],
  'packer with renamed libraries': [
    8,
    false,
    (random, at) => ({
      items: ['android-dynamic-dex-loading'],
      about: /assets\/|lib\//,
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
      about: OF_CODE,
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
    (random, at) => inManifest(() => MANIFESTS[at]![1](random)),
    (at) => MANIFESTS[at]![0],
  ],
  'manifest damaged': [
    8,
    false,
    (random) =>
      inManifest(() => {
        const bytes = Buffer.from(writeAxml(debuggable()))
        bytes.writeUInt32LE(random.below(2 ** 32), 4 * (2 + random.below(12)))
        return bytes
      }),
  ],
  'resources damaged': [
    6,
    false,
    (random, at) => ({
      items: DEBUGGABLE,
      about: /resources\.arsc/,
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
    (random, at) => ({ items: SIGNATURE, about: /signature/, bytes: () => flipped([v1, v2, v3][at % 3]!(), random) }),
  ],
  'signature removed or package extended': [
    6,
    true,
    (random, at) => ({
      items: SIGNATURE,
      about: /signature/,
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
