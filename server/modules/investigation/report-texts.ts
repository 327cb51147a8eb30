import type { Language } from '#contracts/errors.ts'

const TEXTS = {
  report: { zh: '案件报告', en: 'Case report' },
  state: { zh: '状态', en: 'State' },
  owner: { zh: '负责人', en: 'Owner' },
  opened: { zh: '立案', en: 'Opened' },
  closed: { zh: '结案', en: 'Closed' },
  apps: { zh: '涉及应用', en: 'Applications' },
  made: { zh: '生成', en: 'Made' },
  by: { zh: '由', en: 'by' },
  entries: { zh: '证据与备注', en: 'Evidence and notes' },
  number: { zh: '序号', en: 'No.' },
  what: { zh: '内容', en: 'What' },
  added: { zh: '加入', en: 'Added' },
  note: { zh: '备注', en: 'Note' },
  event: { zh: '事件', en: 'Event' },
  stop: { zh: '停留', en: 'Stop' },
  subject: { zh: '对象', en: 'Subject' },
  erased: { zh: '个人数据已按要求删除', en: 'Personal data deleted on request' },
  device: { zh: '设备', en: 'Device' },
  user: { zh: '用户', en: 'User' },
  address: { zh: '地址', en: 'Address' },
  events: { zh: '{n} 条事件，其中攻击 {m} 次', en: '{n} events, {m} of them attacks' },
  rule: { zh: '判定：风险类型 {risk} 的默认规则，{level}', en: 'Reason: default rule of {risk}, {level}' },
  action: { zh: '处置：{action}', en: 'Action: {action}' },
  arrived: { zh: '到达 {time}', en: 'received {time}' },
  score: { zh: '评分 {score}（阈值 {limit}，最近 30 天）', en: 'Score {score} (limit {limit}, last 30 days)' },
  verdict: { zh: '处置：{verdicts}', en: 'Verdict: {verdicts}' },
  trails: { zh: '轨迹', en: 'Trails' },
  trailAt: { zh: '截至报告生成时的保留期内全部事件', en: 'All retained events as of this report' },
  trailLater: {
    zh: '仅折叠最新 {n} 条，共 {m} 条',
    en: 'Folded from the newest {n} of {m} events',
  },
  noTrail: { zh: '保留期内已没有该对象的事件', en: 'No events of this subject are retained any more' },
  place: { zh: '位置', en: 'Place' },
  arrival: { zh: '到达', en: 'Arrived' },
  last: { zh: '离开', en: 'Last event' },
  count: { zh: '事件', en: 'Events' },
  attacks: { zh: '攻击', en: 'Attacks' },
  distance: { zh: '距上站', en: 'From last stop' },
  gap: { zh: '间隔（分）', en: 'After (min)' },
  speed: { zh: '均速', en: 'Speed' },
  impossible: { zh: '不可能移动', en: 'Impossible travel' },
  notJudged: { zh: '不判定', en: 'not judged' },
  kinds: { zh: '事件构成', en: 'Made of' },
  travelRule: {
    zh: '移动规则：两站代表点的大圆距离减去两端位置精度（市级 {city} km，省级 {province} km），除以间隔（至少 1 分钟），超过 {kmh} km/h 标记为不可能移动；仅知国家的位置不判定。位置多由地址推断，经代理或运营商出口时会有偏差，因此该标记不计入评分。',
    en: 'Rule of movement: the great-circle distance between two stops, less the precision of both places (city {city} km, province {province} km), over the gap (1 minute at least); above {kmh} km/h it is marked as impossible travel. Places known to their country alone are not judged. Most places come from addresses, which proxies and carrier exits move, so the mark adds nothing to the score.',
  },
  integrity: { zh: '完整性', en: 'Integrity' },
  hashRule: {
    zh: '每项的 SHA-256 覆盖加入时的事件行：每行一个 JSON 数组 [app, id, type, risk, level, action, occurredAt, receivedAt, device, user, version, country, province, city]，按文本排序，各行以换行结尾。全案摘要为各项摘要按下列顺序逐行相连的 SHA-256。',
    en: 'The SHA-256 of an entry covers the event rows as they were when it was added: one JSON array a row [app, id, type, risk, level, action, occurredAt, receivedAt, device, user, version, country, province, city], sorted as text, each ending with a line feed. The digest of the case is the SHA-256 of the entry digests, one a line, in the order below.',
  },
  digest: { zh: '全案摘要', en: 'Digest of the case' },
  rows: { zh: '{n} 行', en: '{n} rows' },
  withheld: {
    zh: '另有 {n} 项属于您无权查看的应用，未列出',
    en: '{n} more entries are about applications that you may not see and are left out',
  },
  empty: { zh: '案件中还没有内容', en: 'The case is empty' },
} as const

export type ReportText = (key: keyof typeof TEXTS, values?: Record<string, string | number>) => string

export function reportTexts(language: Language): ReportText {
  return (key, values = {}) =>
    TEXTS[key][language].replace(/\{(\w+)\}/g, (all, name: string) => (name in values ? String(values[name]) : all))
}
