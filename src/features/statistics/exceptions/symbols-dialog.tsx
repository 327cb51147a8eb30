import { Trash2, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import {
  deleteSymbols,
  exceptionGroup,
  exceptionGroups,
  exceptionStack,
  symbolFiles,
  uploadSymbols,
} from '#contracts/http/exceptions.ts'
import { SYMBOL_LIMITS } from '#domain/exceptions.ts'
import { call } from '#src/shared/api/call.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatBytes, formatExact, formatPercent } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { useApplications } from '#src/shared/session/application-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { confirmDeletion, deleted } from '#src/shared/ui/deletion.ts'
import { Dialog } from '#src/shared/ui/dialog.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { exceptionTexts } from './exception-texts.ts'

const REFRESHES = [symbolFiles, exceptionGroups, exceptionGroup, exceptionStack]

/** Mappings and source maps of an application: what is there, and a way to add to it. */
export function SymbolsDialog({
  state,
  isOpen,
  onOpenChange,
}: {
  state: QueryState
  isOpen: boolean
  onOpenChange: (open: boolean) => void
}) {
  const t = useTexts(exceptionTexts)
  const apps = useApplications((store) => store.list) ?? []
  const filtered = state.query.filters.find(({ field, op }) => field === 'app' && op === 'is')?.values[0]
  const [chosen, setChosen] = useState<string | null>(null)
  const appid = chosen ?? filtered ?? (apps.length === 1 ? (apps[0]?.id ?? null) : null)
  const may = useMay('asset.upload')
  const [version, setVersion] = useState('')
  const [progress, setProgress] = useState<number | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const files = useEndpoint(symbolFiles, { query: { appid: appid ?? '0' } }, { enabled: isOpen && appid !== null })
  const remove = useAction(deleteSymbols, { refreshes: REFRESHES, onSuccess: () => deleted() })
  const finish = useAction(uploadSymbols, { refreshes: REFRESHES })

  const upload = async (file: File) => {
    if (!appid) return
    setProgress(0)
    try {
      const kind = /\.map$/i.test(file.name) ? 'sourcemap' : 'r8'
      const parts = await packedParts(file)
      const id = crypto.randomUUID()
      for (const [part, content] of parts.entries()) {
        const last = part === parts.length - 1
        const body = {
          appid,
          version: version.trim(),
          kind,
          name: kind === 'r8' ? '' : file.name,
          upload: id,
          part,
          last,
          content,
        } as const
        if (last) await finish.mutateAsync({ body })
        else await call(uploadSymbols, { body })
        setProgress((part + 1) / parts.length)
      }
      toast.success(t('uploaded'))
    } catch {
      // The refusal was shown.
    } finally {
      setProgress(null)
    }
  }
  const drop = async (id: string) => {
    if (await confirmDeletion({ title: t('remove'), text: t('removeAsk'), action: t('remove') }))
      remove.mutate({ body: { id } })
  }
  const rows = files.data?.data ?? []
  return (
    <Dialog title={t('symbols')} isOpen={isOpen} onOpenChange={onOpenChange} width={720}>
      <p className="mb-3 text-12 text-muted">{t('symbolsNote')}</p>
      <div className="flex flex-wrap items-end gap-3">
        <Select
          label={t('app')}
          value={appid}
          onChange={setChosen}
          placeholder={t('symbolsWhich')}
          items={apps.map((app) => ({ id: app.id, label: app.name }))}
          className="w-56"
        />
        <TextField label={t('version')} value={version} onChange={setVersion} maxLength={100} className="w-36" />
        <input
          ref={input}
          type="file"
          accept=".txt,.map"
          aria-label={t('file')}
          className="hidden"
          onChange={(event) => {
            const [file] = event.target.files ?? []
            event.target.value = ''
            if (file) void upload(file)
          }}
        />
        <Button
          icon={Upload}
          isDisabled={!may || !appid || version.trim() === '' || progress !== null}
          {...(!may && { title: t('uploadMissing') })}
          onPress={() => input.current?.click()}
        >
          {progress === null ? t('upload') : t('uploading', { share: formatPercent(progress, 0) })}
        </Button>
      </div>
      {appid && files.data && rows.length === 0 && <EmptyState kind="none" title={t('noSymbols')} />}
      {rows.length > 0 && (
        <table className="mt-4 w-full text-body">
          <thead>
            <tr className="text-left text-12 text-muted">
              <th className="py-1 font-normal">{t('version')}</th>
              <th className="font-normal">{t('file')}</th>
              <th className="text-right font-normal">{t('size')}</th>
              <th className="text-right font-normal">{t('entries')}</th>
              <th className="text-right font-normal">{t('upload')}</th>
              <th />
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id} className="h-9 border-t">
                <td>{row.version}</td>
                <td>
                  <code className="text-12">{row.name || 'mapping.txt'}</code>
                </td>
                <td className="text-right">{formatBytes(row.size)}</td>
                <td className="text-right">{formatExact(row.entries)}</td>
                <td className="text-right" title={row.by}>
                  <RelativeTime at={row.created_at} />
                </td>
                <td className="w-9">
                  <IconButton
                    size="small"
                    icon={Trash2}
                    label={t('remove')}
                    isDisabled={!may}
                    onPress={() => void drop(row.id)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Dialog>
  )
}

/** The file gzipped, in base64 parts that fit into a request. */
async function packedParts(file: File): Promise<string[]> {
  const packed = new Uint8Array(
    await new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer(),
  )
  const width = Math.floor(SYMBOL_LIMITS.part / 4) * 3
  const parts: string[] = []
  for (let at = 0; at < packed.length; at += width) parts.push(base64(packed.subarray(at, at + width)))
  return parts
}

function base64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(text)
}
