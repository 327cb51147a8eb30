import { useInfiniteQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { auditLog, auditVerify } from '#contracts/http/audit-log.ts'
import { PAGES } from '#contracts/pages.ts'
import { call } from '#src/shared/api/call.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { defineTexts, useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'

const texts = defineTexts('logs', {
  note: {
    zh: '审计日志，{{number}} 条，至少保存六个月',
    en: 'Audit trail, {{number}} entries, kept for at least six months',
  },
  search: { zh: '按账号、动作或对象查找', en: 'Find by account, action or target' },
  verify: { zh: '核验审计链', en: 'Verify the chain' },
  verifyNeeds: { zh: '需要“核验审计链”权限', en: 'Needs the permission "Verify the audit chain"' },
  intact: { zh: '审计链完整，共核验 {{number}} 条', en: 'The chain is intact, {{number}} entries verified' },
  broken: { zh: '审计链在第 {{id}} 条处断开', en: 'The chain breaks at entry {{id}}' },
  time: { zh: '时间', en: 'Time' },
  account: { zh: '账号', en: 'Account' },
  role: { zh: '角色', en: 'Role' },
  action: { zh: '动作', en: 'Action' },
  target: { zh: '对象', en: 'Target' },
  result: { zh: '结果', en: 'Result' },
  address: { zh: '地址', en: 'Address' },
  detail: { zh: '说明', en: 'Detail' },
  more: { zh: '更早的记录', en: 'Earlier entries' },
  none: { zh: '没有匹配的记录', en: 'No entry matches' },
  clear: { zh: '清除查找', en: 'Clear the search' },
})

const PAGE = 50

export default function LogsPage() {
  const t = useTexts(texts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const mayVerify = useMay('audit.verify')
  const [search, setSearch] = useState('')
  const words = useDeferredValue(search.trim())
  const verify = useAction(auditVerify, {
    onSuccess: ({ data }) =>
      data.broken_at === null
        ? toast.success(t('intact', { number: formatExact(data.entries) }))
        : toast.error(t('broken', { id: data.broken_at }), { ms: Number.POSITIVE_INFINITY }),
  })
  const answer = useInfiniteQuery({
    queryKey: [auditLog.path, words],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(
        auditLog,
        { query: { limit: PAGE, ...(words && { search: words }), ...(pageParam && { cursor: pageParam }) }, signal },
        { quiet: true },
      ),
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: (before) => before,
  })
  const rows = answer.data?.pages.flatMap((page) => page.data)
  const columns = ['time', 'account', 'role', 'action', 'target', 'result', 'address', 'detail'] as const
  return (
    <div className="flex min-h-full flex-col">
      <PageTitle
        title={PAGES.audit_log[language]}
        actions={
          <Button
            icon={ShieldCheck}
            isDisabled={!mayVerify || verify.isPending}
            {...(!mayVerify && { title: t('verifyNeeds') })}
            onPress={() => verify.mutate({ body: {} })}
          >
            {t('verify')}
          </Button>
        }
      />
      <div className="flex items-center border-b px-5 pb-3 max-lg:px-4">
        <TextField
          label={t('search')}
          hideLabel
          placeholder={t('search')}
          value={search}
          onChange={setSearch}
          maxLength={100}
          className="w-80 max-w-full"
        />
      </div>
      {answer.error && !rows ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : !rows ? (
        <Skeleton lines={10} height="20px" className="p-5" />
      ) : rows.length === 0 ? (
        <EmptyState
          kind={words ? 'filtered' : 'none'}
          title={t('none')}
          action={words && <Button onPress={() => setSearch('')}>{t('clear')}</Button>}
        />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table must be scrollable by keyboard
        <section className="overflow-x-auto" tabIndex={0} aria-label={PAGES.audit_log[language]}>
          <table className="w-full border-collapse whitespace-nowrap">
            <thead>
              <tr className="h-8 border-b text-12 text-muted">
                {columns.map((column) => (
                  <th key={column} scope="col" className="px-2 text-left font-normal first:pl-5 last:pr-5">
                    {t(column)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id} className="h-row border-b hover:bg-hover">
                  <td className="pr-2 pl-5 tabular-nums">{formatDateTime(row.at, zone)}</td>
                  <td className="px-2">{row.account}</td>
                  <td className="px-2 text-muted">{row.role}</td>
                  <td className="px-2 font-mono text-12">{row.action}</td>
                  <td className="max-w-[max(10rem,12vw)] text-clip-line px-2" title={row.target}>
                    {row.target}
                  </td>
                  <td className="px-2">
                    <Chip tone={row.result === 'ok' || row.result === '0' ? 'good' : 'bad'}>{row.result}</Chip>
                  </td>
                  <td className="px-2 font-mono text-12">{row.address}</td>
                  <td className="max-w-[max(12rem,16vw)] text-clip-line pr-5 pl-2 text-muted" title={row.detail}>
                    {row.detail}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {answer.hasNextPage && (
        <div className="flex justify-center py-4">
          <Button isDisabled={answer.isFetchingNextPage} onPress={() => void answer.fetchNextPage()}>
            {t('more')}
          </Button>
        </div>
      )}
    </div>
  )
}
