import { Upload } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { signatureList } from '#contracts/http/reinforce-signatures.ts'
import { PAGES } from '#contracts/pages.ts'
import { PermittedPage } from '#src/shared/account/permitted-page.tsx'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { useCurrentApplication } from '#src/shared/session/application-store.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { DataTable } from '#src/shared/table/data-table.tsx'
import { useActions } from '#src/shared/ui/actions.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { signatureColumns } from './signature-columns.tsx'
import { SignatureDetail } from './signature-detail.tsx'
import { signatureTexts } from './signature-texts.ts'
import { UploadDialog } from './upload-dialog.tsx'

/** /reinforce/signatures: key stores that protected packages are signed with. The address names the open one. */
export default function SignaturesPage() {
  return (
    <PermittedPage page="reinforce_signatures" permission="asset.harden">
      <Signatures />
    </PermittedPage>
  )
}

function Signatures() {
  const t = useTexts(signatureTexts)
  const language = useLanguage()
  const nameOf = useNameOf()
  const zone = usePlatform((state) => state.zone)
  const application = useCurrentApplication()
  const [params, setParams] = useSearchParams()
  const [isUploading, setUploading] = useState(false)
  const answer = useEndpoint(signatureList, { query: application ? { appid: application.id } : {} })
  const list = answer.data?.data
  const now = answer.data?.now ?? 0
  const open = list?.find(({ id }) => id === params.get('id'))
  const show = (id: string | null) =>
    setParams(
      (before) => {
        if (id === null) before.delete('id')
        else before.set('id', id)
        return before
      },
      { replace: true },
    )
  const upload = () => setUploading(true)
  useActions([{ id: 'signatures.upload', label: t('upload'), group: t('group'), keys: 'n', icon: Upload, run: upload }])
  const columns = useMemo(
    () => signatureColumns({ t, nameOf, zone, now, isNarrow: open !== undefined }),
    [t, nameOf, zone, now, open],
  )
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle
        title={PAGES.reinforce_signatures[language]}
        note={list && list.length > 0 && t('count', { count: list.length })}
        actions={
          <Button variant="primary" icon={Upload} onPress={upload}>
            {t('upload')}
          </Button>
        }
      />
      {answer.error && !list ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : !list ? (
        <Skeleton lines={6} height="28px" className="border-t p-5" />
      ) : (
        <div className="flex min-h-0 flex-1 border-t">
          <div className={`flex min-w-0 flex-1 flex-col ${open ? 'max-lg:hidden' : ''}`}>
            <DataTable
              label={PAGES.reinforce_signatures[language]}
              columns={columns}
              rows={list}
              rowKey={({ id }) => id}
              current={open?.id ?? null}
              onOpen={({ id }) => show(id)}
              empty={
                <EmptyState
                  kind="none"
                  title={t('none')}
                  hint={t('noneHint')}
                  action={<Button onPress={upload}>{t('upload')}</Button>}
                />
              }
            />
          </div>
          {open && (
            <div className="w-[46%] min-w-0 flex-none border-l max-lg:w-full max-lg:border-l-0">
              <SignatureDetail key={open.id} item={open} now={now} onClose={() => show(null)} />
            </div>
          )}
        </div>
      )}
      {isUploading && <UploadDialog onClose={() => setUploading(false)} onCreated={show} />}
    </div>
  )
}
