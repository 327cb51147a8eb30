import { errorText } from '#contracts/errors.ts'
import type { ReinforceOption } from '#domain/reinforce-options.ts'
import {
  JS_STRENGTHS,
  LOG_LEVELS,
  type MissingSetting,
  REINFORCE_ACTIONS,
  type ReinforceAction,
  type ReinforceOptions,
  RISK_FALLBACKS,
} from '#domain/reinforce-policy.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { FIELD_ERROR, FIELD_LABEL } from '#src/shared/ui/field.ts'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { PatternField } from './pattern-field.tsx'
import { reinforceTexts } from './reinforce-texts.ts'
import type { PolicyDraft } from './use-policy-draft.ts'

const ACTIONS = Object.keys(REINFORCE_ACTIONS) as ReinforceAction[]
const LOG_NAMES: Record<(typeof LOG_LEVELS)[number], string> = {
  v: 'Log.v',
  d: 'Log.d',
  i: 'Log.i',
  w: 'Log.w',
  e: 'Log.e',
  println: 'println',
}

/** A class, one of its methods, a package with what lies below it. */
const VMP_EXAMPLE = 'com.example.pay.Card\ncom.example.login.Session.verify\ncom.example.keys.**'

/** Whether an option has anything to set. */
export function hasSettings(options: ReinforceOptions, option: ReinforceOption): boolean {
  return Object.keys(options[option]).length > 1
}

/** The settings of one option. */
export function OptionSettings({
  option,
  draft,
  missing,
  isDisabled,
}: {
  option: ReinforceOption
  draft: PolicyDraft
  missing: MissingSetting | undefined
  isDisabled: boolean
}) {
  const t = useTexts(reinforceTexts)
  const language = useLanguage()
  const { options } = draft.content
  const error = missing && errorText(missing.wrong ? 'reinforce.address' : 'reinforce.required', language)
  switch (option) {
    case 'dex_vmp':
    case 'third_party_so_ban':
    case 'resource_protection':
    case 'screenshot_prevention':
      return (
        <PatternField
          label={t(`patterns_${option}`)}
          note={t(`hint_${option}`)}
          example={option === 'dex_vmp' ? VMP_EXAMPLE : undefined}
          patterns={options[option].patterns}
          onChange={(patterns) => draft.setOption(option, { patterns })}
          error={error}
          isRequired={option !== 'third_party_so_ban'}
          isDisabled={isDisabled}
        />
      )
    case 'js_protection':
      return (
        <div>
          <span className={FIELD_LABEL}>{t('strength')}</span>
          <SegmentedControl
            size="small"
            label={t('strength')}
            value={options.js_protection.strength}
            items={JS_STRENGTHS.map((id) => ({ id, label: t(id) }))}
            onChange={(strength) => draft.setOption('js_protection', { strength })}
            isDisabled={isDisabled}
          />
        </div>
      )
    case 'log_removal': {
      const { levels } = options.log_removal
      return (
        <fieldset>
          <legend className={FIELD_LABEL}>{t('levels')}</legend>
          <div className="flex flex-wrap gap-x-4 gap-y-1.5">
            {LOG_LEVELS.map((level) => (
              <Checkbox
                key={level}
                isSelected={levels.includes(level)}
                isDisabled={isDisabled}
                onChange={(isOn) =>
                  draft.setOption('log_removal', {
                    levels: LOG_LEVELS.filter((one) => (one === level ? isOn : levels.includes(one))),
                  })
                }
              >
                <code className="text-12">{LOG_NAMES[level]}</code>
              </Checkbox>
            ))}
          </div>
          {error && <span className={FIELD_ERROR}>{error}</span>}
        </fieldset>
      )
    }
    case 'risk_control':
      return (
        <div className="space-y-3">
          <TextField
            label={t('server')}
            value={options.risk_control.server}
            onChange={(server) => draft.setOption('risk_control', { server: server.trim() })}
            note={t('serverHint')}
            placeholder="https://"
            error={error}
            maxLength={2048}
            autoComplete="off"
            isRequired
            isDisabled={isDisabled}
          />
          <div>
            <span className={FIELD_LABEL}>{t('fallback')}</span>
            <SegmentedControl
              size="small"
              label={t('fallback')}
              value={options.risk_control.fallback}
              items={RISK_FALLBACKS.map((id) => ({ id, label: t(id === 'open' ? 'open_' : 'closed') }))}
              onChange={(fallback) => draft.setOption('risk_control', { fallback })}
              isDisabled={isDisabled}
            />
          </div>
        </div>
      )
    default: {
      const settings = options[option]
      if (!('action' in settings)) return null
      return (
        <div>
          <span className={FIELD_LABEL}>{t('action')}</span>
          <SegmentedControl
            size="small"
            label={t('action')}
            value={settings.action}
            items={ACTIONS.map((id) => ({ id, label: REINFORCE_ACTIONS[id][language] }))}
            onChange={(action) => draft.setOption(option, { action } as Partial<ReinforceOptions[typeof option]>)}
            isDisabled={isDisabled}
          />
        </div>
      )
    }
  }
}
