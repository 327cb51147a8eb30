import { type Language, ProductError } from '#contracts/errors.ts'
import { MARKET_KIND_NAMES, MARKET_KINDS, MARKET_PROBLEMS } from '#contracts/http/monitoring/markets.ts'
import {
  COPY_OFFERS,
  COPY_PARTS,
  COPY_VERDICTS,
  DEVICE_DAYS,
  MONITOR_FIGURES,
  MONITOR_STATES,
  type MonitorCopy,
  PIRATED_VERDICTS,
  type Verdict,
} from '#contracts/http/monitoring/tasks.ts'
import type { Block, Column, LabelledText } from '#engines/report/document.ts'
import { copyEvidence } from '#engines/similarity/copy-evidence.ts'
import type { CopyJudgement } from '#engines/similarity/judge-copy.ts'
import { log } from '#runtime/log.ts'
import type { EventStore } from '#storage/events/port.ts'
import type { Caller, ServerDeps } from '../../http/module.ts'
import { zonedTime } from '../../platform/tables/zoned-time.ts'
import { exportWords } from '../../query/export-words.ts'
import { listingsOf, printsOf } from './copy-record.ts'
import { taskRecord } from './monitor-record.ts'
import { copiesOf, findCopy, findTask, listCopies } from './monitor-rows.ts'
import { piratedCertificates } from './pirated-certificates.ts'
import { type PiratedDevices, piratedDevices } from './pirated-devices.ts'

const TEXTS = {
  title: { zh: '渠道监测报告', en: 'Channel monitoring report' },
  application: { zh: '应用', en: 'Application' },
  run: { zh: '监测', en: 'Run' },
  runAt: { zh: '第 {run} 次，{state}，{at}', en: 'No. {run}, {state}, {at}' },
  conclusion: { zh: '结论', en: 'Conclusion' },
  bad: {
    zh: '累计发现 {pirated} 个盗版，{offered} 个在架，本次新增 {fresh} 个',
    en: '{pirated} pirated copies so far, {offered} on offer, {fresh} new in the newest run',
  },
  good: { zh: '查询到的渠道中没有发现盗版', en: 'The channels that were asked offer no pirated copy' },
  open: {
    zh: '没有一个渠道完整答复，不能判断有没有盗版',
    en: 'No channel answered completely, so it is unknown whether there are pirated copies',
  },
  unaskedToo: {
    zh: '有 {unasked} 个渠道没有查询到，不能说明其中没有盗版。',
    en: 'Channels that could not be asked: {unasked}. They may offer pirated copies.',
  },
  figures: { zh: '数据', en: 'Figures' },
  of: { zh: '{asked} / {all}', en: '{asked} of {all}' },
  unknown: { zh: '未知', en: 'Unknown' },
  devicesOf: { zh: '{devices} 台，近 {days} 天有上报', en: '{devices} reported in the last {days} days' },
  devicesNone: { zh: '没有盗版证书可比对', en: 'no pirated certificate to compare with' },
  downloadsNote: {
    zh: '{downloads}（渠道自称，按条目相加）',
    en: '{downloads} (as channels state, summed over listings)',
  },
  kinds: { zh: '渠道种类与判定', en: 'Kind of channel and verdict' },
  kind: { zh: '渠道种类', en: 'Kind' },
  asked: { zh: '渠道', en: 'Channels' },
  runs: { zh: '历次监测', en: 'Runs' },
  number: { zh: '次', en: 'Run' },
  ended: { zh: '结束时间', en: 'Ended' },
  fresh: { zh: '新增', en: 'New' },
  gone: { zh: '下架', en: 'Gone' },
  places: { zh: '设备分布', en: 'Devices by place' },
  placesNote: {
    zh: '近 {days} 天回传了盗版证书的设备，按回传所在地；在多地回传的设备计入每一地。',
    en: 'Devices that reported a pirated certificate in the last {days} days, by the place of the return; one that reported from several places counts in each.',
  },
  place: { zh: '地区', en: 'Place' },
  devices: { zh: '设备', en: 'Devices' },
  copies: { zh: '副本', en: 'Copies' },
  noCopies: { zh: '没有找到副本。', en: 'No copy was found.' },
  more: { zh: '仅列出前 {shown} 个，共 {all} 个。', en: 'The first {shown} of {all} are listed.' },
  verdict: { zh: '判定', en: 'Verdict' },
  name: { zh: '名称', en: 'Name' },
  version: { zh: '版本', en: 'Version' },
  markets: { zh: '渠道', en: 'Channels' },
  downloads: { zh: '下载量', en: 'Downloads' },
  state: { zh: '状态', en: 'State' },
  firstSeen: { zh: '首次发现', en: 'First seen' },
  byHand: { zh: '{verdict}（人工）', en: '{verdict} (by hand)' },
  evidence: { zh: '盗版副本的依据', en: 'Evidence of pirated copies' },
  package: { zh: '包名', en: 'Package' },
  sha256: { zh: '文件 SHA-256', en: 'SHA-256 of the file' },
  certificate: { zh: '签名证书 SHA-256', en: 'SHA-256 of the certificate' },
  confidence: { zh: '置信度', en: 'Confidence' },
  reason: { zh: '人工判定的理由', en: 'Reason of the person' },
  part: { zh: '比对的部分', en: 'Part compared' },
  alike: { zh: '相似', en: 'Alike' },
  points: { zh: '计分', en: 'Points' },
  notCompared: { zh: '不可比', en: 'not comparable' },
  difference: { zh: '与我方安装包相比', en: 'Against our package' },
  differences: {
    zh: '相同 {same}，改动 {changed}，增加 {added}，减少 {removed}',
    en: '{same} same, {changed} changed, {added} added, {removed} removed',
  },
  classes: { zh: '类', en: 'Classes' },
  files: { zh: '文件', en: 'Files' },
  components: { zh: '组件', en: 'Components' },
  permissions: { zh: '权限', en: 'Permissions' },
  where: { zh: '在哪里', en: 'Where' },
  market: { zh: '渠道', en: 'Channel' },
  page: { zh: '页面', en: 'Page' },
  lastSeen: { zh: '最后看到', en: 'Last seen' },
  allAsked: { zh: '本次没有。', en: 'None in this run.' },
  why: { zh: '原因', en: 'Reason' },
  method: { zh: '判定方法与局限', en: 'How copies are judged, and limits' },
  methodText: {
    zh: '副本按文件哈希去重，与应用自有的安装包逐项比对：证书、代码、资源、原生库、组件、图标与名称。被加固隐藏的代码不比对。没有查询到的渠道不作结论；设备数只含接入本平台并回传了证书的设备。',
    en: 'Copies are told apart by the hash of their file and compared with the packages of the application: certificate, code, resources, native libraries, components, icon and name. Code that a packer hides is not compared. Channels that could not be asked are not part of the conclusion. Devices counts only those that report to this platform with their certificate.',
  },
} as const
type Key = keyof typeof TEXTS

const MOST_COPIES = 500
const MOST_EVIDENCE = 50
const MOST_RUNS = 24
const VERDICTS = Object.keys(COPY_VERDICTS) as Verdict[]
const EVIDENCE = ['classes', 'files', 'components', 'permissions'] as const

interface DocumentDeps {
  readonly meta: ServerDeps['meta']
  readonly store: Pick<EventStore, 'contradictions'>
  readonly zone: string
  now(): number
  placeName(code: string, language: Language): string | undefined
}

/**
 * The report of an application's monitoring: verdict and figures of the record, copies with their evidence, devices that report pirated ones,
 * and every channel that could not be asked with the reason. Its numbers are those of the page of the task.
 */
export async function monitorDocument(
  deps: DocumentDeps,
  viewer: Pick<Caller, 'scope'>,
  id: string,
  language: Language,
): Promise<{ title: string; subject: string; cover: LabelledText[]; blocks: Block[] }> {
  const { meta, zone } = deps
  const t = (key: Key, values: Record<string, string | number> = {}) =>
    TEXTS[key][language].replace(/\{(\w+)\}/g, (_all, name: string) => String(values[name] ?? ''))
  const at = (time: number | null) => (time === null ? '—' : `${zonedTime(time, zone).slice(0, 16).replace('T', ' ')}`)
  const figure = (key: keyof typeof MONITOR_FIGURES) => MONITOR_FIGURES[key][language]
  const number = (value: number) => value.toLocaleString('en-US')
  const row = await findTask(meta, viewer, id)
  const record = await taskRecord(deps, viewer, row, language)
  const { data: task, runs, kinds, matrix, unasked, downloads, references } = record
  const [copies, [known], words] = await Promise.all([
    listCopies(copiesOf(meta, row), { limit: MOST_COPIES, offset: 0 }),
    piratedCertificates(meta.db, { apps: [row.application_id] }),
    exportWords(meta, language, zone, deps.placeName),
  ])
  const devices = await devicesOf(deps, row.application_id, known?.certificates ?? [])
  const counted = await copiesOf(meta, row)
    .select(({ fn }) => fn.countAll<number>().as('all'))
    .executeTakeFirstOrThrow()
  const all = Number(counted.all)
  const ended = runs.filter(({ ended_at }) => ended_at !== null)
  const offered = ended[0]?.pirated ?? 0
  const hasAnswers = task.asked > 0 || task.pirated + task.genuine > 0
  const conclusion =
    task.pirated > 0
      ? t('bad', { pirated: number(task.pirated), offered: number(offered), fresh: number(task.fresh) })
      : t(task.asked > 0 ? 'good' : 'open')
  const countOf = (value: number) => (hasAnswers ? number(value) : t('unknown'))
  const figures: LabelledText[] = [
    { label: figure('pirated'), text: countOf(task.pirated) },
    { label: figure('offered'), text: countOf(offered) },
    { label: figure('fresh'), text: countOf(task.fresh) },
    { label: figure('genuine'), text: countOf(task.genuine) },
    {
      label: figure('downloads'),
      text: downloads === null ? t('unknown') : t('downloadsNote', { downloads: number(downloads) }),
    },
    { label: figure('asked'), text: t('of', { asked: number(task.asked), all: number(task.markets) }) },
    { label: figure('unasked'), text: number(task.unasked) },
    { label: figure('devices'), text: devicesText(devices, t, number) },
    {
      label: figure('versions'),
      text: references.map(({ name, version }) => `${name} ${version}`.trim()).join('\n') || '—',
    },
  ]
  const pirated = copies.filter(({ verdict }) => PIRATED_VERDICTS.includes(verdict))
  const evidence: Block[] = []
  for (const copy of pirated.slice(0, MOST_EVIDENCE)) evidence.push(...(await evidenceOf(copy)))

  async function evidenceOf(copy: MonitorCopy): Promise<Block[]> {
    const { copy: stored } = await findCopy(meta, viewer, copy.id)
    const judgement = stored.judgement as CopyJudgement
    const prints = await printsOf(meta, stored).catch((error: unknown) => {
      if (!(error instanceof ProductError)) throw error
      return null
    })
    const differing = prints && copyEvidence(prints.reference, prints.print)
    const listings = await listingsOf(meta, stored, language)
    return [
      { kind: 'heading', level: 2, text: `${copy.label || copy.package} ${copy.version}`.trim() },
      {
        kind: 'facts',
        rows: [
          { label: t('verdict'), text: verdictText(copy) },
          { label: t('confidence'), text: `${copy.confidence}%` },
          ...(stored.manual_reason ? [{ label: t('reason'), text: stored.manual_reason }] : []),
          { label: t('package'), text: copy.package },
          { label: t('sha256'), text: copy.sha256 },
          { label: t('certificate'), text: copy.certificate || '—' },
          ...(differing
            ? EVIDENCE.map((part) => ({
                label: t(part),
                text: t('differences', { ...differing[part].counts }),
              }))
            : []),
        ],
      },
      {
        kind: 'table',
        columns: [
          { title: t('part'), share: 5 },
          { title: t('alike'), share: 2, align: 'right' },
          { title: t('points'), share: 2, align: 'right' },
        ],
        rows: judgement.parts.map(({ part, likeness, points, most }) => [
          COPY_PARTS[part as keyof typeof COPY_PARTS]?.[language] ?? part,
          likeness === null ? t('notCompared') : `${Math.round(100 * likeness)}%`,
          likeness === null ? '—' : `${points} / ${most}`,
        ]),
      },
      ...(listings.length > 0
        ? [
            {
              kind: 'table' as const,
              columns: [
                { title: t('market'), share: 3 },
                { title: t('page'), share: 6 },
                { title: t('state'), share: 2 },
                { title: t('lastSeen'), share: 3 },
                { title: t('downloads'), share: 2, align: 'right' as const },
              ],
              rows: listings.map((one) => [
                one.market_name,
                one.page,
                COPY_OFFERS[one.offer][language],
                at(one.last_seen),
                one.downloads === null ? '—' : number(one.downloads),
              ]),
            },
          ]
        : []),
    ]
  }

  function verdictText({ verdict, is_manual }: MonitorCopy): string {
    const word = COPY_VERDICTS[verdict][language]
    return is_manual ? t('byHand', { verdict: word }) : word
  }

  const cellOf = (kind: string, verdict: Verdict) =>
    matrix.find((one) => one.kind === kind && one.verdict === verdict)?.copies ?? 0
  const shownKinds = MARKET_KIND_NAMES.filter(
    (kind) => kinds.some((one) => one.kind === kind) || matrix.some((one) => one.kind === kind),
  )
  const right = (title: string, share = 2): Column => ({ title, share, align: 'right' })
  // Wide enough for the longest word of its title, which does not break.
  const wordColumn = (title: string) =>
    right(title, 0.8 + Math.max(...title.split(/[ -]/).map(({ length }) => length)) / 5)
  return {
    title: t('title'),
    subject: task.app_name,
    cover: [
      { label: t('application'), text: task.app_name },
      { label: t('conclusion'), text: conclusion },
      {
        label: t('run'),
        text: t('runAt', {
          run: task.run,
          state: MONITOR_STATES[task.state][language],
          at: `${at(task.ended_at)} ${zone}`,
        }),
      },
      ...figures,
    ],
    blocks: [
      { kind: 'heading', level: 1, text: t('conclusion') },
      {
        kind: 'verdict',
        label: t('conclusion'),
        text: conclusion,
        tone: task.pirated > 0 ? 'bad' : task.asked > 0 ? 'good' : 'quiet',
      },
      ...(unasked.length > 0
        ? [{ kind: 'text' as const, text: t('unaskedToo', { unasked: number(unasked.length) }) }]
        : []),
      { kind: 'heading', level: 1, text: t('figures') },
      { kind: 'facts', rows: figures },
      { kind: 'heading', level: 1, text: t('kinds') },
      {
        kind: 'table',
        columns: [
          { title: t('kind'), share: 3 },
          right(t('asked')),
          ...VERDICTS.map((verdict) => wordColumn(COPY_VERDICTS[verdict][language])),
        ],
        rows: shownKinds.map((kind) => {
          const of = kinds.find((one) => one.kind === kind)
          return [
            MARKET_KINDS[kind][language],
            of ? `${of.asked} / ${of.markets}` : '—',
            ...VERDICTS.map((verdict) => {
              const count = cellOf(kind, verdict)
              return count === 0 && !of?.asked ? '—' : number(count)
            }),
          ]
        }),
      },
      { kind: 'heading', level: 1, text: t('runs') },
      {
        kind: 'table',
        columns: [
          { title: t('number'), share: 2 },
          { title: t('ended'), share: 4 },
          right(figure('asked'), 3),
          right(figure('offered'), 3),
          right(t('fresh')),
          right(t('gone')),
        ],
        rows: ended
          .slice(0, MOST_RUNS)
          .map((one) => [
            String(one.run),
            at(one.ended_at),
            t('of', { asked: one.asked, all: one.asked + one.unasked }),
            number(one.pirated),
            number(one.fresh),
            number(one.gone),
          ]),
      },
      ...(devices && devices.places.length > 0
        ? [
            { kind: 'heading' as const, level: 1 as const, text: t('places') },
            { kind: 'text' as const, text: t('placesNote', { days: DEVICE_DAYS }) },
            {
              kind: 'table' as const,
              columns: [{ title: t('place'), share: 6 }, right(t('devices'))],
              rows: devices.places.map(({ country, province, devices: count }) => [
                province ? words.value('province', province) : words.value('country', country),
                number(count),
              ]),
            },
          ]
        : []),
      { kind: 'heading', level: 1, text: t('copies') },
      ...(copies.length === 0
        ? [{ kind: 'text' as const, text: t('noCopies') }]
        : [
            {
              kind: 'table' as const,
              columns: [
                { title: t('verdict'), share: 3 },
                { title: t('name'), share: 5 },
                { title: t('version'), share: 2 },
                right(t('markets')),
                right(t('downloads'), 3),
                { title: t('state'), share: 2 },
                { title: t('firstSeen'), share: 3 },
              ],
              rows: copies.map((copy) => [
                PIRATED_VERDICTS.includes(copy.verdict)
                  ? { text: verdictText(copy), tone: 'bad' as const }
                  : verdictText(copy),
                copy.label ? `${copy.label} ${copy.package}` : copy.package,
                copy.version || '—',
                number(copy.markets),
                copy.downloads === null ? t('unknown') : number(copy.downloads),
                COPY_OFFERS[copy.offer][language],
                at(copy.first_seen),
              ]),
            },
          ]),
      ...(copies.length < all ? [{ kind: 'text' as const, text: t('more', { shown: copies.length, all }) }] : []),
      ...(evidence.length > 0
        ? [{ kind: 'heading' as const, level: 1 as const, text: t('evidence') }, ...evidence]
        : []),
      ...(pirated.length > MOST_EVIDENCE
        ? [{ kind: 'text' as const, text: t('more', { shown: MOST_EVIDENCE, all: task.pirated }) }]
        : []),
      { kind: 'heading', level: 1, text: figure('unasked') },
      ...(unasked.length === 0
        ? [{ kind: 'text' as const, text: t('allAsked') }]
        : [
            {
              kind: 'table' as const,
              columns: [
                { title: t('market'), share: 4 },
                { title: t('kind'), share: 3 },
                { title: t('why'), share: 6 },
              ],
              rows: unasked.map(({ name, kind, problem, detail, leads }) => {
                const why = [detail, ...leads.map((one) => `${one.name} ${one.page}`)].filter(Boolean).join('; ')
                const reason = MARKET_PROBLEMS[problem][language]
                return [name, MARKET_KINDS[kind][language], why ? `${reason} (${why})` : reason]
              }),
            },
          ]),
      { kind: 'heading', level: 1, text: t('method') },
      { kind: 'text', text: t('methodText') },
    ],
  }
}

/** null where the event store does not answer: the report says so and is written all the same. */
async function devicesOf(
  deps: DocumentDeps,
  app: number,
  certificates: readonly string[],
): Promise<PiratedDevices | null> {
  try {
    return await piratedDevices(deps, [{ app, certificates: [...certificates] }])
  } catch (error) {
    log.warn({ err: error }, 'monitoring report: devices could not be counted')
    return null
  }
}

function devicesText(
  devices: PiratedDevices | null,
  t: (key: Key, values?: Record<string, string | number>) => string,
  number: (value: number) => string,
): string {
  if (!devices) return t('unknown')
  if (devices.certificates.length === 0) return t('devicesNone')
  return t('devicesOf', { devices: number(devices.devices), days: DEVICE_DAYS })
}
