import { readApk } from '#engines/apk/read-apk.ts'
import { readArsc } from '#engines/arsc/read-arsc.ts'
import { AxmlEditor } from '#engines/axml/axml-editor.ts'
import { axmlText } from '#engines/axml/axml-text.ts'
import { readAxml } from '#engines/axml/read-axml.ts'
import { readProtoResources } from '#engines/bundle/read-proto-resources.ts'
import { readProtoXml } from '#engines/bundle/read-proto-xml.ts'
import { FormatError } from '#engines/bytes/format-error.ts'
import { channelOf, writeChannelTail } from '#engines/channels/channel-tail.ts'
import { readPackageTail } from '#engines/channels/package-tail.ts'
import { SCAN_CHOICES } from '#engines/detect/input/scan-choices.ts'
import { scan } from '#engines/detect/scan.ts'
import type { Program } from '#engines/dex/program.ts'
import { readProgram } from '#engines/dex/read-program.ts'
import { methodsOf } from '#engines/dex-edit/dex-model.ts'
import { editCode } from '#engines/dex-edit/edit-code.ts'
import { readDexModels } from '#engines/dex-edit/read-dex-model.ts'
import { writeDexFiles } from '#engines/dex-edit/write-dex.ts'
import { elfTexts } from '#engines/elf/elf-texts.ts'
import { readElf } from '#engines/elf/read-elf.ts'
import { readProvision } from '#engines/ipa/provision.ts'
import { readIpa } from '#engines/ipa/read-ipa.ts'
import { verifyIpa } from '#engines/ipa/verify-ipa.ts'
import { readJvmProgram } from '#engines/jvm/read-jvm-program.ts'
import { openKeyStore } from '#engines/keystore/open-key-store.ts'
import { KeyStoreWork } from '#engines/keystore/password-encryption.ts'
import type { Connector } from '#engines/listing/connector.ts'
import { decodePage } from '#engines/listing/decode-page.ts'
import { encodeKeyword } from '#engines/listing/encode-text.ts'
import { readDetail, readListing } from '#engines/listing/read-listing.ts'
import { readRobots, robotsAllow } from '#engines/listing/robots.ts'
import { imageBytes } from '#engines/macho/addresses.ts'
import { arm64Calls } from '#engines/macho/arm64-calls.ts'
import { machoStrings } from '#engines/macho/macho-strings.ts'
import { readObjc } from '#engines/macho/objc.ts'
import { readMacho } from '#engines/macho/read-macho.ts'
import { allFiles } from '#engines/package/package-files.ts'
import { PACKAGE_LIMITS } from '#engines/package/package-limits.ts'
import { readPackage } from '#engines/package/read-package.ts'
import { plistJson } from '#engines/plist/plist-node.ts'
import { readPlist } from '#engines/plist/read-plist.ts'
import { verifyApk } from '#engines/signing/verify-apk.ts'
import { verifyJar } from '#engines/signing/verify-jar.ts'
import { readCertificate } from '#engines/x509/certificate.ts'
import { readSignedData } from '#engines/x509/signed-data.ts'
import { readXml } from '#engines/xml/read-xml.ts'
import { entryBytes } from '#engines/zip/entry-bytes.ts'
import { readZip } from '#engines/zip/read-zip.ts'

/** Connectors of every kind, with the fields that the simulated markets have. */
const LISTED = { url: 'http://m/', form: '', encoding: 'utf-8', firstPage: 1, pages: 1 } as const
const FIELDS = {
  name: { select: 'h3, a > b, data.name', attribute: '', pattern: '' },
  page: { select: 'a[href^="/"]', attribute: 'href', pattern: '' },
  version: { select: 'i:nth-child(2)', attribute: '', pattern: '([\\d.]+)' },
}
const LISTED_PAGE =
  '<div class="list a"><div><h3>A</h3><a href="/app/1"><b>x</b></a><i>1</i><i>v2.0</i></div></div><li class="app">y'
const CONNECTORS: readonly Exclude<Connector, { kind: 'manual' }>[] = [
  { kind: 'html', ...LISTED, items: 'div div, li.app', fields: FIELDS, detail: null },
  { kind: 'json', ...LISTED, items: 'data.list', fields: FIELDS, detail: null },
  { kind: 'rss', ...LISTED, items: '', fields: {}, detail: null },
  { kind: 'sitemap', ...LISTED, contains: '/app/', detail: { kind: 'html', fields: FIELDS } },
]

/** A parser as a fuzzer feeds it: reads, and asks for what is read on demand. */
export type FuzzTarget = (bytes: Uint8Array) => void

const each = (parts: Iterable<() => unknown>): void => {
  for (const part of parts)
    try {
      part()
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
    }
}

export const FUZZ_TARGETS: Readonly<Record<string, FuzzTarget>> = {
  zip: (bytes) => {
    const zip = readZip(bytes)
    each(zip.entries.map((entry) => () => entryBytes(zip, entry)))
  },
  axml: (bytes) => void axmlText(readAxml(bytes)),
  arsc: (bytes) => {
    const table = readArsc(bytes)
    let count = 0
    for (const { id } of table.all()) if (count++ < 200) table.nameOf(id)
    table.locales()
  },
  apk: (bytes) => void readApk(bytes),
  'dex-edit': (bytes) => {
    for (const model of readDexModels(bytes)) {
      each([() => writeDexFiles(model)])
      for (const one of model.classes) each(methodsOf(one).map((method) => () => editCode(model, method)))
      each([() => writeDexFiles(model)])
    }
  },
  dex: (bytes) => askProgram(readProgram([{ entry: 'classes.dex', bytes }])),
  jvm: (bytes) => askProgram(readJvmProgram([{ entry: 'A.class', bytes }])),
  elf: (bytes) => drain(elfTexts(bytes, readElf(bytes))),
  plist: (bytes) => void JSON.stringify(plistJson(readPlist(bytes))),
  xml: (bytes) => void readXml(bytes),
  macho: (bytes) => {
    for (const image of readMacho(bytes).images) {
      const view = imageBytes(bytes, image)
      readObjc(view)
      drain(machoStrings(view))
      drain(arm64Calls(view, () => true))
    }
  },
  mobileprovision: (bytes) => void readProvision(bytes),
  ipa: (bytes) => {
    const { zip, facts } = readIpa(bytes)
    verifyIpa(zip, facts)
  },
  'proto-xml': (bytes) => void readProtoXml(bytes),
  'proto-resources': (bytes) => void readProtoResources(bytes),
  package: (bytes) => {
    const found = readPackage(bytes, 'upload')
    each([...allFiles(found, PACKAGE_LIMITS.zip)].slice(0, 50).map((file) => () => file.bytes))
  },
  scan: (bytes) => void scan(readPackage(bytes, 'upload'), SCAN_CHOICES),
  'key-store': (bytes) => {
    const passwords = { store: 'password' }
    // So few iterations that an input costs little.
    openKeyStore(bytes, { passwords, work: new KeyStoreWork(20_000) })
  },
  'channel-tail': (bytes) => {
    const tail = readPackageTail((offset, length) => bytes.subarray(offset, offset + length), bytes.length)
    channelOf(tail)
    for (const piece of writeChannelTail(tail, { key: 'a', name: 'b' })) piece.at(-1)
  },
  'axml-edit': (bytes) => void axmlText(readAxml(new AxmlEditor(bytes).write())),
  x509: (bytes) => void readCertificate(bytes),
  cms: (bytes) => void readSignedData(bytes),
  signing: (bytes) => void verifyApk(bytes),
  listing: (bytes) => {
    const { text } = decodePage(bytes, '')
    for (const connector of CONNECTORS) readListing(connector, text)
    for (const kind of ['html', 'json'] as const) readDetail({ kind, fields: FIELDS }, text)
    robotsAllow(readRobots(text, 'AppWardenMonitor'), '/app/1?q=2')
  },
  // What users write in a connector: a selector or path, an expression and a keyword, one a line.
  'listing-rules': (bytes) => {
    const [select = '', pattern = '', keyword = ''] = decodePage(bytes, '').text.split('\n')
    const fields = { name: { select, attribute: 'href', pattern } }
    const listed = { ...LISTED, items: select, fields, detail: null }
    readListing({ kind: 'html', ...listed }, LISTED_PAGE)
    readListing({ kind: 'json', ...listed }, '{"data":{"list":[{"name":"A","info":[1,{"x":null}]}]}}')
    for (const charset of ['utf-8', 'gb18030', 'big5'] as const) encodeKeyword(keyword, charset)
  },
  jar: (bytes) => void verifyJar(readZip(bytes)),
}

function drain(values: Iterable<unknown>): void {
  for (const _ of values);
}

/** What rules ask of a program. */
function askProgram(program: Program): void {
  let asked = 0
  for (const { methods, descriptor } of program.classes()) {
    program.isA(descriptor, 'Ljava/lang/Object;')
    for (const method of methods) {
      if (asked++ > 200) break
      for (const call of program.callsFrom(method)) {
        program.argument(call, 1)
        program.listing(call, 3)
      }
      program.returns(method)
      program.callersOf(method, 3)
    }
  }
  drain(program.stringConstants())
  program.callsTo('L*;->a')
}
