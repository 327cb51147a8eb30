import { Copy, Upload } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import {
  applyLicence,
  LICENCE_REFUSALS,
  type LicenceAnswer,
  licenseRemind,
  previewLicence,
  showLicence,
} from '#contracts/http/licence.ts'
import { refreshReminder } from '#src/shared/account/licence-reminder.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { copyToClipboard } from '#src/shared/ui/copy-text.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { CODE_FIELD } from './licence-banner.tsx'
import { LicencePreview } from './licence-preview.tsx'
import { licenceTexts, REFUSAL_TEXTS } from './licence-texts.ts'

const PAUSE_MS = 300
/** More of a file is no licence; the server says so in its words. */
const FILE_BYTES = 20_000

/** The three steps of an offline renewal; what a code would bring shows before it is submitted. */
export function LicenceRenewal({ licence }: { licence: LicenceAnswer }) {
  const t = useTexts(licenceTexts)
  const language = useLanguage()
  const file = useRef<HTMLInputElement>(null)
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const asked = useSettled(code)
  const preview = useEndpoint(previewLicence, { body: { code: asked } }, { enabled: asked.trim() !== '' })
  const apply = useAction(applyLicence, {
    refreshes: [showLicence, licenseRemind],
    onSuccess: () => {
      setCode('')
      toast.success(t('applied'))
      void refreshReminder().catch(() => undefined)
    },
    onError: (refused) => {
      const reason = LICENCE_REFUSALS.find((one) => one === refused.fields['reason'])
      const colon = language === 'zh' ? '：' : ': '
      setError(reason ? refused.message + colon + REFUSAL_TEXTS[reason][language] : refused.message)
    },
  })
  const change = (text: string) => {
    setCode(text)
    setError(undefined)
  }
  return (
    <>
      <Section plain title={t('renewal')} note={t('offline')}>
        <ol className="flex flex-col gap-3 px-5 pb-4">
          <Step
            number={1}
            title={t('step1')}
            action={
              <Button size="small" variant="quiet" icon={Copy} onPress={() => void copyToClipboard(licence.request)}>
                {t('copy')}
              </Button>
            }
          >
            <code
              className="block rounded border bg-canvas px-3 py-2 text-12 [overflow-wrap:anywhere]"
              data-testid="licence-request"
            >
              {licence.request}
            </code>
          </Step>
          <Step number={2} title={t('step2')} note={t('step2Note')} />
          <Step
            number={3}
            title={t('step3')}
            action={
              <Button size="small" variant="quiet" icon={Upload} onPress={() => file.current?.click()}>
                {t('fromFile')}
              </Button>
            }
          >
            <input
              ref={file}
              type="file"
              hidden
              aria-label={t('fromFile')}
              onChange={async (event) => {
                const chosen = event.target.files?.[0]
                event.target.value = ''
                if (chosen) change(await chosen.slice(0, FILE_BYTES).text())
              }}
            />
            <div id={CODE_FIELD}>
              <TextField
                label={t('step3')}
                hideLabel
                mono
                rows={4}
                value={code}
                onChange={change}
                error={error}
                note={licence.has_keys ? undefined : t('noKeys')}
              />
            </div>
          </Step>
        </ol>
      </Section>
      <div className="flex items-center gap-2 px-5 pt-1 pb-4 pl-[46px]">
        <span className="mr-auto text-12 text-muted">{t('atOnce')}</span>
        <Button onPress={() => change('')} isDisabled={code === ''}>
          {t('clear')}
        </Button>
        <Button variant="primary" isDisabled={apply.isPending} onPress={() => apply.mutate({ body: { code } })}>
          {t('submit')}
        </Button>
      </div>
      {code.trim() !== '' && asked.trim() !== '' && preview.data && (
        <LicencePreview licence={licence} terms={preview.data.data.terms} refusal={preview.data.data.refusal} />
      )}
    </>
  )
}

function Step({
  number,
  title,
  note,
  action,
  children,
}: {
  number: number
  title: string
  note?: string
  action?: ReactNode
  children?: ReactNode
}) {
  return (
    <li>
      <div className="flex min-h-6 flex-wrap items-center gap-2">
        <span
          aria-hidden
          className="flex size-[18px] flex-none items-center justify-center rounded-full bg-text text-12 font-semibold text-surface"
        >
          {number}
        </span>
        <span className="font-semibold">{title}</span>
        {note && <span className="text-12 text-muted">{note}</span>}
        {action && <span className="ml-auto">{action}</span>}
      </div>
      {children && <div className="mt-1.5 pl-[26px]">{children}</div>}
    </li>
  )
}

/** The text once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), text === '' ? 0 : PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
