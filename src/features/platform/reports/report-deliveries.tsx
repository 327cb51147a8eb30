import { Link2, Mail } from 'lucide-react'
import { useState } from 'react'
import {
  mailReport,
  type ReportMail,
  type ReportShare,
  reportDeliveries,
  revokeShare,
} from '#contracts/http/reports/sharing.ts'
import type { StoredReport } from '#contracts/http/reports/stored-reports.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { MailDialog, ShareDialog } from './delivery-dialogs.tsx'
import { deliveryTexts } from './delivery-texts.ts'

const HOUR_MS = 3_600_000
/** Fast while a mail is under way. */
const [ACTIVE_MS, IDLE_MS] = [2000, 30_000]

/** Share links and mails of a report, and what makes more of them. */
export function ReportDeliveries({ report }: { report: StoredReport }) {
  const t = useTexts(deliveryTexts)
  const [open, setOpen] = useState<'share' | 'mail' | null>(null)
  const answer = useEndpoint(
    reportDeliveries,
    { query: { id: report.id } },
    {
      refetchInterval: ({ state }) => (state.data?.mails.some((one) => one.state === 'waiting') ? ACTIVE_MS : IDLE_MS),
    },
  )
  const { shares = [], mails = [], mail = true } = answer.data ?? {}
  const close = () => setOpen(null)
  return (
    <section aria-label={t('sent')} className="border-b px-5 py-2.5">
      <div className="flex flex-wrap gap-2">
        <Button size="small" icon={Link2} onPress={() => setOpen('share')}>
          {t('share')}
        </Button>
        <Button
          size="small"
          icon={Mail}
          isDisabled={!mail}
          {...(!mail && { title: t('noServer') })}
          onPress={() => setOpen('mail')}
        >
          {t('mail')}
        </Button>
      </div>
      {(shares.length > 0 || mails.length > 0) && (
        <ul className="mt-2 max-h-40 overflow-y-auto">
          {shares.map((share) => (
            <ShareLine key={share.id} share={share} />
          ))}
          {mails.map((one) => (
            <MailLine key={one.id} report={report} mail={one} />
          ))}
        </ul>
      )}
      {open === 'share' && <ShareDialog report={report} onClose={close} />}
      {open === 'mail' && <MailDialog report={report} onClose={close} />}
    </section>
  )
}

function ShareLine({ share }: { share: ReportShare }) {
  const t = useTexts(deliveryTexts)
  const revoke = useAction(revokeShare, {
    refreshes: [reportDeliveries],
    onSuccess: () => toast.success(t('revokedMessage')),
  })
  const hours = Math.max(1, Math.ceil((share.expires_at - Date.now()) / HOUR_MS))
  const left =
    share.state !== 'open'
      ? t(share.state)
      : hours < 48
        ? t('hoursLeft', { count: hours })
        : t('daysLeft', { count: Math.floor(hours / 24) })
  const ask = async () => {
    const question = { title: t('revokeTitle'), text: t('revokeText'), action: t('revoke'), danger: true }
    if (await confirm(question)) revoke.mutate({ body: { id: share.id } })
  }
  const words = [left, t('opens', { count: share.opens }), share.has_password && t('withPassword'), share.by]
  return (
    <li className="flex min-h-8 items-center gap-2">
      <Icon of={Link2} size={14} className="flex-none text-muted" />
      <span className={`text-clip-line min-w-0 flex-1 ${share.state === 'open' ? '' : 'text-muted'}`}>
        {words.filter(Boolean).join(' · ')}
      </span>
      {share.state === 'open' && (
        <Button size="small" variant="quiet" isDisabled={revoke.isPending} onPress={() => void ask()}>
          {t('revoke')}
        </Button>
      )}
    </li>
  )
}

function MailLine({ report, mail }: { report: StoredReport; mail: ReportMail }) {
  const t = useTexts(deliveryTexts)
  const again = useAction(mailReport, { refreshes: [reportDeliveries] })
  const { state, attempts, answer } = mail
  const word =
    state === 'sent'
      ? t('delivered')
      : state === 'failed'
        ? `${t('failed')}: ${answer}`
        : answer === ''
          ? t('waiting')
          : `${t('retrying', { attempts })}: ${answer}`
  const tone = state === 'sent' ? 'text-good-text' : answer === '' ? 'text-muted' : 'text-bad-text'
  return (
    <li className="flex min-h-8 items-center gap-2">
      <Icon of={Mail} size={14} className="flex-none text-muted" />
      <span className="text-clip-line min-w-0 flex-1" title={mail.addresses.join(', ')}>
        <RelativeTime at={mail.created_at} /> · {mail.addresses.join(', ')}
      </span>
      <span className={`text-clip-line max-w-[55%] ${tone}`} title={word}>
        {word}
      </span>
      {state === 'failed' && (
        <Button
          size="small"
          variant="quiet"
          isDisabled={again.isPending}
          onPress={() => again.mutate({ body: { id: report.id, retry: mail.id } })}
        >
          {t('retry')}
        </Button>
      )}
    </li>
  )
}
