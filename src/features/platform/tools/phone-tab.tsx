import { CircleAlert, CircleCheck, CircleHelp, CircleX, RotateCw, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { errorText } from '#contracts/errors.ts'
import { PHONE_CHECKS, type PhoneCheck, toolPhoneCheck, toolPhones } from '#contracts/http/tools.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { factName } from './fact-name.ts'
import { toolsTexts } from './tools-texts.ts'

const STATES = {
  good: { icon: CircleCheck, color: 'text-good-text' },
  warn: { icon: CircleAlert, color: 'text-warn-text' },
  bad: { icon: CircleX, color: 'text-bad-text' },
  unknown: { icon: CircleHelp, color: 'text-muted' },
} as const

/** Phones at the adb server, and whether one of them can run detections. */
export function PhoneTab() {
  const t = useTexts(toolsTexts)
  const language = useLanguage()
  const list = useEndpoint(toolPhones)
  const check = useAction(toolPhoneCheck, { quiet: true })
  const [asked, setAsked] = useState<string>()
  const phones = list.data?.data ?? []
  const again = (
    <Button icon={RotateCw} isDisabled={list.isFetching} onPress={() => void list.refetch()}>
      {t('lookAgain')}
    </Button>
  )
  if (list.error) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data) return <Skeleton lines={6} height="24px" className="p-5" />
  if (phones.length === 0)
    return (
      <EmptyState
        kind="offline"
        icon={Smartphone}
        title={errorText('detection.no_phone', language)}
        hint={t(list.data.adb ? 'noPhone' : 'noAdb')}
        action={again}
      />
    )
  return (
    <div className="grid lg:grid-cols-[minmax(300px,34%)_minmax(0,1fr)]">
      <Section plain title={t('phones')} note={String(phones.length)} actions={again}>
        <ul>
          {phones.map(({ serial, model, state }) => (
            <li key={serial} className="flex items-center gap-3 border-t px-5 py-2.5">
              <Icon of={Smartphone} className="flex-none text-muted" />
              <div className="min-w-0 flex-1">
                <div className="text-clip-line font-semibold">{model.replaceAll('_', ' ') || serial}</div>
                <code className="block text-12 text-muted [overflow-wrap:anywhere]">{serial}</code>
              </div>
              {state === 'device' ? (
                <Button
                  size="small"
                  isDisabled={check.isPending}
                  onPress={() => {
                    setAsked(serial)
                    check.mutate({ body: { serial } })
                  }}
                >
                  {t('check')}
                </Button>
              ) : (
                <Chip tone="warn">{factName(t, `phone_${state}`)}</Chip>
              )}
            </li>
          ))}
        </ul>
      </Section>
      <div
        aria-live="polite"
        aria-busy={check.isPending}
        className="flex min-w-0 flex-col border-l max-lg:border-t max-lg:border-l-0"
      >
        {check.isPending ? (
          <Skeleton lines={10} height="24px" className="p-5" />
        ) : check.error ? (
          <ErrorState
            error={check.error}
            title={t('checkFailed')}
            {...(asked !== undefined && { onRetry: () => check.mutate({ body: { serial: asked } }) })}
          />
        ) : check.data ? (
          <Checked one={check.data.data} />
        ) : (
          <EmptyState kind="none" icon={Smartphone} title={t('check')} hint={t('checkWait')} />
        )}
      </div>
    </div>
  )
}

function Checked({ one }: { one: PhoneCheck }) {
  const t = useTexts(toolsTexts)
  const language = useLanguage()
  const bad = one.checks.filter(({ state }) => state === 'bad').length
  return (
    <Section
      plain
      title={[one.maker, one.model].filter(Boolean).join(' ') || one.serial}
      note={<Chip tone={bad > 0 ? 'bad' : 'good'}>{t(bad > 0 ? 'phoneNotReady' : 'phoneReady')}</Chip>}
    >
      <ul>
        {one.checks.map(({ name, state, detail }) => (
          <li key={name} className="flex items-start gap-3 border-t px-5 py-2.5">
            <span className="pt-0.5">
              <Icon of={STATES[state].icon} className={STATES[state].color} />
              <span className="sr-only">{t(`state_${state}`)}</span>
            </span>
            <div className="min-w-0 flex-1">
              <div className="flex flex-wrap gap-x-3">
                <span className="font-semibold">{PHONE_CHECKS[name][language]}</span>
                <span className={STATES[state].color}>{detail[language]}</span>
              </div>
              <div className="text-12 text-muted">{PHONE_CHECKS[name].why[language]}</div>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  )
}
