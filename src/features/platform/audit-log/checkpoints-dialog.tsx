import { useState } from 'react'
import { auditCheckpoints, type Checkpoint } from '#contracts/http/audit-log.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { defineTexts, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { type Column, DataTable } from '#src/shared/table/data-table.tsx'
import { CopyText } from '#src/shared/ui/copy-text.tsx'
import { Dialog } from '#src/shared/ui/dialog.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { Snippet } from '#src/shared/ui/snippet.tsx'
import { verifyCommands } from './verify-commands.ts'

const texts = defineTexts('log-checkpoints', {
  title: { zh: '检查点与公钥', en: 'Checkpoints and public key' },
  about: {
    zh: '检查点用平台的私钥对最新一条的哈希签名，它前面的全部记录也就不能再改。每小时或每 1000 条签发一个，副本存在数据库之外，也送往各个日志输出。',
    en: 'A checkpoint signs the hash of the newest entry with the key of the platform, so nothing before it can be changed any more. One is made every hour or every 1000 entries; copies are kept outside the database and sent to the outputs.',
  },
  key: { zh: '公钥（SM2，未压缩点，十六进制）', en: 'Public key (SM2, uncompressed point, hexadecimal)' },
  list: { zh: '检查点', en: 'Checkpoints' },
  number: { zh: '编号', en: 'Number' },
  time: { zh: '签发时间', en: 'Signed' },
  entry: { zh: '到第几条', en: 'Up to entry' },
  hash: { zh: '该条哈希', en: 'Its hash' },
  signature: { zh: '签名', en: 'Signature' },
  none: { zh: '还没有检查点', en: 'No checkpoints yet' },
  noneHint: { zh: '第一个在一小时内签发。', en: 'The first is made within an hour.' },
  how: { zh: '用 OpenSSL 3 独立核验第 {{id}} 个', en: 'Verify no. {{id}} independently with OpenSSL 3' },
  howNote: {
    zh: '输出 Verified OK 表示签名有效。再从下载的审计日志里找到第 {{entry}} 条，哈希须与上面一致。点选一行可换一个检查点。',
    en: '“Verified OK” means that the signature is valid. Entry {{entry}} of a downloaded audit trail must have the same hash. Choose another row for another checkpoint.',
  },
})

/** Signed checkpoints, the key that verifies them, and how to do that without this product. */
export function CheckpointsDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts)
  const zone = usePlatform((state) => state.zone)
  const answer = useEndpoint(auditCheckpoints, { query: { limit: 200 } })
  const [chosen, setChosen] = useState<Checkpoint | null>(null)
  const shown = chosen ?? answer.data?.data[0]
  const columns: readonly Column<Checkpoint>[] = [
    { id: 'id', header: t('number'), cell: ({ id }) => formatExact(id) },
    { id: 'at', header: t('time'), cell: ({ at }) => formatDateTime(at, zone) },
    { id: 'entry', header: t('entry'), numeric: true, cell: ({ entry_id }) => formatExact(entry_id) },
    { id: 'hash', header: t('hash'), wide: true, cell: ({ hash }) => <CopyText value={hash} short /> },
    {
      id: 'signature',
      header: t('signature'),
      wide: true,
      cell: ({ signature }) => <CopyText value={signature} short />,
    },
  ]
  return (
    <Dialog title={t('title')} isOpen onOpenChange={onClose} width={760}>
      <p className="mb-4 text-muted">{t('about')}</p>
      {answer.error && !answer.data ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : !answer.data ? (
        <Skeleton lines={5} height="20px" />
      ) : (
        <>
          <h3 className="mb-1.5">{t('key')}</h3>
          <div className="mb-4 flex items-center rounded border bg-code px-3 py-1.5">
            <CopyText value={answer.data.public_key} />
          </div>
          <div className="rounded border">
            <DataTable
              label={t('list')}
              columns={columns}
              rows={answer.data.data}
              rowKey={({ id }) => String(id)}
              current={shown ? String(shown.id) : null}
              onOpen={setChosen}
              openMark={false}
              density="dense"
              maxHeight="236px"
              empty={<EmptyState kind="none" title={t('none')} hint={t('noneHint')} />}
            />
          </div>
          {shown && (
            <>
              <Snippet title={t('how', { id: shown.id })} text={verifyCommands(shown, answer.data.public_key)} />
              <p className="mt-2 text-12 text-muted">{t('howNote', { entry: shown.entry_id })}</p>
            </>
          )}
        </>
      )}
    </Dialog>
  )
}
