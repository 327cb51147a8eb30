import { type Language, ProductError } from '#contracts/errors.ts'
import { DOC_NEEDS, REPORT_NEEDS } from '#contracts/http/reports/make-report.ts'
import { REPORT_FORMATS } from '#contracts/http/reports/task-reports.ts'
import { PERMISSION_ITEMS } from '#contracts/permissions.ts'
import { resolveRange } from '#domain/time-range.ts'
import { cityByCode, provinceByCode } from '#engines/geo/place-table.ts'
import type { Block, LabelledText } from '#engines/report/document.ts'
import type { EventStore } from '#storage/events/port.ts'
import type { Caller, ServerDeps } from '../../http/module.ts'
import { zonedTime } from '../../platform/tables/zoned-time.ts'
import { refuseAddress } from '../../query/personal.ts'
import { openResult } from '../detection/result-module.ts'
import { caseDocument } from '../investigation/case-document.ts'
import { findCase } from '../investigation/case-store.ts'
import type { ReportInput, ReportSubject } from '../jobs/job-rows.ts'
import { scriptDocument } from '../js-protection/script-document.ts'
import { findScript } from '../js-protection/script-rows.ts'
import { articleDocument, readDocumentImages } from '../knowledge/article-document.ts'
import { currentLibrary } from '../knowledge/own-library.ts'
import type { Article } from '../knowledge/read-articles.ts'
import { monitorDocument } from '../monitoring/monitor-document.ts'
import { findTask } from '../monitoring/monitor-rows.ts'
import { takedownOrdered, takedownParts, takedownTitle } from '../monitoring/write-takedown.ts'
import { reinforceDocument } from '../reinforce-tasks/reinforce-document.ts'
import { readReinforceReport } from '../reinforce-tasks/reinforce-report.ts'
import { findTask as findReinforcement } from '../reinforce-tasks/reinforce-rows.ts'
import { selfCheckDocument } from '../self-check/self-check-document.ts'
import { statisticsDocument } from '../statistics/statistics-document.ts'

export type ReportDeps = Pick<ServerDeps, 'meta' | 'files' | 'settings' | 'now'> & { store: EventStore }
export type Requester = Pick<Caller, 'userId' | 'auth' | 'scope'>
export type ReportParts = { title: string; subject: string; cover: LabelledText[]; blocks: Block[] }
type Viewer = { userId: number; username: string }
type Of<K extends ReportSubject['of']> = Extract<ReportSubject, { of: K }>
type Named = { title: string; apps: ReportInput['apps'] }

/**
 * What a module provides for reports. `name` runs with the rights of the requester: it throws data.missing for what the requester does not
 * see, and returns the title and the applications of the report. `write` runs in the jobs process with the stored scope; detections are written by report-job.ts, since they alone have readers and chapters to choose.
 */
type ReportSource<K extends ReportSubject['of']> = {
  name(
    deps: Pick<ReportDeps, 'meta' | 'files' | 'settings' | 'now'>,
    requester: Requester,
    subject: Of<K>,
    language: Language,
  ): Promise<Named>
  /** What else its order does. */
  ordered?(deps: Pick<ReportDeps, 'meta' | 'now'>, requester: Requester, subject: Of<K>): Promise<void>
  write: K extends 'detection'
    ? null
    : (deps: ReportDeps, viewer: Viewer, input: ReportInput & Of<K>) => Promise<ReportParts>
}

const SOURCES: { readonly [K in ReportSubject['of']]: ReportSource<K> } = {
  detection: {
    async name(deps, { userId, scope }, { task: id }) {
      const { task } = await openResult(deps, { userId, scope }, id)
      const apps = task.application_id === null ? [] : [task.application_id]
      return { title: `${task.name || task.package_id} ${task.version}`, apps }
    },
    write: null,
  },
  case: {
    async name({ meta }, viewer, { case: id }, language) {
      const { title, apps } = await findCase(meta.db, viewer, id)
      return { title: `${title} ${language === 'zh' ? '案件报告' : 'case report'}`, apps: apps.map(Number) }
    },
    write: (deps, viewer, input) => caseDocument(deps, { ...viewer, scope: input.scope }, input.case, input.language),
  },
  self_check: {
    async name(deps, requester, { app }, language) {
      const { name } = await findApp(deps, requester, app)
      return { title: `${name} ${language === 'zh' ? '违法违规自检' : 'self-check'}`, apps: [app] }
    },
    async write(deps, _viewer, input) {
      const app = await findApp(deps, input, input.app)
      return await selfCheckDocument(deps, { id: input.app, name: app.name }, input.language, deps.settings().zone)
    },
  },
  script: {
    async name({ meta }, viewer, { script: id }, language) {
      const { name, state, application_id } = await findScript(meta, viewer, id)
      if (state !== 'encrypted') throw new ProductError('data.missing')
      const title = `${name} ${language === 'zh' ? 'JS 保护报告' : 'JS protection report'}`
      return { title, apps: application_id === null ? [] : [application_id] }
    },
    async write(deps, viewer, input) {
      const row = await findScript(deps.meta, { ...viewer, scope: input.scope }, input.script)
      return scriptDocument(row, input.language, deps.settings().zone)
    },
  },
  reinforcement: {
    async name({ meta }, viewer, { task: id }, language) {
      const { name, version, state, application_id } = await findReinforcement(meta, viewer, id)
      if (state !== 'success') throw new ProductError('data.missing')
      const title = `${name} ${version} ${language === 'zh' ? '加固报告' : 'reinforcement report'}`
      return { title, apps: application_id === null ? [] : [application_id] }
    },
    async write(deps, viewer, { task, scope, language }) {
      const row = await findReinforcement(deps.meta, { ...viewer, scope }, task)
      const report = await readReinforceReport(deps.meta, row, language)
      if (!report) throw new ProductError('data.missing')
      return reinforceDocument(row, report, language, deps.settings().zone)
    },
  },
  statistics: {
    async name({ meta, settings, now }, { auth, scope }, { query }, language) {
      // A stored report is read by others: filters by address are refused for every account.
      refuseAddress({ kind: 'token', auth: auth.filter((one) => one !== 'personal.reveal'), language }, query.filters)
      const ofApps = query.filters.filter(({ field }) => field === 'app')
      // Title and cover name the applications of the filters, so the caller has to see each of them, also one that is excluded.
      for (const id of ofApps.flatMap(({ values }) => values))
        if (!/^\d{1,9}$/.test(id) || (scope.apps !== 'all' && !scope.apps.includes(Number(id))))
          throw new ProductError('data.missing')
      const chosen = ofApps.find(({ op }) => op === 'is')?.values.map(Number)
      const apps = chosen ?? scope.apps
      const names = chosen
        ? await meta.db.selectFrom('applications').select('name').where('id', 'in', chosen).orderBy('id').execute()
        : []
      const of =
        names.length > 0
          ? names
              .map(({ name }) => name)
              .join(', ')
              .slice(0, 60)
          : language === 'zh'
            ? '全部应用'
            : 'All applications'
      const { from, to } = resolveRange(query.range, now(), settings().zone)
      const day = (at: number) => zonedTime(at, settings().zone).slice(0, 10)
      return { title: `${of} ${language === 'zh' ? '统计报告' : 'statistics'} ${day(from)}–${day(to)}`, apps }
    },
    write: (deps, _viewer, { query, scope, language }) =>
      statisticsDocument(
        {
          ...deps,
          zone: deps.settings().zone,
          placeName,
        },
        { query, scope, now: deps.now(), language },
      ),
  },
  monitoring: {
    async name({ meta }, requester, { monitor }, language) {
      const { application_id: app } = await findTask(meta, requester, monitor)
      const { name } = await findApp({ meta }, requester, app)
      return { title: `${name} ${language === 'zh' ? '监测报告' : 'monitoring report'}`, apps: [app] }
    },
    write: (deps, _viewer, { monitor, scope, language }) =>
      monitorDocument({ ...deps, zone: deps.settings().zone, placeName }, { scope }, monitor, language),
  },
  takedown: {
    async name({ meta }, requester, { copy: id, market }, language) {
      const { title, application } = await takedownTitle(meta, requester, id, market, language)
      return { title, apps: [application] }
    },
    ordered: (deps, requester, { copy, market }) => takedownOrdered(deps, requester, copy, market),
    write: (deps, _viewer, { copy, market, scope, language }) =>
      takedownParts(deps, { scope }, { copy, market, language, zone: deps.settings().zone }),
  },
  article: {
    async name(deps, _requester, { article }, language) {
      return { title: (await findArticle(deps, article))[language].title, apps: [] }
    },
    async write(deps, _viewer, { article, language }) {
      const one = await findArticle(deps, article)
      return articleDocument(one, language, await readDocumentImages(deps, one[language].blocks))
    },
  },
}

const placeName = (code: string, language: Language) =>
  (cityByCode(Number(code)) ?? provinceByCode(Number(code)))?.[language]

/** What the report is called and is about. Throws permission.missing, and what the source refuses. */
export async function nameReport(
  deps: Pick<ReportDeps, 'meta' | 'files' | 'settings' | 'now'>,
  requester: Requester,
  subject: ReportSubject,
  { format, language }: Pick<ReportInput, 'format' | 'language'>,
): Promise<Named> {
  const source = SOURCES[subject.of] as ReportSource<ReportSubject['of']>
  const doc = format === 'docx' ? DOC_NEEDS[subject.of] : undefined
  for (const needs of [REPORT_NEEDS[subject.of], ...(doc ? [doc] : [])])
    if (!requester.auth.includes(needs))
      throw new ProductError('permission.missing', { permission: PERMISSION_ITEMS[needs][language] })
  const { title, apps } = await source.name(deps, requester, subject as never, language)
  return { title: `${title} ${REPORT_FORMATS[format][language]}`, apps }
}

/** What the order of a report does beside its job. */
export async function reportOrdered(
  deps: Pick<ReportDeps, 'meta' | 'now'>,
  requester: Requester,
  subject: ReportSubject,
): Promise<void> {
  const { ordered } = SOURCES[subject.of] as ReportSource<ReportSubject['of']>
  await ordered?.(deps, requester, subject as never)
}

/** The document of a report that is of no detection. */
export async function writeParts(deps: ReportDeps, viewer: Viewer, input: ReportInput): Promise<ReportParts> {
  const { write } = SOURCES[input.of] as ReportSource<'case'>
  return await write(deps, viewer, input as never)
}

async function findArticle({ meta }: Pick<ReportDeps, 'meta'>, id: string): Promise<Article> {
  const one = (await currentLibrary(meta)).find(id)
  if (!one) throw new ProductError('data.missing')
  return one
}

async function findApp({ meta }: Pick<ReportDeps, 'meta'>, { scope }: Pick<Requester, 'scope'>, app: number) {
  const row = await meta.db
    .selectFrom('applications')
    .select(['id', 'name'])
    .where('id', '=', app)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row || (scope.apps !== 'all' && !scope.apps.includes(app))) throw new ProductError('data.missing')
  return row
}
