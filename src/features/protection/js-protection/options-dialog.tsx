import { useState } from 'react'
import { PRESET_PARTS, SCRIPT_PARTS, type ScriptOptions, type ScriptPart } from '#contracts/http/js-protection.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { jsTexts } from './js-texts.ts'
import { linesOf, localTime, timeOf, wrongDomain } from './option-fields.ts'

const PARTS = Object.keys(SCRIPT_PARTS) as ScriptPart[]

/** Every option of a run. */
export function OptionsDialog({
  options,
  onApply,
  onClose,
}: {
  options: ScriptOptions
  onApply: (options: ScriptOptions) => void
  onClose: () => void
}) {
  const t = useTexts(jsTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const [parts, setParts] = useState(options.parts)
  const [names, setNames] = useState(options.reserved_names.join('\n'))
  const [strings, setStrings] = useState(options.reserved_strings.join('\n'))
  const [map, setMap] = useState(options.source_map)
  const [domains, setDomains] = useState(options.domain_lock.join('\n'))
  const [defends, setDefends] = useState(options.self_defending)
  const [from, setFrom] = useState(localTime(options.time_lock?.from ?? null, zone))
  const [until, setUntil] = useState(localTime(options.time_lock?.until ?? null, zone))
  const standard = PRESET_PARTS[options.preset]
  const wrong = wrongDomain(domains)
  const lock = { from: timeOf(from, zone), until: timeOf(until, zone) }
  const isLockWrong = lock.until !== null && lock.until <= Math.max(Date.now(), lock.from ?? 0)

  return (
    <FormDialog
      title={t('options')}
      submitLabel={t('apply')}
      width={640}
      isDisabled={wrong !== undefined || isLockWrong}
      onClose={onClose}
      onSubmit={() =>
        onApply({
          ...options,
          parts,
          reserved_names: linesOf(names),
          reserved_strings: linesOf(strings),
          source_map: map,
          domain_lock: linesOf(domains).map((one) => one.toLowerCase()),
          self_defending: defends,
          time_lock: lock.from === null && lock.until === null ? null : lock,
        })
      }
    >
      <fieldset>
        <legend className="pb-1 font-semibold">{t('parts')}</legend>
        <div className="grid grid-cols-2 gap-x-4 gap-y-2 max-sm:grid-cols-1">
          {PARTS.map((part) => (
            <Checkbox
              key={part}
              isSelected={parts[part] ?? standard.includes(part)}
              onChange={(isOn) =>
                setParts((before) => {
                  const { [part]: _, ...rest } = before
                  return isOn === standard.includes(part) ? rest : { ...rest, [part]: isOn }
                })
              }
            >
              {SCRIPT_PARTS[part][language]}
            </Checkbox>
          ))}
        </div>
        <p className="pt-1 text-12 text-muted">{t('partsHint')}</p>
      </fieldset>
      <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
        <TextField
          mono
          label={t('reservedNames')}
          value={names}
          onChange={setNames}
          rows={4}
          note={t('reservedNamesHint')}
        />
        <TextField
          mono
          label={t('reservedStrings')}
          value={strings}
          onChange={setStrings}
          rows={4}
          note={t('reservedStringsHint')}
        />
      </div>
      <div>
        <Checkbox isSelected={map} onChange={setMap}>
          {t('keepMap')}
        </Checkbox>
        <p className="pl-6 text-12 text-muted">{t('mapHint')}</p>
      </div>
      <fieldset className="space-y-3 border-t pt-3">
        <legend className="float-left flex items-center gap-2 pr-3 font-semibold">
          <Chip>{t('deterrent')}</Chip>
        </legend>
        <p className="text-12 text-muted">{t('deterrentHint')}</p>
        <TextField
          mono
          label={t('domains')}
          value={domains}
          onChange={setDomains}
          rows={2}
          note={t('domainsHint')}
          error={wrong && t('domainWrong', { name: wrong })}
        />
        <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
          <TextField
            type="datetime-local"
            label={`${t('timeLock')}: ${t('lockFrom')}`}
            value={from}
            onChange={setFrom}
          />
          <TextField
            type="datetime-local"
            label={`${t('timeLock')}: ${t('lockUntil')}`}
            value={until}
            onChange={setUntil}
            note={t('lockHint')}
            error={isLockWrong ? t('lockWrong') : undefined}
          />
        </div>
        <Checkbox isSelected={defends} onChange={setDefends}>
          {t('selfDefending')}
        </Checkbox>
      </fieldset>
    </FormDialog>
  )
}
