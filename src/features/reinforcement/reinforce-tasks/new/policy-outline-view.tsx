import { CircleX, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { errorText } from '#contracts/errors.ts'
import type { ReinforcePolicy } from '#contracts/http/reinforce-policies.ts'
import { PAGES } from '#contracts/pages.ts'
import { isLibraryKind, type ReinforceKind } from '#domain/reinforce-kinds.ts'
import { isCarriedOut, REINFORCE_OPTION_KEYS, REINFORCE_OPTIONS } from '#domain/reinforce-options.ts'
import { chosenOptions, conflictsOf, missingSettings } from '#domain/reinforce-policy.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { newTexts } from './new-texts.ts'
import { OptionGroups } from './option-groups.tsx'
import { idleOptions, notCarriedOut } from './policy-outline.ts'

/** What the chosen policy will do with the packages: figures, signature, what to know before, options by group. */
export function PolicyOutline({
  policy,
  signature,
  kinds,
}: {
  policy: ReinforcePolicy
  signature: string
  /** Of the chosen packages. */
  kinds: readonly ReinforceKind[]
}) {
  const t = useTexts(newTexts)
  const { options, schemes } = policy
  const chosen = chosenOptions(options)
  const isSigning = signsAny(kinds)
  const idle = idleOptions(options, kinds)
  const isSigned = policy.signature_id !== null || policy.hidden_signature
  return (
    <>
      <div className="grid grid-cols-[auto_auto_minmax(0,1fr)] gap-6 px-5 pb-3">
        <Figure name={t('chosenOptions')} note={`/ ${REINFORCE_OPTION_KEYS.length}`}>
          {chosen.length}
        </Figure>
        <Figure name={t(isSigning ? 'carriedOut' : 'acting')}>
          {chosen.filter((one) => isCarriedOut(one) && !idle.includes(one)).length}
        </Figure>
        <div className="min-w-0">
          <div className="text-12 text-muted">{t('signature')}</div>
          {isSigning ? (
            <div className={`text-clip-line pt-1 text-16/6 ${isSigned ? '' : 'text-warn-text'}`} title={signature}>
              {isSigned ? signature || t('hiddenSignature') : t('unsigned')}
            </div>
          ) : (
            <div className="pt-1 text-16/6 text-muted">{t('libraryUnsigned')}</div>
          )}
          {isSigning && isSigned && (
            <div className="text-12 text-muted">{t('schemes', { list: schemes.join(' ') })}</div>
          )}
        </div>
      </div>
      <Warnings policy={policy} isSigned={isSigned} kinds={kinds} />
      <OptionGroups options={options} kinds={kinds} className="border-t pt-1" />
    </>
  )
}

/** Libraries are not signed. */
export const signsAny = (kinds: readonly ReinforceKind[]): boolean => kinds.length === 0 || !kinds.every(isLibraryKind)

function Figure({ name, note, children }: { name: string; note?: string; children: ReactNode }) {
  return (
    <div>
      <div className="text-12 text-muted">{name}</div>
      <div className="text-28/9 whitespace-nowrap tabular-nums">
        {children} {note && <span className="text-13 text-muted">{note}</span>}
      </div>
    </div>
  )
}

function Warnings({
  policy,
  isSigned,
  kinds,
}: {
  policy: ReinforcePolicy
  isSigned: boolean
  kinds: readonly ReinforceKind[]
}) {
  const t = useTexts(newTexts)
  const language = useLanguage()
  const { id, options } = policy
  const missing = missingSettings(options)
  const notBuilt = notCarriedOut(options)
  const isSigning = signsAny(kinds)
  const isHidden = policy.hidden_signature && isSigning
  const carriedOut = chosenOptions(options).filter(isCarriedOut)
  const idleNotes = kinds.flatMap((kind) => {
    const idle = idleOptions(options, [kind])
    if (idle.length === 0) return []
    const values = { kind: kind.toUpperCase(), count: idle.length }
    if (idle.length === carriedOut.length) return [t('warnAllIdle', values)]
    // Those of all chosen packages are named in their own group.
    if (kinds.length === 1) return [t(kind === 'aab' ? 'warnIdleBundle' : 'warnIdle', values)]
    const names = idle.map((option) => REINFORCE_OPTIONS[option][language])
    return [t('warnIdleList', { ...values, list: names.join(language === 'zh' ? '、' : ', ') })]
  })
  const notes = [
    ...(chosenOptions(options).length === 0 ? [t('warnNothing')] : []),
    ...idleNotes,
    ...(kinds.includes('aab') ? [t('warnBundle')] : []),
    ...(isSigned || !isSigning ? [] : [t('warnUnsigned')]),
    ...(isSigned && isSigning && kinds.some(isLibraryKind) ? [t('warnLibraryKey')] : []),
    ...(isSigning ? conflictsOf(options) : []).map(({ option, with: other }) =>
      other === 'risk_control' ? t('warnReport', { option: REINFORCE_OPTIONS[option][language] }) : t('warnSo'),
    ),
    ...(options.dex_vmp.on && (kinds.length === 0 || kinds.includes('apk')) ? [t('warnVmp')] : []),
    ...(notBuilt.length > 0 ? [t('warnNotBuilt', { count: notBuilt.length })] : []),
  ]
  const count = missing.length + notes.length + (isHidden ? 1 : 0)
  if (count === 0) return null
  return (
    <Section plain title={t('warnings')} note={count} className="border-t">
      <ul className="space-y-1.5 px-5 pb-3">
        {isHidden && (
          <li className="flex items-start gap-2">
            <Icon of={CircleX} size={14} className="mt-0.5 text-bad-text" />
            <span className="min-w-0 flex-1">{errorText('reinforce.signature_hidden', language)}</span>
          </li>
        )}
        {missing.map(({ option, wrong }) => (
          <li key={option} className="flex items-start gap-2">
            <Icon of={CircleX} size={14} className="mt-0.5 text-bad-text" />
            <span className="min-w-0 flex-1">
              {t('mustFix', {
                option: REINFORCE_OPTIONS[option][language],
                error: errorText(wrong ? 'reinforce.address' : 'reinforce.required', language),
              })}{' '}
              <Link
                to={`${PAGES.reinforce_policies.path}?policy=${id}`}
                className="text-brand-text whitespace-nowrap hover:underline"
              >
                {t('fixPolicy')}
              </Link>
            </span>
          </li>
        ))}
        {notes.map((note) => (
          <li key={note} className="flex items-start gap-2">
            <Icon of={TriangleAlert} size={14} className="mt-0.5 text-warn-text" />
            <span className="min-w-0 flex-1">{note}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
