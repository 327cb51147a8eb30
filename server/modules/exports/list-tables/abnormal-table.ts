import { CONTRADICTIONS, reportedBuild } from '#domain/baseline.ts'
import type { ContradictionRow } from '#storage/events/device-port.ts'
import { resolveQuery } from '../../../query/resolve-query.ts'
import { knownBuilds } from '../../baselines/baseline-rows.ts'
import type { ExportedList } from '../../jobs/job-rows.ts'
import type { ExportTable } from '../export-tables.ts'
import { type ListSource, listTable } from './list-table.ts'

const PAGE = 1000

/** Returns that contradict the baseline of their version, newest first, with what their build reported. */
export async function abnormalTable(
  list: Extract<ExportedList, { of: 'abnormal_returns' }>,
  source: ListSource,
): Promise<ExportTable> {
  const { meta, store, scope, zone, now, words, language } = source
  const query = resolveQuery({ ...list.query, compare: 'none' }, scope, now, zone)
  const known = await knownBuilds(meta.db, scope)
  const ask = { query, ...known, kinds: list.kinds, ...(list.signer && { signer: list.signer }) }
  const { total } = await store.contradictions(ask)
  async function* pages(): AsyncGenerator<ContradictionRow[]> {
    for (let cursor: string | undefined; ; ) {
      const { rows, nextCursor } = await store.contradicting(ask, { limit: PAGE, ...(cursor && { cursor }) })
      yield rows.map((one) => ({ ...one, row: source.row(one.row) }))
      if (!nextCursor) return
      cursor = nextCursor
    }
  }
  const reported = ({ row }: ContradictionRow) => reportedBuild(row.extra, row.channel)
  const named = (dimension: 'country' | 'province' | 'city', { row }: ContradictionRow) =>
    row[dimension] === '' ? '' : words.value(dimension, row[dimension])
  return listTable<ContradictionRow>(
    [
      ['事件编号', 'Event id', ({ row }) => row.id],
      ['发生时间', 'Occurred at', ({ row }) => words.time(row.occurredAt)],
      ['应用', 'Application', ({ row }) => words.value('app', row.app)],
      ['版本', 'Version', ({ row }) => row.version],
      ['不一致', 'Contradictions', ({ kinds }) => kinds.map((kind) => CONTRADICTIONS[kind][language]).join('; ')],
      ['上报包名', 'Reported package', (one) => reported(one).packageName],
      ['上报签名', 'Reported signer', (one) => reported(one).signer],
      [
        '上报摘要',
        'Reported hashes',
        (one) =>
          Object.entries(reported(one).hashes)
            .map(([name, hash]) => `${name}=${hash}`)
            .join('; '),
      ],
      ['渠道', 'Channel', ({ row }) => row.channel],
      ['国家或地区', 'Country or region', (one) => named('country', one)],
      ['省级地区', 'Province', (one) => named('province', one)],
      ['城市', 'City', (one) => named('city', one)],
      ['设备', 'Device', ({ row }) => row.device],
      ['用户', 'User', ({ row }) => row.user],
      ['地址', 'Address', ({ row }) => row.address],
    ],
    source,
    total,
    pages(),
  )
}
