import { z } from 'zod'

/** Long work. `waiting` and `running` may be cancelled, which ends in `stopped`; `failed` has an error key of errors.ts. */
export const JOB_STATES = ['waiting', 'running', 'done', 'failed', 'stopped'] as const
export const JOB_KINDS = {
  export: { zh: '导出', en: 'Export' },
  erase: { zh: '删除个人数据', en: 'Deletion of personal data' },
  report: { zh: '报告', en: 'Report' },
} as const
export const JobSchema = z.strictObject({
  id: z.string(),
  kind: z.enum(Object.keys(JOB_KINDS) as [keyof typeof JOB_KINDS, ...(keyof typeof JOB_KINDS)[]]),
  title: z.string(),
  state: z.enum(JOB_STATES),
  /** 0 to 1; null while the total is unknown. */
  progress: z.number().nullable(),
  /** What it is doing, or how it ended, in the language of the request. */
  note: z.string(),
  rows: z.number(),
  bytes: z.number(),
  created_at: z.number(),
  started_at: z.number().nullable(),
  ended_at: z.number().nullable(),
  /** Where the result lies: a navigation path under /api/. */
  download: z.string().nullable(),
})
/** What `note` says besides errors (errors.ts), by the key that is stored. */
export const JOB_NOTES = {
  'erase.exports': {
    zh: '可能含有其数据的导出结果已一并删除，包括其他用户的，可重新导出',
    en: 'Results of exports that may have held its rows were deleted too, also those of other users; they can be exported again',
  },
  'erase.locked': {
    zh: '数据已删除；元数据表正被占用，旧数据页稍后重写',
    en: 'The data is deleted; tables of the metadata store are in use, their old pages are rewritten later',
  },
  'erase.space': {
    zh: '数据已删除；磁盘空间不足，有空间后重写元数据表的旧数据页',
    en: 'The data is deleted; old pages of the metadata store are rewritten once the disk has space',
  },
  'erase.left': {
    zh: '数据已删除，但元数据表一天内未能重写，其文件中可能仍有旧数据；请释放磁盘空间后再次删除',
    en: 'The data is deleted, but the metadata tables could not be rewritten for a day: their files may hold old bytes. Free disk space, then delete once more',
  },
  'export.erased': {
    zh: '结果可能含有已按请求删除的个人数据，已移除，可重新导出',
    en: 'Removed, since it may have held personal data that was deleted on request; it can be exported again',
  },
} as const satisfies Record<string, { zh: string; en: string }>
export type JobNote = keyof typeof JOB_NOTES

export type Job = z.infer<typeof JobSchema>
export type JobState = Job['state']

const EXPORT_FORMATS = ['csv', 'xlsx'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]
/** What an export is written as, and what it is called. */
export const EXPORT_FILE = {
  format: z.enum(EXPORT_FORMATS).default('csv'),
  title: z.string().trim().min(1).max(100),
}
