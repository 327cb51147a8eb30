import { useState } from 'react'
import type { PackageEntry } from '#contracts/http/tools.ts'
import { formatBytes, formatExact } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { type Column, DataTable } from '#src/shared/table/data-table.tsx'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { TableFoot } from '#src/shared/table/table-tools.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { toolsTexts } from './tools-texts.ts'

const PAGE_SIZE = 100

/** Entries of an archive: searched, sorted and paged in the browser. */
export function EntryTable({ entries }: { entries: readonly PackageEntry[] }) {
  const t = useTexts(toolsTexts)
  const [find, setFind] = useState('')
  const [asked, setPage] = useState(1)
  const [sort, setSort] = useState<'name' | 'size'>('name')
  const words = find.toLowerCase()
  const found = words ? entries.filter(({ name }) => name.toLowerCase().includes(words)) : entries
  const sorted = sort === 'size' ? [...found].sort((a, b) => b.size - a.size) : found
  const page = Math.min(asked, Math.max(1, Math.ceil(found.length / PAGE_SIZE)))
  const columns: Column<PackageEntry>[] = [
    {
      id: 'name',
      header: t('entryName'),
      cell: ({ name }) => <code className="text-12 [overflow-wrap:anywhere]">{name}</code>,
    },
    {
      id: 'size',
      header: t('size'),
      numeric: true,
      width: '110px',
      sort: 'size',
      cell: ({ size }) => <span title={formatExact(size)}>{formatBytes(size)}</span>,
    },
    {
      id: 'packed',
      header: t('packed'),
      numeric: true,
      width: '110px',
      wide: true,
      cell: (one) => formatBytes(one.packed),
    },
    {
      id: 'method',
      header: t('method'),
      width: '100px',
      wide: true,
      cell: ({ method }) => (method === 0 ? t('stored') : method === 8 ? t('deflated') : String(method)),
    },
    {
      id: 'crc',
      header: 'CRC-32',
      width: '110px',
      wide: true,
      cell: ({ crc32 }) => <code className="text-12">{crc32.toString(16).padStart(8, '0')}</code>,
    },
  ]
  return (
    <>
      <div className="flex items-center gap-3 px-5 pb-2">
        <SearchBox
          value={find}
          label={t('findEntry')}
          onSearch={(next) => {
            setFind(next)
            setPage(1)
          }}
        />
        <span className="text-12 text-muted">{formatExact(found.length)}</span>
      </div>
      <DataTable
        label={t('entries')}
        columns={columns}
        rows={sorted.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)}
        rowKey={(one) => `${one.name} ${one.crc32}`}
        sort={sort === 'size' ? 'size' : ''}
        onSort={() => setSort(sort === 'size' ? 'name' : 'size')}
        empty={<EmptyState kind="filtered" title={t('noEntry')} />}
      />
      {found.length > PAGE_SIZE && <TableFoot page={page} pageSize={PAGE_SIZE} total={found.length} onPage={setPage} />}
    </>
  )
}
