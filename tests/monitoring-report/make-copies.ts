import { FormatError } from '#engines/bytes/format-error.ts'
import { readPackage } from '#engines/package/read-package.ts'
import type { SigningKey } from '#engines/signing/signing-key.ts'
import type { CopyVerdict } from '#engines/similarity/judge-copy.ts'
import { entryBytes } from '#engines/zip/entry-bytes.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import type { ZipArchive } from '#engines/zip/zip-facts.ts'
import {
  COMPONENTS,
  lookOf,
  nextDex,
  packageOf,
  renamedPackage,
  repacked,
  signed,
  textOf,
  withFiles,
  withIcons,
  withManifest,
} from '#mocks/app-markets/edit-package.ts'
import type { Random } from '#tests/fuzz/mutate-input.ts'
import { makeKey } from '#tests/support/apk/made-key.ts'
import { method } from '#tests/support/code-body.ts'
import { writeDex } from '#tests/support/dex-writer.ts'

/** How a copy is made, and what it is. */
export interface CopyKind {
  readonly name: string
  readonly truth: CopyVerdict
}

export const COPY_KINDS = [
  { name: 'as published', truth: 'genuine' },
  { name: 'channel package', truth: 'genuine' },
  { name: 'next version', truth: 'other-version' },
  { name: 'signed again', truth: 're-signed' },
  { name: 'packed and signed again', truth: 're-signed' },
  { name: 'code and permission added', truth: 'repackaged' },
  { name: 'code hidden in a shell', truth: 'repackaged' },
  { name: 'other name', truth: 'clone' },
  { name: 'other name, classes renamed', truth: 'clone' },
  { name: 'name and icon of it', truth: 'look-alike' },
] as const satisfies readonly CopyKind[]
export type CopyName = (typeof COPY_KINDS)[number]['name']

export const truthOf = (name: CopyName): CopyVerdict => COPY_KINDS.find((one) => one.name === name)!.truth

/** The owner of an application and someone who is not. */
export interface Keys {
  readonly owner: SigningKey
  readonly stranger: SigningKey
}

export const makeKeys = (): Keys => ({ owner: makeKey('owner').key, stranger: makeKey('stranger').key })

/** Any package as its owner publishes it. Throws FormatError where it cannot be signed. */
export const published = (apk: Uint8Array, keys: Keys): Uint8Array => signed(readZip(apk), keys.owner)

/**
 * A copy of a published package, made with the product's own writers. `other` is a package of someone else, whose content a look-alike has.
 * Null where the package has not what such a copy needs.
 */
export function makeCopy(
  name: CopyName,
  reference: Uint8Array,
  other: Uint8Array,
  keys: Keys,
  random: Random,
): Uint8Array | null {
  try {
    return COPIES[name](reference, keys, random, other)
  } catch (error) {
    // A manifest that the editor does not take, or an archive that cannot be signed: no copy of that kind.
    if (error instanceof FormatError) return null
    throw error
  }
}

type Make = (reference: Uint8Array, keys: Keys, random: Random, other: Uint8Array) => Uint8Array | null

const COPIES: Readonly<Record<CopyName, Make>> = {
  'as published': (reference) => reference,
  'channel package': (reference, { owner }) =>
    signed(withFiles(readZip(reference), new Map([['META-INF/channel_store', new Uint8Array()]])), owner),
  'next version': (reference, { owner }, random) => {
    const changed = withManifest(readZip(reference), (editor) => {
      const code = `${1000 + random.below(9000)}`
      editor.setAttribute(editor.root, { name: 'versionCode', value: { type: 0x10, data: Number(code) } })
      editor.setAttribute(editor.root, { name: 'versionName', value: `9.${code}` })
    })
    return signed(
      withFiles(readZip(changed), new Map([[nextDex(changed), addedDex('Lcom/maker/added/Feature;', random)]])),
      owner,
    )
  },
  'signed again': (reference, { stranger }) => signed(readZip(reference), stranger),
  'packed and signed again': (reference, { stranger }) => signed(repacked(readZip(reference)), stranger, ['v1', 'v2']),
  'code and permission added': (reference, { stranger }, random) => signed(injected(reference, random), stranger),
  'code hidden in a shell': (reference, { stranger }, random) => {
    const zip = readZip(reference)
    const own = zip.entries.filter(({ name }) => /^classes\d*\.dex$/.test(name))
    if (!own.length || resourceCount(zip) < 15) return null
    const hidden = new Map<string, Uint8Array>()
    own.forEach((entry, at) => {
      hidden.set(
        `assets/shell/${at}.bin`,
        Buffer.from(entryBytes(zip, entry)).map((byte) => byte ^ 0x5a),
      )
    })
    hidden.set('classes.dex', addedDex('Lcom/shell/Stub;', random))
    return signed(
      withFiles(zip, hidden, (entry) => !/^classes\d*\.dex$/.test(entry)),
      stranger,
    )
  },
  'other name': (reference, { stranger }, random) => {
    const copy = withOtherName(injected(reference, random), random)
    return copy && signed(copy, stranger)
  },
  'other name, classes renamed': (reference, { stranger }, random) => {
    const copy = withOtherName(reference, random)
    const renamed = copy && renamedClasses(copy)
    return renamed && signed(renamed, stranger)
  },
  'name and icon of it': (reference, { stranger }, random, other) => {
    const look = lookOf(reference)
    const base = look && withIcons(readZip(other), look.icon)
    if (!base || lookOf(other)?.label === look?.label) return null
    const named = withManifest(readZip(base), (editor) => {
      const application = editor.childrenOf(editor.root, 'application')[0]
      if (!application) return
      editor.setAttribute(application, { name: 'label', value: look!.label })
      for (const activity of editor.childrenOf(application, 'activity'))
        editor.removeAttribute(activity, { name: 'label' })
      editor.setAttribute(editor.root, {
        name: 'package',
        plain: true,
        value: `${packageOf(other)}.x${random.below(1000)}`,
      })
    })
    return signed(named, stranger)
  },
}

/** A dex file with a class of some methods, each long enough to be compared. */
function addedDex(name: string, random: Random): Uint8Array {
  const methods = Array.from({ length: 3 + random.below(4) }, (_, at) =>
    method(`step${at}()V`, (body) => {
      for (let left = 4 + random.below(12); left > 0; left--)
        body.static(
          'Landroid/util/Log;->i(Ljava/lang/String;Ljava/lang/String;)I',
          `tag${random.below(99)}`,
          `text${left}`,
        )
    }),
  )
  return writeDex([{ name, methods }])
}

/** A payload, a permission, and a third of the pictures replaced. */
function injected(reference: Uint8Array, random: Random): Uint8Array {
  const zip = readZip(reference)
  const pictures = zip.entries.filter(({ name }) => /^res\/.*\.png$/.test(name))
  const replaced = new Map<string, Uint8Array>([[nextDex(reference), addedDex('Lcom/evil/inject/Adware;', random)]])
  for (const { name } of pictures)
    if (random.below(3) === 0) replaced.set(name, Buffer.from(`other picture ${random.below(1e9)}`))
  return withManifest(readZip(withFiles(zip, replaced)), (editor) => {
    editor.addElement(editor.root, 'uses-permission', [{ name: 'name', value: 'android.permission.SEND_SMS' }], 'first')
  })
}

/** Null for a part of an application, which has no name of its own. */
function withOtherName(apk: Uint8Array, random: Random): Uint8Array | null {
  const copy = renamedPackage(apk, `net.free${random.below(1e6)}.tool`, `Free tool ${random.below(1e6)}`)
  return packageOf(copy) === packageOf(apk) ? null : copy
}

/** Letters of a name moved on, so that it has the same length: what lies behind it in the file stays where it is. */
const moved = (name: string): string =>
  name.replaceAll(/[a-z]/g, (letter) => String.fromCharCode(97 + ((letter.charCodeAt(0) - 97 + 7) % 26)))
const OF_LIBRARIES = /^L?(?:android|androidx|java|javax|kotlin|kotlinx|dalvik|com\/google|org\/(?:json|xml|w3c|apache))/

/**
 * Classes of the components' packages under other names, in the tables of names of every dex file and in the manifest. Names are changed in
 * place, so their order is no longer that of the format: enough for a reader that compares, while Android would refuse it.
 */
function renamedClasses(apk: Uint8Array): Uint8Array | null {
  const found = readPackage(apk, 'a.apk')
  if (found.kind !== 'apk') return null
  const prefixes = new Set(
    found.facts.components
      .map(({ name }) => name.split('.').slice(0, 2).join('/'))
      .filter((prefix) => prefix.includes('/') && !OF_LIBRARIES.test(prefix)),
  )
  if (!prefixes.size) return null
  const isOwn = (slashed: string) => [...prefixes].some((prefix) => slashed.startsWith(`${prefix}/`))
  const zip = readZip(apk)
  const replaced = new Map<string, Uint8Array>()
  for (const entry of zip.entries)
    if (/^classes\d*\.dex$/.test(entry.name)) {
      const bytes = Buffer.from(entryBytes(zip, entry))
      const text = bytes.toString('latin1')
      for (const { index, 1: name } of text.matchAll(/(?<=[\0-\x20\x80-\xff[])L([\w/$]+);(?=\0)/g))
        if (isOwn(name!)) bytes.write(moved(name!), index + 1, 'latin1')
      replaced.set(entry.name, bytes)
    }
  return withManifest(readZip(withFiles(zip, replaced)), (editor) => {
    const application = editor.childrenOf(editor.root, 'application')[0]
    if (!application) return
    for (const element of [application, ...COMPONENTS.flatMap((kind) => editor.childrenOf(application, kind))])
      for (const name of ['name', 'targetActivity'] as const) {
        const value = textOf(element, name)
        if (value && isOwn(value.replaceAll('.', '/'))) editor.setAttribute(element, { name, value: moved(value) })
      }
  })
}

const resourceCount = (zip: ZipArchive): number =>
  zip.entries.filter(({ name }) => /^(?:res|assets)\//.test(name)).length
