import type { Language } from '#contracts/errors.ts'
import { COPY_VERDICTS, type MonitorCopy, PIRATED_VERDICTS, type Verdict } from '#contracts/http/monitoring/tasks.ts'
import type { Block, LabelledText } from '#engines/report/document.ts'
import { copyEvidence } from '#engines/similarity/copy-evidence.ts'
import type { PackagePrint } from '#engines/similarity/package-print.ts'
import { zonedTime } from '../../platform/tables/zoned-time.ts'

const TEXTS = {
  title: { zh: '盗版应用下架函', en: 'Takedown request' },
  application: { zh: '应用', en: 'Application' },
  markets: { zh: '渠道', en: 'Markets' },
  verdict: { zh: '判定', en: 'Verdict' },
  date: { zh: '出具时间', en: 'Date' },
  request: { zh: '请求', en: 'Request' },
  to: { zh: '致 {markets} 的运营者：', en: 'To the operator of {markets}:' },
  claim: {
    zh: '我方发布应用“{app}”。贵方提供的下列安装包不是由我方发布的。{why}',
    en: 'We publish the application "{app}". The package below, which you offer, was not published by us. {why}',
  },
  ask: {
    zh: '请停止提供该安装包及其下载地址，保留上传者的资料与上传、下载记录，并将处理结果书面告知我方。',
    en: 'Please stop offering this package and its download address, keep what you know of the uploader and the records of uploads and downloads, and tell us in writing what was done.',
  },
  'why_re-signed': {
    zh: '其内容与我方安装包相同，但签名证书不是我方的。',
    en: 'Its content equals a package of ours, but it is signed with a certificate that is not ours.',
  },
  why_repackaged: {
    zh: '它由我方安装包改动而成，使用同一包名，签名证书不是我方的。',
    en: 'It was made out of a package of ours, has the same application id, and is signed with a certificate that is not ours.',
  },
  why_clone: {
    zh: '它由我方安装包改动而成，换了包名，签名证书不是我方的。',
    en: 'It was made out of a package of ours under another application id, and is signed with a certificate that is not ours.',
  },
  'why_look-alike': {
    zh: '它使用我方应用的名称、图标或包名，内容不是我方的，签名证书不是我方的。',
    en: 'It uses the name, icon or application id of our application; its content is not ours, and it is signed with a certificate that is not ours.',
  },
  person: { zh: '由人工判定', en: 'Judged by a person' },
  compared: { zh: '两个安装包', en: 'The two packages' },
  fact: { zh: '项目', en: 'Fact' },
  ours: { zh: '我方安装包', en: 'Our package' },
  theirs: { zh: '该安装包', en: 'The package offered' },
  label: { zh: '名称', en: 'Name' },
  package: { zh: '包名', en: 'Application id' },
  version: { zh: '版本', en: 'Version' },
  size: { zh: '大小（字节）', en: 'Size (bytes)' },
  sha256: { zh: '文件 SHA-256', en: 'SHA-256 of the file' },
  signer: { zh: '签名证书 SHA-256', en: 'SHA-256 of the certificate' },
  subject: { zh: '证书主体', en: 'Subject of the certificate' },
  unsigned: { zh: '无有效签名', en: 'no valid signature' },
  content: { zh: '内容比对', en: 'Content compared' },
  contentNote: {
    zh: '以我方安装包为准，逐项比对；代码按方法内容比对，资源按内容比对。',
    en: 'Against our package: code by the content of its methods, files by their content.',
  },
  part: { zh: '部分', en: 'Part' },
  same: { zh: '相同', en: 'Same' },
  changed: { zh: '改动', en: 'Changed' },
  added: { zh: '新增', en: 'Added' },
  removed: { zh: '删除', en: 'Removed' },
  classes: { zh: '类', en: 'Classes' },
  files: { zh: '文件', en: 'Files' },
  natives: { zh: '原生库', en: 'Native libraries' },
  components: { zh: '组件', en: 'Components' },
  permissions: { zh: '权限', en: 'Permissions' },
  difference: { zh: '差别', en: 'Difference' },
  names: { zh: '名称', en: 'Names' },
  more: { zh: '等，另有 {count} 个', en: 'and {count} more' },
  where: { zh: '提供地址', en: 'Where it is offered' },
  market: { zh: '渠道', en: 'Market' },
  says: { zh: '渠道所述', en: 'The market says' },
  page: { zh: '页面', en: 'Page' },
  download: { zh: '下载地址', en: 'Download address' },
  firstSeen: { zh: '首次看到', en: 'First seen' },
  lastSeen: { zh: '最后看到', en: 'Last seen' },
  state: { zh: '状态', en: 'State' },
  offered: { zh: '在架', en: 'On offer' },
  gone: { zh: '已下架', en: 'No longer offered' },
  unknown: {
    zh: '未知：该渠道最近一次没有完整答复',
    en: 'Not known: the market gave no whole answer in the newest run',
  },
  signature: { zh: '签章', en: 'Signature' },
  statement: {
    zh: '以上事实由程序下载并读取所述文件得出；文件按其 SHA-256 保存，可供核验。',
    en: 'A program downloaded and read the files named above to establish these facts. The files are kept under their SHA-256 and can be checked.',
  },
  name: { zh: '姓名', en: 'Name' },
  signed: { zh: '签字或盖章', en: 'Signed' },
  day: { zh: '日期', en: 'Date' },
  blank: { zh: '________________', en: '________________' },
} as const
type Key = keyof typeof TEXTS

/** A place where a copy is offered. */
export interface LetterListing {
  readonly market: string
  readonly name: string
  readonly version: string
  readonly developer: string
  readonly page: string
  readonly download: string
  readonly first_seen: number
  readonly last_seen: number
  readonly offer: MonitorCopy['offer']
}

export interface LetterFacts {
  readonly application: string
  readonly verdict: Verdict
  readonly isManual: boolean
  readonly reference: PackagePrint
  readonly copy: PackagePrint
  readonly listings: readonly LetterListing[]
}

const PARTS = ['classes', 'files', 'natives', 'components', 'permissions'] as const
const DIFFERENCES = ['changed', 'added', 'removed'] as const
/** Names of one part and difference; the counts are of all. */
const MOST_NAMES = 20

export const isPirated = (verdict: Verdict): boolean => PIRATED_VERDICTS.includes(verdict)

/**
 * The letter that asks markets to take a pirated copy down: what is asked, both packages with hashes and certificates, what was compared, and
 * every address with the times at which the copy was seen there.
 * @param now epoch ms
 */
export function takedownLetter(
  { application, verdict, isManual, reference, copy, listings }: LetterFacts,
  language: Language,
  { zone, now }: { readonly zone: string; readonly now: number },
): { title: string; subject: string; cover: LabelledText[]; blocks: Block[] } {
  const t = (key: Key, values: Record<string, string | number> = {}) =>
    TEXTS[key][language].replace(/\{(\w+)\}/g, (_all, name: string) => String(values[name] ?? ''))
  const at = (time: number) => `${zonedTime(time, zone).slice(0, 16).replace('T', ' ')} ${zone}`
  const markets = [...new Set(listings.map(({ market }) => market))].join(language === 'zh' ? '、' : ', ')
  const versionOf = ({ versionName, versionCode }: PackagePrint) =>
    `${versionName || '—'}${versionCode ? ` (${versionCode})` : ''}`
  const certificatesOf = ({ signer }: PackagePrint) => signer.certificates.join('\n') || t('unsigned')
  const judged = `${COPY_VERDICTS[verdict][language]}${isManual ? ` (${t('person')})` : ''}`
  const evidence = copyEvidence(reference, copy)
  const differing = PARTS.flatMap((part) =>
    DIFFERENCES.flatMap((what): string[][] => {
      const { rows, counts } = evidence[part]
      const names = rows.filter(({ difference }) => difference === what).map(({ name }) => name)
      if (!names.length) return []
      const left = counts[what] > MOST_NAMES ? ` ${t('more', { count: counts[what] - MOST_NAMES })}` : ''
      return [[t(part), t(what), `${names.slice(0, MOST_NAMES).join(', ')}${left}`]]
    }),
  )
  const facts: [Key, string, string][] = [
    ['label', reference.label || '—', copy.label || '—'],
    ['package', reference.package, copy.package],
    ['version', versionOf(reference), versionOf(copy)],
    ['size', String(reference.size), String(copy.size)],
    ['sha256', reference.sha256, copy.sha256],
    ['signer', certificatesOf(reference), certificatesOf(copy)],
    ['subject', reference.signer.subject || '—', copy.signer.subject || '—'],
  ]
  return {
    title: t('title'),
    subject: `${copy.label || copy.package} ${copy.versionName}`.trim(),
    cover: [
      { label: t('application'), text: application },
      { label: t('markets'), text: markets },
      { label: t('verdict'), text: judged },
      { label: t('date'), text: at(now) },
    ],
    blocks: [
      { kind: 'heading', level: 1, text: t('request') },
      { kind: 'text', text: t('to', { markets }) },
      { kind: 'text', text: t('claim', { app: application, why: t(`why_${verdict}` as Key) }) },
      { kind: 'text', text: t('ask') },
      { kind: 'heading', level: 1, text: t('compared') },
      {
        kind: 'table',
        columns: [
          { title: t('fact'), share: 2 },
          { title: t('ours'), share: 4 },
          { title: t('theirs'), share: 4 },
        ],
        rows: facts.map(([key, ours, theirs]) => [
          t(key),
          ours,
          ours === theirs ? theirs : { text: theirs, tone: 'bad' },
        ]),
      },
      { kind: 'heading', level: 1, text: t('content') },
      { kind: 'text', text: t('contentNote') },
      {
        kind: 'table',
        columns: [
          { title: t('part'), share: 4 },
          ...(['same', ...DIFFERENCES] as const).map((one) => ({ title: t(one), share: 2, align: 'right' as const })),
        ],
        rows: PARTS.map((part) => [
          t(part),
          ...(['same', ...DIFFERENCES] as const).map((one) => String(evidence[part].counts[one])),
        ]),
      },
      ...(differing.length > 0
        ? [
            {
              kind: 'table' as const,
              columns: [
                { title: t('part'), share: 2 },
                { title: t('difference'), share: 2 },
                { title: t('names'), share: 6 },
              ],
              rows: differing,
            },
          ]
        : []),
      { kind: 'heading', level: 1, text: t('where') },
      ...listings.flatMap((one): Block[] => [
        { kind: 'heading', level: 2, text: one.market },
        {
          kind: 'facts',
          rows: [
            { label: t('says'), text: [one.name, one.version, one.developer].filter(Boolean).join(', ') || '—' },
            { label: t('page'), text: one.page },
            { label: t('download'), text: one.download },
            { label: t('firstSeen'), text: at(one.first_seen) },
            { label: t('lastSeen'), text: at(one.last_seen) },
            { label: t('state'), text: t(one.offer) },
          ],
        },
      ]),
      { kind: 'heading', level: 1, text: t('signature') },
      { kind: 'text', text: t('statement') },
      { kind: 'facts', rows: (['name', 'signed', 'day'] as const).map((key) => ({ label: t(key), text: t('blank') })) },
    ],
  }
}
