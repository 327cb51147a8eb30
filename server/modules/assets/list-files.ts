import type { exportFiles, fileManage } from '#contracts/http/assets.ts'
import type { BodyOf, QueryOf, ResponseOf } from '#contracts/http/endpoint.ts'
import type { Caller, ServerDeps } from '../../http/module.ts'
import { readFiles, selectFiles } from './file-rows.ts'

type Query = QueryOf<typeof fileManage>
type Filters = BodyOf<typeof exportFiles>['list']
type Owner = Pick<Caller, 'scope' | 'userId'>

/** A page of the asset list with what all that match add up to: the numbers count exactly the rows that paging shows. */
export async function listFiles(
  deps: Pick<ServerDeps, 'meta' | 'files'>,
  caller: Owner,
  query: Query,
): Promise<ResponseOf<typeof fileManage>> {
  const { page, page_size, sort, direction } = query
  const [data, sums] = await Promise.all([
    readFiles(
      deps,
      matchingFiles(deps, caller, query)
        .orderBy(`app_files.${sort}`, direction)
        .orderBy('app_files.id', direction)
        .limit(page_size)
        .offset((page - 1) * page_size),
    ),
    matchingFiles(deps, caller, query, false)
      .select('app_files.file_type')
      .select((select) => [
        select.fn.countAll<string>().as('count'),
        select.fn.sum<string>('app_files.size').as('size'),
        select.fn.countAll<string>().filterWhere('app_files.protection', '=', 'reinforced').as('reinforced'),
      ])
      .groupBy('app_files.file_type')
      .execute(),
  ])
  const shown = sums.filter(({ file_type }) => !query.file_type || file_type === query.file_type)
  const sum = (of: (row: (typeof sums)[number]) => string) => shown.reduce((total, row) => total + Number(of(row)), 0)
  return {
    data,
    total: sum((row) => row.count),
    summary: {
      size: sum((row) => row.size),
      reinforced: sum((row) => row.reinforced),
      by_file_type: Object.fromEntries(sums.map(({ file_type, count }) => [file_type, Number(count)])),
    },
  }
}

/** Files that pass the filters; `withType` false leaves the file type out. */
export function matchingFiles(deps: Pick<ServerDeps, 'meta'>, caller: Owner, query: Filters, withType = true) {
  let select = selectFiles(deps, caller)
  if (query.search) {
    const text = `%${query.search.replace(/[\\%_]/g, (one) => `\\${one}`)}%`
    select = select.where((where) =>
      where.or(
        (['app_files.name', 'app_files.file_name', 'app_files.package_name'] as const).map((column) =>
          where(column, 'ilike', text),
        ),
      ),
    )
  }
  if (query.from !== undefined) select = select.where('app_files.uploaded_at', '>=', query.from)
  if (query.to !== undefined) select = select.where('app_files.uploaded_at', '<', query.to)
  if (query.type) select = select.where('app_files.type', '=', query.type)
  if (query.protection) select = select.where('app_files.protection', '=', query.protection)
  if (query.appid) select = select.where('app_files.application_id', '=', Number(query.appid))
  if (withType && query.file_type) select = select.where('app_files.file_type', '=', query.file_type)
  return select
}
