import type { Block } from './document.ts'
import type { ReportContext } from './report-context.ts'
import type { ReportText } from './report-texts.ts'

const MOST_ROWS = 300

/** What the package says of itself. */
export function basicBlocks(context: ReportContext): Block[] {
  const { result, words } = context
  const one = result.package
  const shown = (text: string) => text || words('unknown')
  return [
    { kind: 'heading', level: 1, text: words('basic') },
    {
      kind: 'facts',
      rows: [
        { label: words('application'), text: shown(one.name) },
        { label: words('package'), text: shown(one.id) },
        { label: words('version'), text: one.build ? `${one.version} (${one.build})` : shown(one.version) },
        { label: words('kind'), text: one.kind.toUpperCase() },
        {
          label: words('size'),
          text: `${(one.size / 1024 / 1024).toFixed(2)} MB (${one.size.toLocaleString('en')} B)`,
        },
        { label: words('min_sdk'), text: shown(one.minSdk) },
        ...(one.targetSdk ? [{ label: words('target_sdk'), text: one.targetSdk }] : []),
        { label: words('abis'), text: one.abis.join(', ') || words('none') },
        { label: 'MD5', text: one.md5 },
        { label: 'SHA-1', text: one.sha1 },
        { label: 'SHA-256', text: one.sha256 },
        {
          label: words('signed'),
          text: one.schemes.join(', ') || words(one.signature === 'partial' ? 'partly_signed' : 'not_signed'),
        },
        { label: words('packer'), text: packerName(context) },
      ],
    },
  ]
}

/** In the reader's language where the SDKs of the result name it. */
export function packerName({ result, words, textOf }: ReportContext): string {
  const { packer } = result.package
  if (packer === null) return words('none')
  const known = result.sdks.find(({ name }) => name.zh === packer)
  return known ? textOf(known.name) : packer
}

export function certificateBlocks({ result, words }: ReportContext): Block[] {
  const day = (time: number) =>
    Number.isFinite(time) && Math.abs(time) <= 8.64e15 ? new Date(time).toISOString().slice(0, 10) : words('unknown')
  return [
    { kind: 'heading', level: 1, text: words('certificates') },
    ...(result.certificates.length === 0 ? [nothing(words('nothing'))] : []),
    ...result.certificates.map(
      (one): Block => ({
        kind: 'facts',
        rows: [
          { label: words('subject'), text: one.subject },
          { label: words('issuer'), text: one.issuer },
          { label: words('validity'), text: `${day(one.notBefore)} – ${day(one.notAfter)}` },
          { label: words('algorithm'), text: `${one.algorithm}, ${one.keyBits} bit` },
          { label: 'SHA-256', text: one.sha256 },
          { label: 'SHA-1', text: one.sha1 },
          { label: 'MD5', text: one.md5 },
        ],
      }),
    ),
  ]
}

const STATES = {
  used: 'used',
  unused: 'unused',
  undeclared: 'undeclared',
  unknown: 'unknown_use',
} as const satisfies Record<string, ReportText>

export function permissionBlocks({ result, words, textOf }: ReportContext): Block[] {
  return section(
    words('permissions'),
    result.permissions,
    (shown) => ({
      kind: 'table',
      columns: [
        { title: words('permission'), share: 5 },
        { title: words('dangerous'), share: 1 },
        { title: words('state'), share: 1.3 },
        { title: words('excessive'), share: 1.3 },
      ],
      rows: shown.map((one) => [
        `${textOf(one.title)}\n${one.name}`,
        one.dangerous ? { text: words('yes'), tone: 'strong' } : words('no'),
        one.state === 'undeclared' ? { text: words('undeclared'), tone: 'strong' } : words(STATES[one.state]),
        one.excessive === null
          ? words('not_asked')
          : one.excessive
            ? { text: words('yes'), tone: 'strong' }
            : words('no'),
      ]),
    }),
    words,
  )
}

export function sdkBlocks({ result, words, textOf }: ReportContext): Block[] {
  return section(
    words('sdks'),
    result.sdks,
    (shown) => ({
      kind: 'table',
      columns: [
        { title: words('sdk'), share: 3 },
        { title: words('vendor'), share: 2 },
        { title: words('version'), share: 1.2 },
        { title: words('use'), share: 1.2 },
        { title: words('personal'), share: 3 },
      ],
      rows: shown.map((one) => [
        textOf(one.name),
        one.vendor,
        one.version ?? words('unknown'),
        words(one.state),
        one.personalInfo.join(', '),
      ]),
    }),
    words,
  )
}

export function componentBlocks({ result, words }: ReportContext): Block[] {
  return section(
    words('components'),
    result.components.filter(({ exported }) => exported),
    (shown) => ({
      kind: 'table',
      columns: [
        { title: words('component_kind'), share: 1 },
        { title: words('component'), share: 5 },
        { title: words('protected_by'), share: 3 },
      ],
      rows: shown.map((one) => [one.kind, one.name, one.permission ?? words('none')]),
    }),
    words,
  )
}

/** A heading and a table of what there is; says how much a long one leaves out, and where there is nothing. */
export function section<T>(
  title: string,
  rows: readonly T[],
  table: (shown: readonly T[]) => Block,
  words: ReportContext['words'],
): Block[] {
  const shown = rows.slice(0, MOST_ROWS)
  return [
    { kind: 'heading', level: 1, text: title },
    shown.length === 0 ? nothing(words('nothing')) : table(shown),
    ...(rows.length > shown.length ? [nothing(words('cut_list', { shown: shown.length, all: rows.length }))] : []),
  ]
}

export function nothing(text: string): Block {
  return { kind: 'text', text, tone: 'quiet' }
}
