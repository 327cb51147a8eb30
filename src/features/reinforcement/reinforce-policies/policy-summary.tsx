import { CircleX, TriangleAlert, Upload } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Link } from 'react-router-dom'
import { errorText } from '#contracts/errors.ts'
import { type ReinforcePolicy, SIGNATURE_SCHEMES } from '#contracts/http/reinforce-policies.ts'
import { signatureList } from '#contracts/http/reinforce-signatures.ts'
import { PAGES } from '#contracts/pages.ts'
import {
  isCarriedOut,
  REINFORCE_OPTION_KEYS,
  REINFORCE_OPTIONS,
  type ReinforceGrade,
  type ReinforceOption,
} from '#domain/reinforce-options.ts'
import { chosenOptions, conflictsOf, KeepRulesSchema, type MissingSetting } from '#domain/reinforce-policy.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { useApplications } from '#src/shared/session/application-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { Fact } from '#src/shared/ui/fact.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { GradeMark } from '../parts/grade-mark.tsx'
import { reinforceTexts } from './reinforce-texts.ts'
import type { PolicyDraft } from './use-policy-draft.ts'

const NONE = 'none'
const GRADES = ['A', 'B', 'C'] as const satisfies readonly ReinforceGrade[]
const FACTS = 'grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5'

/** Beside the options: what the policy comes to, what is missing, who may use it, its signature and keep rules. */
export function PolicySummary({
  policy,
  draft,
  missing,
  isDisabled,
  onGoTo,
}: {
  policy: ReinforcePolicy
  draft: PolicyDraft
  missing: readonly MissingSetting[]
  isDisabled: boolean
  onGoTo: (option: ReinforceOption) => void
}) {
  const t = useTexts(reinforceTexts)
  const language = useLanguage()
  const nameOf = useNameOf()
  const apps = useApplications((state) => state.list) ?? []
  const { content } = draft
  const chosen = chosenOptions(content.options)
  const isHidden = policy.hidden_signature && !draft.isSignatureChosen
  const notes = [
    ...conflictsOf(content.options).map(({ option, with: other }) =>
      other === 'risk_control'
        ? t('conflict_report', { option: REINFORCE_OPTIONS[option][language] })
        : t('conflict_so'),
    ),
    ...(content.options.dex_vmp.on ? [t('know_vmp')] : []),
    ...(content.signature_id === null && !isHidden ? [t('noSigning')] : []),
  ]
  return (
    <div className="flex min-w-0 flex-col divide-y max-xl:border-t">
      <Section plain title={t('summary')}>
        <div className="grid grid-cols-[auto_auto_1fr] gap-6 px-5 pb-4">
          <Figure name={t('chosenOptions')} note={`/ ${REINFORCE_OPTION_KEYS.length}`}>
            {chosen.length}
          </Figure>
          <Figure name={t('carriedOut')}>{chosen.filter(isCarriedOut).length}</Figure>
          <div>
            <div className="text-12 text-muted">{t('byGrade')}</div>
            <div className="flex flex-wrap gap-x-3 gap-y-1 pt-1.5">
              {GRADES.map((grade) => (
                <span key={grade} className="inline-flex items-center gap-1 tabular-nums">
                  <GradeMark grade={grade} />
                  {chosen.filter((option) => REINFORCE_OPTIONS[option].grade === grade).length}
                </span>
              ))}
            </div>
          </div>
        </div>
      </Section>
      <Section plain title={t('mustFix')} note={missing.length > 0 ? missing.length : t('nothingToFix')}>
        {missing.length > 0 && (
          <ul className="space-y-1.5 px-5 pb-3">
            {missing.map(({ option, field, wrong }) => (
              <li key={option} className="flex items-start gap-2">
                <Icon of={CircleX} size={14} className="mt-0.5 flex-none text-bad-text" />
                <span className="min-w-0 flex-1">
                  {t('missing', {
                    option: REINFORCE_OPTIONS[option][language],
                    field: t(
                      field === 'patterns'
                        ? `patterns_${option as 'dex_vmp' | 'resource_protection' | 'screenshot_prevention'}`
                        : field,
                    ),
                  })}
                  <span className="block text-12 text-bad-text">
                    {errorText(wrong ? 'reinforce.address' : 'reinforce.required', language)}
                  </span>
                </span>
                <Button size="small" variant="quiet" onPress={() => onGoTo(option)}>
                  {t('goTo')}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Section>
      {notes.length > 0 && (
        <Section plain title={t('know')} note={notes.length}>
          <ul className="space-y-1.5 px-5 pb-3">
            {notes.map((note) => (
              <li key={note} className="flex items-start gap-2">
                <Icon of={TriangleAlert} size={14} className="mt-0.5 flex-none text-warn-text" />
                {note}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section plain title={t('audience')}>
        <div className="space-y-3 px-5 pb-4">
          <TextField
            label={t('name')}
            value={content.name}
            onChange={(name) => draft.set({ name })}
            maxLength={64}
            autoComplete="off"
            error={content.name.trim() ? undefined : errorText('reinforce.required', language)}
            isRequired
            isDisabled={isDisabled}
          />
          {(policy.may_be_general || content.general) && (
            <div>
              <Checkbox
                isSelected={content.general}
                onChange={(general) => draft.set({ general })}
                isDisabled={isDisabled || !policy.may_be_general}
              >
                {t('general')}
              </Checkbox>
              <p className="pl-6 text-12 text-muted">{t('generalHint')}</p>
            </div>
          )}
          {!content.general && (
            <Select
              label={t('app')}
              value={content.appid ?? NONE}
              items={[{ id: NONE, label: t('noApp') }, ...apps.map(({ id }) => ({ id, label: nameOf('app', id) }))]}
              onChange={(id) => draft.set({ appid: id === NONE ? null : id })}
              isDisabled={isDisabled}
            />
          )}
        </div>
      </Section>
      <Signing draft={draft} isHidden={isHidden} isDisabled={isDisabled} />
      <KeepRules draft={draft} isDisabled={isDisabled} />
    </div>
  )
}

function Figure({ name, note, children }: { name: string; note?: string; children: ReactNode }) {
  return (
    <div>
      <div className="text-12 text-muted">{name}</div>
      <div className="text-28/9 tabular-nums">
        {children} {note && <span className="text-13 text-muted">{note}</span>}
      </div>
    </div>
  )
}

function Signing({ draft, isHidden, isDisabled }: { draft: PolicyDraft; isHidden: boolean; isDisabled: boolean }) {
  const t = useTexts(reinforceTexts)
  const { content } = draft
  const answer = useEndpoint(signatureList, { query: content.appid === null ? {} : { appid: content.appid } })
  const files = answer.data?.data ?? []
  const file = files.find(({ id }) => id === content.signature_id)
  return (
    <Section
      plain
      title={t('signing')}
      actions={
        <Link to={PAGES.reinforce_signatures.path} className="text-12 text-brand-text hover:underline">
          {t('manageFiles')}
        </Link>
      }
    >
      <div className="space-y-3 px-5 pb-4">
        <Select
          label={t('signature')}
          value={content.signature_id ?? NONE}
          items={[
            { id: NONE, label: isHidden ? t('hiddenSignature') : t('signingNone') },
            ...files.map(({ id, name }) => ({ id, label: name })),
          ]}
          onChange={(id) => draft.set({ signature_id: id === NONE ? null : id })}
          isDisabled={isDisabled}
        />
        {file && (
          <dl className={FACTS}>
            <Fact name={t('alias')}>
              <code className="text-12">{file.alias}</code>
            </Fact>
            <Fact name={t('integrityPassword')}>{t('passwordWithFile')}</Fact>
          </dl>
        )}
        <fieldset>
          <legend className="pb-1.5">{t('method')}</legend>
          <div className="flex flex-wrap gap-4">
            {SIGNATURE_SCHEMES.map((scheme) => {
              const isOn = content.schemes.includes(scheme)
              return (
                <Checkbox
                  key={scheme}
                  isSelected={isOn}
                  // One at least: a package that nothing signs cannot be installed.
                  isDisabled={isDisabled || (isOn && content.schemes.length === 1)}
                  onChange={(next) =>
                    draft.set({
                      schemes: SIGNATURE_SCHEMES.filter((one) =>
                        one === scheme ? next : content.schemes.includes(one),
                      ),
                    })
                  }
                >
                  {scheme}
                </Checkbox>
              )
            })}
          </div>
        </fieldset>
      </div>
    </Section>
  )
}

function KeepRules({ draft, isDisabled }: { draft: PolicyDraft; isDisabled: boolean }) {
  const t = useTexts(reinforceTexts)
  const input = useRef<HTMLInputElement>(null)
  async function take(file: File | undefined): Promise<void> {
    const text = await file?.text()
    if (text === undefined) return
    const joined = [draft.content.keep_rules.trim(), text.trim()].filter(Boolean).join('\n')
    if (!KeepRulesSchema.safeParse(joined).success) return void toast.error(t('rulesTooLarge'))
    draft.set({ keep_rules: joined })
  }
  return (
    <Section
      plain
      title={t('keepRules')}
      actions={
        !isDisabled && (
          <Button size="small" variant="quiet" icon={Upload} onPress={() => input.current?.click()}>
            {t('importRules')}
          </Button>
        )
      }
    >
      <div className="px-5 pb-4">
        <input
          ref={input}
          type="file"
          aria-label={t('importRules')}
          accept=".pro,.txt,.cfg"
          tabIndex={-1}
          className="sr-only"
          onChange={({ target }) => {
            void take(target.files?.[0])
            target.value = '' // the same file may be chosen again
          }}
        />
        <TextField
          mono
          hideLabel
          label={t('keepRules')}
          value={draft.content.keep_rules}
          onChange={(keep_rules) => draft.set({ keep_rules })}
          rows={6}
          maxLength={100_000}
          note={t('keepRulesHint')}
          isDisabled={isDisabled}
        />
      </div>
    </Section>
  )
}
