import { DETECTION_KINDS, type DetectionKind, runsOnPhone } from '#contracts/detection/kinds.ts'
import { errorText } from '#contracts/errors.ts'
import { type detectionKinds, KIND_PERMISSIONS } from '#contracts/http/detection/tasks.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { PERMISSION_ITEMS } from '#contracts/permissions.ts'
import { type Translate, useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { newTexts } from './new-texts.ts'

type KindOffers = ResponseOf<typeof detectionKinds>
const KINDS = Object.keys(DETECTION_KINDS) as DetectionKind[]

/** What can be said of one kind for the chosen files: `why` disables it, the others only tell. */
type KindOffer = { kind: DetectionKind; why: string | null; lack: string | null; phones: string | null }

/** Which kinds may be chosen, by the table of kinds, the account's permissions, and whether a phone is there; each no says why. */
export function kindOffers(
  offers: KindOffers,
  language: 'zh' | 'en',
  t: Translate<keyof typeof newTexts.entries & string>,
): KindOffer[] {
  return KINDS.map((kind) => {
    const lines = offers.data.map((file) => ({ file, line: file.kinds.find((one) => one.kind === kind) }))
    const without = lines.filter(({ line }) => !line?.offered)
    const allowed = lines.some(({ line }) => line?.allowed)
    const names = without.map(({ file }) => `${file.name} ${file.version}`).join(language === 'zh' ? '、' : ', ')
    const why =
      without.length === lines.length
        ? t(kind === 'dynamic' && !lines.some(({ file }) => runsOnPhone(file.package_kind)) ? 'onlyApk' : 'notOffered')
        : !allowed
          ? t('notAllowed', { right: PERMISSION_ITEMS[KIND_PERMISSIONS[kind]][language] })
          : kind === 'dynamic' && offers.phones.length === 0
            ? errorText('detection.no_phone', language)
            : null
    const phones = offers.phones.map(({ model, serial }) => model.replaceAll('_', ' ') || serial).join(', ')
    return {
      kind,
      why,
      lack: without.length > 0 ? t('partly', { count: without.length, names }) : null,
      phones: kind === 'dynamic' && phones ? t('phones', { names: phones }) : null,
    }
  })
}

/** The seven kinds to tick; what cannot be chosen says why. */
export function KindChoice({
  offered,
  chosen,
  onToggle,
}: {
  offered: readonly KindOffer[]
  chosen: ReadonlySet<DetectionKind>
  onToggle: (kind: DetectionKind) => void
}) {
  const t = useTexts(newTexts)
  const language = useLanguage()
  return (
    <ul>
      {offered.map(({ kind, why, lack, phones }) => (
        <li key={kind} className="border-b py-2 last:border-b-0">
          <Checkbox
            isSelected={why === null && chosen.has(kind)}
            isDisabled={why !== null}
            onChange={() => onToggle(kind)}
          >
            <span className="min-w-0">
              <span className="block">{DETECTION_KINDS[kind][language]}</span>
              <span className="block text-12/4 text-muted">{t(kind)}</span>
              {(why ?? lack) && <span className="block text-12/4 text-warn-text">{why ?? lack}</span>}
              {phones && why === null && <span className="block text-12/4 text-muted">{phones}</span>}
            </span>
          </Checkbox>
        </li>
      ))}
    </ul>
  )
}
