import type { Block, Cell } from './document.ts'
import type { ReportContext } from './report-context.ts'
import { nothing } from './report-facts.ts'

const WORDS = {
  title: { zh: '真机运行', en: 'On the phone' },
  phone: { zh: '手机', en: 'Phone' },
  install: { zh: '安装', en: 'Installation' },
  fresh: { zh: '为本次检测安装，检测后卸载', en: 'installed for this run, removed after it' },
  present: { zh: '手机上原已安装，保留', en: 'was on the phone before and stays' },
  ran: { zh: '运行', en: 'Ran' },
  untouched: { zh: '未操作', en: 'untouched' },
  inputs: { zh: '随机操作', en: 'Random inputs' },
  partial: {
    zh: '手机中途断开，以下只是断开前看到的内容。',
    en: 'The phone went away in the middle: this is what was seen until then.',
  },
  consent: { zh: '首次操作前', en: 'Before the first input' },
  uses: { zh: '敏感行为', en: 'Uses of data and sensors' },
  use: { zh: '行为', en: 'Use' },
  first: { zh: '首次', en: 'First' },
  before: { zh: '操作前', en: 'before any input' },
  refused: { zh: '被系统拒绝', en: 'refused by the system' },
  destinations: { zh: '网络连接', en: 'Connections' },
  address: { zh: '地址', en: 'Address' },
  country: { zh: '归属', en: 'Country' },
  incidents: { zh: '崩溃与异常', en: 'Crashes and failures' },
  files: { zh: '文件变化', en: 'Files' },
  path: { zh: '路径', en: 'Path' },
  size: { zh: '大小', en: 'Size' },
  none: { zh: '没有看到', en: 'None was seen' },
  local: { zh: '本地网络', en: 'local network' },
} as const

const INCIDENTS = 10
const ROWS = 60
const seconds = (ms: number | null): string => (ms === null ? '–' : `${(ms / 1000).toFixed(1)} s`)

/** What was seen while the application ran on a phone; nothing where that was no part of the detection. */
export function dynamicBlocks({ result, language, words, textOf }: ReportContext): Block[] {
  const seen = result.dynamic
  if (!seen) return []
  const say = (key: keyof typeof WORDS) => WORDS[key][language]
  const heading = (level: 1 | 2, key: keyof typeof WORDS): Block => ({ kind: 'heading', level, text: say(key) })
  const table = (titles: readonly (readonly [string, number])[], rows: readonly (readonly Cell[])[]): Block[] =>
    rows.length === 0
      ? [nothing(say('none'))]
      : [
          { kind: 'table', columns: titles.map(([title, share]) => ({ title, share })), rows: rows.slice(0, ROWS) },
          ...(rows.length > ROWS ? [nothing(words('cut_list', { shown: ROWS, all: rows.length }))] : []),
        ]
  const { phone, run } = seen
  const [consent] = result.privacy
  return [
    heading(1, 'title'),
    ...(run.complete ? [] : [{ kind: 'text', text: say('partial'), tone: 'strong' } as const]),
    {
      kind: 'facts',
      rows: [
        { label: say('phone'), text: `${phone.maker} ${phone.model}, Android ${phone.release} (${phone.serial})` },
        { label: say('install'), text: say(run.install) },
        {
          label: say('ran'),
          text: `${seconds(run.length)}, ${say('untouched')} ${seconds(run.firstInput ?? run.length)}`,
        },
        { label: say('inputs'), text: String(run.inputs) },
        ...(consent ? [{ label: say('consent'), text: `${words(consent.verdict)}: ${textOf(consent.reason)}` }] : []),
      ],
    },
    heading(2, 'uses'),
    ...table(
      [
        [say('use'), 3],
        ['AppOps', 3],
        [say('first'), 3],
      ],
      seen.uses
        .filter(({ personal }) => personal)
        .map(({ name, op, first, beforeInput }) => [
          textOf(name),
          op,
          first === null
            ? say('refused')
            : beforeInput
              ? { text: `${seconds(first)}, ${say('before')}`, tone: 'strong' }
              : seconds(first),
        ]),
    ),
    heading(2, 'destinations'),
    ...table(
      [
        [say('address'), 5],
        [say('country'), 2],
        [say('first'), 1.5],
      ],
      seen.destinations.map(({ host, address, port, protocol, where, country, first }) => [
        `${host ? `${host} (${address})` : address}:${port}/${protocol}`,
        where === 'local' ? say('local') : country || '–',
        seconds(first),
      ]),
    ),
    heading(2, 'incidents'),
    ...(seen.incidents.length === 0 ? [nothing(say('none'))] : []),
    ...seen.incidents.slice(0, INCIDENTS).map(
      ({ process, at, headline, lines }): Block => ({
        kind: 'evidence',
        location: `${process}, ${seconds(at)}`,
        note: headline,
        lines: lines.slice(0, 12),
      }),
    ),
    ...(seen.incidents.length > INCIDENTS
      ? [nothing(words('cut_list', { shown: INCIDENTS, all: seen.incidents.length }))]
      : []),
    heading(2, 'files'),
    ...table(
      [
        [say('path'), 6],
        [say('size'), 1.5],
      ],
      seen.files.map(({ path, size }) => [path, String(size)]),
    ),
  ]
}
