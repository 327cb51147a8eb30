import { CircleCheck, CircleX, FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { fileManage } from '#contracts/http/assets.ts'
import type { ownRules } from '#contracts/http/detection/rules.ts'
import { type RuleTrial, tryOwnRule } from '#contracts/http/detection/rules.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { LocationView } from '#src/features/detection/parts/location-view.tsx'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { errorMessage } from '#src/shared/ui/error-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { rulesTexts } from './rules-texts.ts'

const FILES_SHOWN = 50

/** Parses an expression and evaluates it on an uploaded package; the fields it may use are listed below, to insert. */
export function RuleTester({
  expression,
  questions,
  onInsert,
}: {
  expression: string
  questions: ResponseOf<typeof ownRules>['questions']
  onInsert: (text: string) => void
}) {
  const t = useTexts(rulesTexts)
  const language = useLanguage()
  const mayRead = useMay('asset.read')
  const [file, setFile] = useState('')
  const files = useEndpoint(fileManage, { query: { page_size: FILES_SHOWN } }, { enabled: mayRead })
  const trial = useAction(tryOwnRule, { quiet: true })
  const run = () => trial.mutate({ body: { expression: expression.trim(), ...(file && { file }) } })
  return (
    <section aria-label={t('bench')} className="flex min-w-0 flex-col gap-3 rounded bg-canvas p-4">
      <h3 className="font-semibold">
        {t('bench')} <span className="text-12 font-normal text-muted">{t('benchNote')}</span>
      </h3>
      <div className="flex items-end gap-2">
        <Select
          label={t('on')}
          value={file}
          onChange={setFile}
          items={[
            { id: '', label: t('noFile') },
            ...(files.data?.data ?? []).map((one) => ({ id: one.id, label: `${one.name} ${one.version}` })),
          ]}
          className="min-w-0 flex-1"
        />
        <Button icon={FlaskConical} isDisabled={!expression.trim() || trial.isPending} onPress={run}>
          {t('run')}
        </Button>
      </div>
      <div aria-live="polite">
        {trial.error && <p className="text-bad-text">{errorMessage(trial.error)}</p>}
        {trial.data && <Outcome trial={trial.data.data} />}
      </div>
      <div>
        <h4 className="border-t pt-3 pb-1 text-12 font-semibold">{t('questions')}</h4>
        <ul className="max-h-56 overflow-auto text-12">
          {questions.map((one) => (
            <li key={one.name} className="flex gap-2 border-b py-1">
              <button
                type="button"
                title={t('insert', { name: one.name })}
                onClick={() => onInsert(`${one.name}()`)}
                className="flex-none font-mono text-brand-text hover:underline"
              >
                {one.name}
              </button>
              <span className="text-muted">{one.about[language]}</span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

function Outcome({ trial }: { trial: RuleTrial | null }) {
  const t = useTexts(rulesTexts)
  const language = useLanguage()
  if (trial === null) return <p className="text-good-text">{t('readable')}</p>
  if (trial.kind === 'error')
    return <p className="text-bad-text">{t('error', { position: trial.position + 1, text: trial.text[language] })}</p>
  return (
    <div>
      <p className="flex items-center gap-1.5 font-semibold">
        <Icon
          of={trial.holds ? CircleX : CircleCheck}
          size={14}
          className={trial.holds ? 'text-bad-text' : 'text-good-text'}
        />
        {trial.holds ? t('holds', { count: trial.hits }) : t('not')}
      </p>
      <ul className="flex max-h-64 flex-col gap-2 overflow-auto pt-1">
        {trial.findings.map((one, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: findings of one fingerprint differ by their location alone
          <li key={`${one.fingerprint} ${index}`}>
            {one.detail[language]}
            <LocationView location={one.evidence} />
          </li>
        ))}
      </ul>
    </div>
  )
}
