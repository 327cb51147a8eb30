import { Pencil, RefreshCw, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import type { ShownCertificate } from '#contracts/http/assets.ts'
import { reinforcePolicies } from '#contracts/http/reinforce-policies.ts'
import {
  checkSignature,
  deleteSignature,
  SIGNATURE_FORMATS,
  type SignatureFile,
  saveSignature,
  signatureList,
} from '#contracts/http/reinforce-signatures.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { CopyText } from '#src/shared/ui/copy-text.tsx'
import { confirmDeletion, deleted } from '#src/shared/ui/deletion.ts'
import { Fact } from '#src/shared/ui/fact.tsx'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { ApplicationSelect } from './application-select.tsx'
import { SignatureState } from './signature-state.tsx'
import { signatureTexts } from './signature-texts.ts'

const FACTS = 'grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 px-5 pb-4'

/** One signature file: its certificate, who may use it, and what is done with it. Its key and passwords are never shown. */
export function SignatureDetail({ item, now, onClose }: { item: SignatureFile; now: number; onClose: () => void }) {
  const t = useTexts(signatureTexts)
  const nameOf = useNameOf()
  const [isEditing, setEditing] = useState(false)
  const check = useAction(checkSignature, {
    refreshes: [signatureList],
    onSuccess: () => toast.success(t('checkedNow')),
  })
  const remove = useAction(deleteSignature, {
    refreshes: [signatureList, reinforcePolicies],
    onSuccess: () => {
      deleted()
      onClose()
    },
  })
  const [own, ...issuers] = item.certificates
  const use = item.policies > 0 ? t('usedBy', { count: item.policies }) : t('unused')

  async function askRemoval(): Promise<void> {
    const question = {
      title: t('removeTitle', { name: item.name }),
      text: t('removeText', { use }),
      action: t('remove'),
      typed: item.name,
    }
    if (await confirmDeletion(question)) remove.mutate({ body: { id: item.id } })
  }

  return (
    <div className="flex h-full flex-col">
      <header className="flex min-h-12 flex-none items-center gap-2 border-b py-1.5 pr-2 pl-5">
        <h2 className="text-clip-line min-w-0 flex-1 text-14 font-semibold">{item.name}</h2>
        <Button
          size="small"
          icon={RefreshCw}
          isDisabled={check.isPending}
          onPress={() => check.mutate({ body: { id: item.id } })}
        >
          {check.isPending ? t('checking') : t('check')}
        </Button>
        {item.manageable && (
          <>
            <IconButton icon={Pencil} label={t('edit')} onPress={() => setEditing(true)} />
            <IconButton icon={Trash2} label={t('remove')} onPress={() => void askRemoval()} />
          </>
        )}
        <IconButton icon={X} label={t('close')} onPress={onClose} />
      </header>
      <div className="min-h-0 flex-1 divide-y overflow-auto">
        {own && (
          <Section plain title={t('certificate')} actions={<SignatureState item={item} now={now} />}>
            <Certificate of={own} />
          </Section>
        )}
        <Section plain title={t('file')}>
          <dl className={FACTS}>
            <Fact name={t('file')}>
              {item.file_name}{' '}
              <span className="text-muted">
                {SIGNATURE_FORMATS[item.format]}, {formatBytes(item.size)}
              </span>
            </Fact>
            <Fact name={t('alias')}>
              <code className="text-12">{item.alias}</code>
            </Fact>
            <Fact name={t('password')}>{t('passwordKept')}</Fact>
            <Fact name={t('checked')}>
              <RelativeTime at={item.checked_at} />
            </Fact>
            <Fact name={t('app')}>{item.appid === null ? t('ownerOnly') : nameOf('app', item.appid)}</Fact>
            <Fact name={t('owner')}>{item.owner || '—'}</Fact>
            <Fact name={t('created')}>
              <RelativeTime at={item.created_at} />
            </Fact>
            <Fact name={t('use')}>{use}</Fact>
          </dl>
        </Section>
        {issuers.length > 0 && (
          <Section plain title={t('chain')} note={issuers.length}>
            {issuers.map((one) => (
              <Certificate key={one.sha256} of={one} />
            ))}
          </Section>
        )}
      </div>
      {isEditing && <EditDialog item={item} onClose={() => setEditing(false)} />}
    </div>
  )
}

function Certificate({ of }: { of: ShownCertificate }) {
  const t = useTexts(signatureTexts)
  const zone = usePlatform((state) => state.zone)
  const day = (at: number) => formatDateTime(at, zone, 'day')
  return (
    <dl className={FACTS}>
      <Fact name={t('subject')}>{of.subject}</Fact>
      <Fact name={t('issuer')}>{of.issuer === of.subject ? t('selfSigned') : of.issuer}</Fact>
      <Fact name={t('serial')}>
        <code className="text-12">{of.serial}</code>
      </Fact>
      <Fact name="SHA-256">
        <CopyText value={of.sha256} />
      </Fact>
      <Fact name={t('key')}>{of.key}</Fact>
      <Fact name={t('algorithm')}>{of.algorithm}</Fact>
      <Fact name={t('validity')}>
        <span className="tabular-nums">{t('range', { from: day(of.not_before), until: day(of.not_after) })}</span>
      </Fact>
    </dl>
  )
}

function EditDialog({ item, onClose }: { item: SignatureFile; onClose: () => void }) {
  const t = useTexts(signatureTexts)
  const [name, setName] = useState(item.name)
  const [appid, setAppid] = useState(item.appid)
  const save = useAction(saveSignature, {
    refreshes: [signatureList],
    onSuccess: () => {
      toast.success(t('saved'))
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('edit')}
      submitLabel={t('save')}
      isDisabled={save.isPending || !name.trim()}
      onSubmit={() => save.mutate({ body: { id: item.id, name, appid } })}
      onClose={onClose}
    >
      <TextField
        label={t('name')}
        value={name}
        onChange={setName}
        maxLength={64}
        autoComplete="off"
        isRequired
        autoFocus
      />
      <ApplicationSelect value={appid} onChange={setAppid} />
    </FormDialog>
  )
}
