import { z } from 'zod'

/** What is measured of the machine and the platform, the limits that raise an alert, and the rule that opens and closes one. */

/** Seconds between two samples. */
export const SAMPLE_SECONDS = 15
/** Lengths, in seconds, of the stored means, and how long each is kept, in ms. */
export const STORED_STEPS = [
  { seconds: 60, keptMs: 25 * 3_600_000 },
  { seconds: 900, keptMs: 31 * 24 * 3_600_000 },
] as const

/** Without a sample for this long, in ms, the newest one is called old. */
export const STALE_MS = 90_000

/** Everything that has a history. Values are in the unit; null in a sample: not known then. */
export const METRICS = {
  /** Of the processors that this platform may use: the machine's, or the container's limit. */
  cpu: 'percent',
  memory: 'percent',
  /** Of the file system that holds the data folder. */
  disk: 'percent',
  /** Tasks that wait: exports, reports, deletions, detections, deliveries. */
  queue: 'count',
  /** Age of the oldest event that is accepted and not stored. */
  lag: 'seconds',
  /** Accepted and not stored, in the journal. */
  journal: 'bytes',
  /** Of the connections that PostgreSQL allows. */
  connections: 'percent',
  /** Processes that ended and were started again, in the last hour. */
  restarts: 'count',
  /** Open live sockets. */
  clients: 'count',
  /** Events accepted a second. */
  events: 'rate',
  net_in: 'bytes_rate',
  net_out: 'bytes_rate',
  size_events: 'bytes',
  size_metadata: 'bytes',
  size_files: 'bytes',
  size_journal: 'bytes',
  size_logs: 'bytes',
} as const
export type Metric = keyof typeof METRICS
export type MetricUnit = (typeof METRICS)[Metric]
export const METRIC_NAMES = Object.keys(METRICS) as Metric[]
export type Values = Readonly<Partial<Record<Metric, number | null>>>

/** Metrics with a limit. `shared`: of the cluster, not of one machine, so only nodes that run jobs judge them. */
export const WATCHED = {
  cpu: { least: 1, most: 100, preset: 90, shared: false },
  memory: { least: 1, most: 100, preset: 90, shared: false },
  disk: { least: 1, most: 100, preset: 85, shared: false },
  queue: { least: 1, most: 1_000_000, preset: 500, shared: true },
  lag: { least: 1, most: 86_400, preset: 60, shared: false },
  journal: { least: 1_048_576, most: 1_099_511_627_776, preset: 536_870_912, shared: false },
  connections: { least: 1, most: 100, preset: 80, shared: true },
  restarts: { least: 1, most: 1000, preset: 3, shared: false },
} as const satisfies Partial<Record<Metric, object>>
export type Watched = keyof typeof WATCHED
export const WATCHED_NAMES = Object.keys(WATCHED) as [Watched, ...Watched[]]

const limit = (name: Watched) => z.int().min(WATCHED[name].least).max(WATCHED[name].most).nullable()

/** Limits (null: no alert), how many samples in a row open and close an alert, and the channels that get the alerts. */
export const EnvironmentSettingsSchema = z.strictObject({
  limits: z
    .strictObject({
      cpu: limit('cpu').default(WATCHED.cpu.preset),
      memory: limit('memory').default(WATCHED.memory.preset),
      disk: limit('disk').default(WATCHED.disk.preset),
      queue: limit('queue').default(WATCHED.queue.preset),
      lag: limit('lag').default(WATCHED.lag.preset),
      journal: limit('journal').default(WATCHED.journal.preset),
      connections: limit('connections').default(WATCHED.connections.preset),
      restarts: limit('restarts').default(WATCHED.restarts.preset),
    })
    .prefault({}),
  open_after: z.int().min(1).max(240).default(8),
  close_after: z.int().min(1).max(240).default(8),
  channels: z.array(z.string().max(40)).max(10).default([]),
})
export type EnvironmentSettings = z.infer<typeof EnvironmentSettingsSchema>

/** An alert closes below this share of its limit: a value that swings about the limit neither closes nor opens it again. */
export const CLEAR_SHARE = 0.95

/** State of one metric: samples in a row at or over the limit, and below where it clears. */
export type Watch = { open: boolean; over: number; under: number }
export const QUIET: Watch = { open: false, over: 0, under: 0 }

/**
 * The next state after one sample. Opens after `openAfter` samples in a row at or over the limit, closes after `closeAfter` in a row below
 * CLEAR_SHARE of it. What is in between ends both rows; a value that is not known changes nothing. Without a limit nothing is open.
 */
export function nextWatch(
  watch: Watch,
  value: number | null,
  limit: number | null,
  { openAfter, closeAfter }: { openAfter: number; closeAfter: number },
): Watch {
  if (limit === null) return QUIET
  if (value === null) return watch
  const over = value >= limit ? watch.over + 1 : 0
  const under = value < limit * CLEAR_SHARE ? watch.under + 1 : 0
  if (!watch.open && over >= openAfter) return { open: true, over, under: 0 }
  if (watch.open && under >= closeAfter) return QUIET
  return { open: watch.open, over, under }
}

/** Ranges of the page: how long, and how long one point is. All points are whole numbers of stored means. */
export const RANGES = {
  '1h': { ms: 3_600_000, stepMs: 60_000, stored: 60 },
  '24h': { ms: 86_400_000, stepMs: 300_000, stored: 60 },
  '7d': { ms: 7 * 86_400_000, stepMs: 1_800_000, stored: 900 },
  '30d': { ms: 30 * 86_400_000, stepMs: 7_200_000, stored: 900 },
} as const
export type EnvironmentRange = keyof typeof RANGES
export const RANGE_NAMES = Object.keys(RANGES) as [EnvironmentRange, ...EnvironmentRange[]]

/** Names and what to do about an alert, for screens and notifications. */
export const METRIC_WORDS: Readonly<Record<Metric, { zh: string; en: string }>> = {
  cpu: { zh: 'CPU', en: 'CPU' },
  memory: { zh: '内存', en: 'Memory' },
  disk: { zh: '磁盘', en: 'Disk' },
  queue: { zh: '任务队列', en: 'Task queue' },
  lag: { zh: '入库延迟', en: 'Ingest lag' },
  journal: { zh: '日志积压', en: 'Journal backlog' },
  connections: { zh: '数据库连接', en: 'Database connections' },
  restarts: { zh: '进程重启', en: 'Process restarts' },
  clients: { zh: '在线连接', en: 'Live clients' },
  events: { zh: '事件速率', en: 'Event rate' },
  net_in: { zh: '网络入', en: 'Network in' },
  net_out: { zh: '网络出', en: 'Network out' },
  size_events: { zh: '事件库', en: 'Event store' },
  size_metadata: { zh: '元数据库', en: 'Metadata store' },
  size_files: { zh: '文件', en: 'Files' },
  size_journal: { zh: '接收日志', en: 'Journal' },
  size_logs: { zh: '进程日志', en: 'Process logs' },
}

export const ADVICE: Readonly<Record<Watched, { zh: string; en: string }>> = {
  cpu: {
    zh: '看进程表中占用最高的进程；检测任务可稍后再跑，长期如此请增加处理器。',
    en: 'See which process uses most in the table; run detections later, add processors if it stays so.',
  },
  memory: {
    zh: '看进程表中内存最大的进程；减少同时进行的检测，或增加内存。',
    en: 'See which process holds most in the table; run fewer detections at once, or add memory.',
  },
  disk: {
    zh: '清理旧备份与不再需要的文件，缩短数据保留期，或扩充磁盘；写满后不再接收事件。',
    en: 'Remove old backups and files, shorten retention, or extend the disk; a full disk takes no events.',
  },
  queue: {
    zh: '检查任务是否卡住（任务列表、jobs 进程日志）；积压持续增长时增加处理器或错开任务。',
    en: 'Check for stuck tasks (task lists, log of the jobs process); if it keeps growing add processors or spread the tasks.',
  },
  lag: {
    zh: '事件已安全写入日志，尚未入库；查看 store 进程日志与磁盘速度，持续一小时以上请增加内存或处理器。',
    en: 'Events are safe in the journal, not stored yet; see the log of the store process and the disk, add memory or processors if it lasts an hour.',
  },
  journal: {
    zh: '事件库跟不上或已停止；到 1 GB 时发送方会收到 429。查看 store 进程日志并释放磁盘空间。',
    en: 'The event store is behind or down; at 1 GB senders get 429. See the log of the store process and free disk space.',
  },
  connections: {
    zh: '检查占用数据库连接的其他程序或卡住的任务；外部数据库可提高 max_connections。',
    en: 'Look for other programs or stuck tasks that hold connections; raise max_connections of an external database.',
  },
  restarts: {
    zh: '查看重启进程的日志（appwarden logs --process 进程名），常见原因是内存不足或磁盘写满。',
    en: 'See the log of the process (appwarden logs --process NAME); too little memory or a full disk are the usual causes.',
  },
}
