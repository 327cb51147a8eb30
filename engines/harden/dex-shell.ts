import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import { deflateSync, inflateSync } from 'node:zlib'
import type { ApkFacts } from '../apk/apk-facts.ts'
import { fullClassName } from '../apk/components.ts'
import { AxmlEditor } from '../axml/axml-editor.ts'
import { findAttribute } from '../axml/find-attribute.ts'
import { readAxml, type XmlElement } from '../axml/read-axml.ts'
import { FormatError } from '../bytes/format-error.ts'
import { descriptorOf } from '../detect/evidence/locations.ts'
import { SHELL_MARK, shellMark } from '../detect/shell-mark.ts'
import type { Program } from '../dex/program.ts'
import { setApplication } from './add-runtime.ts'
import type { HardenText } from './harden-texts.ts'
import type { SeededRandom } from './seeded-random.ts'

/** What the loader of encrypted code needs of a package, or why the code stays as it is. */
export type ShellPlace =
  | { readonly refused: HardenText; readonly detail: string }
  /** Class names as the manifest means them; '' without one. */
  | { readonly application: string; readonly factory: string }

/** Android 10: class loaders are chosen by AppComponentFactory.instantiateClassLoader. */
const CHOOSES_LOADER = 29
/** Factories that make an Application as Android does. Android 9 asks a factory for it, and the loader makes it there without one. */
const USUAL_FACTORY = /^(?:androidx\.core|android\.support\.v4)\.app\.CoreComponentFactory$/
/** Sum of the dex files: the heap of a process holds them twice while it starts, and the smallest heaps have some 200 MB. */
const MOST_CODE_BYTES = 64 * 2 ** 20
const READS_DEX = ['Ldalvik/system/DexFile;->entries(', 'Ldalvik/system/DexFile;->getClassNameList(']
/** MultiDex does nothing from Android 5 on; the runner of tests reads the package that holds the tests. */
const READS_OTHERS = /^L(?:androidx|android\/support)\/(?:multidex|test)\//

/** Whether Android starts the package in a way in which its code can be decrypted before any of it is needed. `codeBytes`: of all dex files. */
export function shellPlace(
  facts: ApkFacts,
  manifest: Uint8Array,
  program: Program,
  given: { readonly minSdk: number; readonly hasCertificate: boolean; readonly codeBytes: number },
): ShellPlace {
  const { minSdk, hasCertificate, codeBytes } = given
  const refused = (text: HardenText, detail = '') => ({ refused: text, detail })
  const { root } = readAxml(manifest)
  const application = root.children.find(({ name }) => name === 'application')
  if (!facts.dexEntries.length || !application) return refused('the package has no code')
  if (minSdk < 21) return refused('Android before 5.0 loads the first dex file alone')
  if (!hasCertificate) return refused('the certificate of the release is not known: no key')
  if (codeBytes > MOST_CODE_BYTES)
    return refused(
      'the code is too large for the memory of a process that starts ({detail})',
      `${Math.ceil(codeBytes / 2 ** 20)} MiB`,
    )
  if (facts.isSplitRequired?.value || facts.metaData.some(({ name }) => name === 'com.android.vending.splits.required'))
    return refused('the package needs splits, whose code would not find encrypted classes')
  if (root.children.some(({ name }) => name === 'instrumentation'))
    return refused('the package has an instrumentation: Android loads its code before any loader')
  const shared = application.children.find(({ name }) => /^(?:static-|sdk-)?library$/.test(name))
  if (shared) return refused('other packages load its code ({detail})', shared.name)
  if (application.children.some(({ name }) => name === 'uses-native-library'))
    return refused('it asks for native libraries of the device, which only the loader of Android finds')
  const isolated = facts.components.find(({ element }) => isOn(element, 'isolatedProcess'))
  if (isolated)
    return refused('{detail} runs in an isolated process, where the certificate cannot be asked for', isolated.name)
  if (minSdk < CHOOSES_LOADER && findAttribute(application, 'backupAgent'))
    return refused('its backup agent is made before any loader on Android before 10')
  const reader = READS_DEX.flatMap((pattern) => program.callsTo(pattern)).find(
    ({ method }) => !READS_OTHERS.test(method.owner),
  )
  if (reader) return refused('{detail} reads the dex files of the package itself', reader.method.owner)
  const named = facts.applicationClass?.value ?? ''
  if (named && !program.classOf(descriptorOf(named)))
    return refused('its Application {detail} is not in the package', named)
  const factory = factoryOf(application, facts, program)
  if (factory && minSdk < CHOOSES_LOADER && !USUAL_FACTORY.test(factory))
    return refused('Android 9 would make its Application without its own factory {detail}', factory)
  return { application: named, factory }
}

function isOn(element: XmlElement, name: 'isolatedProcess'): boolean {
  const value = findAttribute(element, name)?.value
  return value !== undefined && value.text !== 'false'
}

/** Android makes its usual factory where the named one is not there. */
function factoryOf(application: XmlElement, { package: id }: ApkFacts, program: Program): string {
  const written = findAttribute(application, 'appComponentFactory')?.value.text
  if (!written) return ''
  const name = fullClassName(written, id?.value ?? '')
  return program.classOf(descriptorOf(name)) ? name : ''
}

/** Makes the loader's classes those that Android starts with. */
export function setShell(
  manifest: Uint8Array,
  names: { readonly application: string; readonly factory: string },
): Uint8Array {
  const editor = new AxmlEditor(manifest)
  setApplication(editor, names.application)
  const [application] = editor.childrenOf(editor.root, 'application')
  editor.setAttribute(application!, { name: 'appComponentFactory', value: names.factory })
  return editor.write()
}

/** Encrypts the code of one build (the form is that of engines/harden/shell/loader.smali). */
export class CodeSeal {
  /** Hexadecimal, as the loader has them. */
  readonly salt: string
  readonly shown: string
  private readonly secret: Buffer
  private readonly start: Buffer

  /** @param certificate SHA-256 of it, hexadecimal */
  constructor(certificate: string, random: SeededRandom) {
    const salt = random.bytes(32)
    this.salt = salt.toString('hex')
    this.secret = createHmac('sha256', salt).update(Buffer.from(certificate, 'hex')).digest()
    this.shown = this.derive(0).toString('hex')
    this.start = random.bytes(SHELL_MARK.size / 2)
  }

  seal(files: readonly Uint8Array[]): Uint8Array {
    const number = (value: number) => {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32BE(value)
      return bytes
    }
    const plain = Buffer.concat([number(files.length), ...files.flatMap((file) => [number(file.length), file])])
    // The key is that of one build, so that its counter may begin anywhere.
    const counter = shellMark(this.start)
    const cipher = createCipheriv('aes-256-ctr', this.derive(1), counter)
    const sealed = Buffer.concat([counter, cipher.update(deflateSync(plain)), cipher.final()])
    return Buffer.concat([createHmac('sha256', this.derive(2)).update(sealed).digest(), sealed])
  }

  private derive(number: number): Buffer {
    return createHmac('sha256', this.secret).update(Uint8Array.of(number)).digest()
  }
}

interface SealKey {
  /** Hexadecimal, as CodeSeal has it. */
  readonly salt: string
  /** SHA-256 of it, hexadecimal. */
  readonly certificate: string
}

/** The dex files of a sealed entry, as the loader reads them; undefined where it refuses. */
export function openSealed(sealed: Uint8Array, { salt, certificate }: SealKey): Uint8Array[] | undefined {
  const hmac = (key: Uint8Array, data: Uint8Array) => createHmac('sha256', key).update(data).digest()
  const secret = hmac(Buffer.from(salt, 'hex'), Buffer.from(certificate, 'hex'))
  if (!hmac(hmac(secret, Uint8Array.of(2)), sealed.subarray(32)).equals(sealed.subarray(0, 32))) return undefined
  const cipher = createDecipheriv('aes-256-ctr', hmac(secret, Uint8Array.of(1)), sealed.subarray(32, 48))
  const plain = inflateSync(Buffer.concat([cipher.update(sealed.subarray(48)), cipher.final()]))
  const files: Uint8Array[] = []
  for (let at = 4; files.length < plain.readUInt32BE(0); ) {
    const size = plain.readUInt32BE(at)
    files.push(plain.subarray(at + 4, at + 4 + size))
    at += 4 + size
  }
  return files
}

/** Throws FormatError `sealed` of format `harden` unless the entry opens to these files, byte by byte, and no others. */
export function checkSealed(sealed: Uint8Array, key: SealKey, files: readonly Uint8Array[]): void {
  const found = openSealed(sealed, key)
  if (found?.length === files.length && found.every((one, i) => Buffer.compare(one, files[i]!) === 0)) return
  throw new FormatError('harden', 'sealed', -1, 'the encrypted code does not open as it was')
}
