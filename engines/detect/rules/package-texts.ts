import { RESOURCES_ENTRY, type ResourceTable } from '../../arsc/resource-table.ts'
import { FormatError } from '../../bytes/format-error.ts'
import type { Program, StringConstant } from '../../dex/program.ts'
import { isCredentialName } from './credential-names.ts'

/** A piece of text in the package that some rule may want to examine. */
export interface TextPiece {
  readonly source: 'code' | 'resource' | 'file' | 'native'
  readonly entry: string
  readonly offset: number
  readonly text: string
  /** Of code: where it is loaded. */
  readonly constant?: StringConstant
  /** Of a resource: `string/google_api_key`. */
  readonly name?: string
}

export interface PackageTexts {
  readonly pieces: readonly TextPiece[]
  /** Entries that are text but too large to be read whole. */
  readonly cut: readonly string[]
}

export interface TextFile {
  readonly name: string
  readonly size: number
}

/**
 * What any string rule looks for begins with, or holds, one of these. Everything else is passed over once for all rules; a string
 * rule whose text is missing here finds nothing, which the test of the rules would show.
 */
const MARKS = new RegExp(
  [
    'https?://|(?:ftp|telnet|mqtt|wss?|rtmp)://|jdbc:|mongodb|redis://',
    'LTAI|AKID|AKIA|ASIA|AIza|-----BEGIN|eyJ|gh[pousr]_|glpat-|oapi\\.dingtalk|qyapi\\.weixin',
    'secret|passw|passwd|pwd|api_?key|access_?token|huaweicloud|\\bobs|idcard|[?&](?:token|mobile|phone)=',
    '[隐隱]私|privac|privasi|confidentialit|datenschutz|プライバシー|개인\\s?정보|конфиденциальност|gizlilik|bảo mật|riêng tư|الخصوصية|chmod|/sdcard|pm list',
    '/su\\b|\\bsu\\b|magisk|supersu|test-keys|busybox|goldfish|ranchu|generic_x86|vbox86|nox|bluestacks|ttVM|microvirt|genymotion|google_sdk|Android SDK built|sdk_gphone|Superuser',
    'TracerPid|xposed|frida|27042|libsubstrate|LSPosed|gum-js|/data/user|okhttp/|classes\\.dex|integrity',
    '\\b[a-z]{2}(?:-[a-z]+)+-\\d:[0-9a-f]{8}-',
    'vnd\\.android\\.package-archive|content://(?:sms|icc|call_log|contacts|com\\.android\\.contacts)',
  ].join('|'),
  'gi',
)

/** Names of files that are text. */
const TEXT_NAME =
  /\.(?:txt|json|js|mjs|html?|xml|properties|ya?ml|ini|conf|cfg|env|md|csv|sql|lua|plist|pem|key|crt|bundle|wxml|vue|ts|svg)$/i
const FILE_LIMIT = 4 * 2 ** 20
const ALL_FILES_LIMIT = 48 * 2 ** 20
const BEFORE = 160
const AFTER = 600
/** A single string, whatever its length, is judged by so many characters. */
const STRING_LIMIT = 16_384
const MOST_PIECES = 50_000

/** Gathers the texts that rules may want to look at, from code, resources, text files and native libraries. */
export function gatherTexts(from: {
  readonly program: Program | null
  readonly resources: ResourceTable | null
  readonly entries: readonly TextFile[]
  readonly natives: readonly {
    readonly entry: string
    readonly texts: readonly { readonly value: string; readonly offset: number }[]
  }[]
  readonly read: (entry: string) => Uint8Array | null
}): PackageTexts {
  const pieces: TextPiece[] = []
  const cut: string[] = []
  const add = (piece: TextPiece) => pieces.length < MOST_PIECES && pieces.push(piece)
  if (from.program)
    for (const constant of from.program.stringConstants()) {
      if (!isMarked(constant.value)) continue
      const { first } = constant
      const entry = first?.entry ?? from.program.classOf(classOf(constant.fields[0]))?.entry ?? 'classes.dex'
      add({
        source: 'code',
        entry,
        offset: first?.offset ?? -1,
        text: constant.value.slice(0, STRING_LIMIT),
        constant,
      })
    }
  if (from.resources) gatherResources(from.resources, add)
  let left = ALL_FILES_LIMIT
  for (const { name, size } of from.entries) {
    if (!TEXT_NAME.test(name) || name === 'AndroidManifest.xml') continue
    if (size > FILE_LIMIT || size > left) {
      cut.push(name)
      continue
    }
    const bytes = from.read(name)
    left -= size
    if (bytes && !isBinary(bytes))
      windows(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'), name, add)
  }
  for (const { entry, texts } of from.natives)
    for (const { value, offset } of texts) if (isMarked(value)) add({ source: 'native', entry, offset, text: value })
  return { pieces, cut }
}

const classOf = (field: string | undefined): string => field?.slice(0, field.indexOf('->')) ?? ''

/** May a rule want to look at the text? */
export function isMarked(value: string): boolean {
  MARKS.lastIndex = 0
  return MARKS.test(value.length > STRING_LIMIT ? value.slice(0, STRING_LIMIT) : value)
}

function gatherResources(table: ResourceTable, add: (piece: TextPiece) => unknown): void {
  const seen = new Set<string>()
  try {
    for (const { name, value, offset, entry = RESOURCES_ENTRY } of table.all()) {
      const text = value?.text
      if (text === undefined || !(isMarked(text) || isCredentialName(name.slice(name.indexOf('/') + 1)))) continue
      const key = `${name}\0${text}`
      if (seen.has(key)) continue
      seen.add(key)
      add({ source: 'resource', entry, offset, text: text.slice(0, STRING_LIMIT), name })
    }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
  }
}

/** Chunks of binary XML and other binaries have zero bytes near their begin. */
const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, 512).includes(0)

/** The surroundings of each mark in a file; marks near each other share theirs. */
function windows(content: string, entry: string, add: (piece: TextPiece) => unknown): void {
  MARKS.lastIndex = 0
  let reached = 0
  for (let match = MARKS.exec(content); match; match = MARKS.exec(content)) {
    const begin = Math.max(reached, match.index - BEFORE)
    const end = Math.min(content.length, match.index + AFTER)
    add({ source: 'file', entry, offset: begin, text: content.slice(begin, end) })
    reached = end
    MARKS.lastIndex = end
  }
}
