import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react'
import { SIGNATURE_WARNING_DAYS, type SignatureFile } from '#contracts/http/reinforce-signatures.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { signatureTexts } from './signature-texts.ts'

const DAY_MS = 86_400_000

/** Whether the certificate is valid now, ends soon or is one that releases should not be signed with. */
export function SignatureState({ item, now }: { item: SignatureFile; now: number }) {
  const t = useTexts(signatureTexts)
  const caveats = (item.certificates[0]?.caveats ?? []).map((one) => t(one))
  const days = Math.ceil((item.not_after - now) / DAY_MS)
  const isOver = item.not_after <= now
  const word = isOver
    ? t('ended')
    : item.not_before > now
      ? t('notYet')
      : days <= Math.max(...SIGNATURE_WARNING_DAYS)
        ? t('endsIn', { count: days })
        : undefined
  const [icon, tone] = isOver
    ? [CircleX, 'text-bad-text']
    : word || caveats.length > 0
      ? [TriangleAlert, 'text-warn-text']
      : [CircleCheck, 'text-good-text']
  const words = [...(word ? [word] : []), ...caveats]
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5">
      <Icon of={icon} size={14} className={`flex-none ${tone}`} />
      <span className={words.length > 0 ? tone : ''}>{words.join(' · ') || t('valid')}</span>
    </span>
  )
}
